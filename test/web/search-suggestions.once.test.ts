import { describe, expect, test } from "bun:test";
import {
  type OperatorHint,
  type Searchable,
  type Suggestion,
  suggestionsFor,
} from "../../src/web/model/search-suggestions";

/* Suggestions while somebody types a search. The caret stands where the text has a bar. */

const channels = new Map([
  [1, "design"],
  [2, "design & code"],
  [3, "incidents"],
]);
const people = new Map([
  [4, "Amara Okafor"],
  [5, "Hana Sato"],
  [6, "Hana Sato"],
  [7, "<img src=x>"],
]);
const topics = [
  { channelId: 1, topic: "icons", name: "icons", recency: 9 },
  { channelId: 1, topic: "release page", name: "release page", recency: 8 },
  { channelId: 3, topic: "icy disks", name: "icy disks", recency: 7 },
];
const hint = ([name, otherWords]: readonly [string, string], place: number): OperatorHint => ({
  name,
  otherWords,
  recency: -place,
  isOpen: name.endsWith(":"),
});
const idsOf = (map: Map<number, string>, name: string) =>
  [...map].filter(([, one]) => one.toLowerCase() === name.toLowerCase()).map(([id]) => id);

const searchable: Searchable = {
  names: {
    me: 4,
    channelName: (id) => channels.get(id),
    channelId: (name) => idsOf(channels, name)[0],
    personName: (id) => people.get(id),
    personId: () => undefined,
    peopleNamed: (name) => idsOf(people, name),
  },
  operators: (
    [
      ["channel:", "messages in a channel"],
      ["sender:", "messages of somebody"],
      ["has:link", "messages with links"],
      ["has:attachment", "messages with files"],
      ["is:unread", "unread messages"],
      ["is:resolved", "messages of resolved topics"],
    ] as const
  ).map(hint),
  people: [...people].map(([userId, name]) => ({ userId, name, recency: 0 })),
  channels: [...channels].map(([channelId, name]) => ({ channelId, name, recency: 0 })),
  topicsOf: (channelId) =>
    topics.filter((one) => channelId === undefined || one.channelId === channelId),
  recent: ["release notes", "is:starred"],
};

const suggestions = (typed: string): readonly Suggestion[] =>
  suggestionsFor(typed.replace("|", ""), typed.indexOf("|"), searchable);

/** Texts of the field after each of the suggestions is taken. */
const taken = (typed: string): readonly string[] =>
  suggestions(typed).map(({ from, to, text }) => {
    const plain = typed.replace("|", "");
    return plain.slice(0, from) + text + plain.slice(to);
  });

describe("suggestions", () => {
  test("of an empty field are the latest searches, then the operators", () => {
    expect(taken("|").slice(0, 3)).toEqual(["release notes", "is:starred", "channel:"]);
  });

  test("of the beginning of an earlier search are that search, and all else of the name", () => {
    expect(taken("re|")).toEqual([
      "release notes",
      "is:resolved ",
      'channel:design topic:"release page" ',
    ]);
  });

  test("of a word are operators by their names and by the words that explain them", () => {
    expect(taken("unr|")).toEqual(["is:unread "]);
    expect(taken("pumpkin fil|")).toEqual(["pumpkin has:attachment "]);
    expect(taken("-res|")).toEqual(["-is:resolved "]);
  });

  test("of a word are channels, topics and people of such names", () => {
    expect(taken("de|")).toEqual(["channel:design ", 'channel:"design & code" ']);
    expect(taken("ic|")).toEqual([
      "channel:design topic:icons ",
      'channel:incidents topic:"icy disks" ',
    ]);
    expect(taken("ha|").filter((text) => text.startsWith("sender"))).toEqual([
      'sender:"Hana Sato|5" ',
      'sender:"Hana Sato|6" ',
    ]);
  });

  test("of a topic are those of the channel in the text", () => {
    expect(taken("channel:incidents topic:ic|")).toEqual(['channel:incidents topic:"icy disks" ']);
    expect(taken('topic:"rel|" channel:design')).toEqual(['topic:"release page" channel:design']);
    expect(taken("-topic:icons|")).toEqual(["-topic:icons "]);
  });

  test("of people begin with the person themselves, and go on behind a comma", () => {
    expect(taken("sender:|")[0]).toBe("sender:me ");
    expect(taken("from:okaf|")).toEqual(["from:me "]);
    expect(taken('dm:"Amara Okafor",<|')).toEqual(['dm:"Amara Okafor","<img src=x>" ']);
    expect(taken('dm:"Amara Okafor",|')).toHaveLength(4);
  });

  test("of an operand with a few choices are those", () => {
    expect(taken("has:|")).toEqual(["has:link ", "has:attachment "]);
    expect(taken("lunch -is:u|")).toEqual(["lunch -is:unread "]);
    expect(taken("near:1|")).toEqual([]);
  });

  test("take the place of the whole word that the caret is in", () => {
    expect(taken("unr|ead lunch")).toEqual(["is:unread lunch"]);
    expect(suggestions("lunch |")[0]?.from).toBe(6);
  });
});
