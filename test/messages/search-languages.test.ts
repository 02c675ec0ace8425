import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { stemIn, stemmedLanguages } from "../../src/messages/search/stems";
import { repairIndex } from "../../src/moving/check/repair";
import { languageCodes } from "../../src/realm/settings";
import { makeWorld, type Person, type World } from "../support/world";

/* A search finds words in the forms of the organization's language. */

test("Each language with rules is one that an organization may have, and its rules are there", () => {
  expect(languageCodes).toEqual(expect.arrayContaining([...stemmedLanguages]));
  const loaded = stemmedLanguages.filter((code) => stemIn(code)?.("x") === "x");
  expect(loaded).toEqual([...stemmedLanguages]);
  for (const code of ["en", "en-gb", "ja", "constructor", ""]) expect(stemIn(code)).toBeUndefined();
});

test.each([
  ["de", "Häuser haus hauser Hauses"],
  ["fr", "chevaux cheval Cheval"],
  ["es", "corriendo correr corrían"],
  ["it", "messaggi messaggio"],
  ["pt-br", "amigos amigo AMIGA"],
  ["nl", "vergaderingen vergadering"],
  ["sv", "flickornas flicka flickorna"],
  ["ru", "книги книга книгой"],
  ["tr", "evler evlerde EVLERDE"],
])("In %s a word has one stem in all of its forms", (language, forms) => {
  const stem = stemIn(language);
  const [first = "", ...others] = forms.split(" ").map((form) => stem?.(form));
  expect(first).not.toBe("");
  expect(others.filter((other) => other !== first)).toEqual([]);
});

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

interface Found {
  id: number;
  match_content: string;
  match_subject: string;
}

async function find(person: Person, words: string, ...narrow: unknown[]): Promise<Found[]> {
  const terms = [["search", words], ...narrow];
  const asked = { anchor: "newest", num_before: 50, num_after: 0, narrow: terms };
  const { status, body } = await person.get("/messages", asked);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.messages;
}

const idsOf = async (person: Person, words: string, ...narrow: unknown[]) =>
  (await find(person, words, ...narrow)).map(({ id }) => id);

const mark = (word: string) => `<span class="highlight">${word}</span>`;
const speak = async (language: string) => {
  const { status } = await world.olga.patch("/realm", { default_language: language });
  expect(status).toBe(200);
};

describe("In an organization whose language is German", () => {
  test("words are found, and marked, in all of their forms, also without their accents", async () => {
    await speak("de");
    const { alice, bob } = world;
    const houses = await alice.say("general", "Die Aufgaben", "Zwei <b>Häuser</b> am Markt");
    const house = await bob.say("general", "Aufgabe", "Das Dach des Hauses");
    const other = await bob.say("general", "Aufgabe", "Ein Hausmeister kommt");
    for (const words of ["Haus", "häuser", "HAUSER"])
      expect(await idsOf(alice, words)).toEqual([houses, house]);
    expect(await idsOf(alice, "aufgabe")).toEqual([houses, house, other]);
    expect(await idsOf(alice, "Hauses Märkte")).toEqual([houses]);
    expect(await find(alice, "haus", ["id", houses])).toMatchObject([
      { match_content: `<p>Zwei &lt;b&gt;${mark("Häuser")}&lt;/b&gt; am Markt</p>` },
    ]);
    expect(await find(alice, "aufgabe", ["id", houses])).toMatchObject([
      { match_subject: `Die ${mark("Aufgaben")}` },
    ]);
    const matched = await alice.get("/messages/matches_narrow", {
      msg_ids: [houses, house, other],
      narrow: [["search", "Haus"]],
    });
    expect(Object.keys(matched.body.messages)).toEqual([String(houses), String(house)]);
  });

  test("words in quotation marks are found as they are, and so are words of other languages", async () => {
    await speak("de");
    const { alice } = world;
    const houses = await alice.say("general", "t", "Häuser, edited");
    expect(await idsOf(alice, '"Haus"')).toEqual([]);
    expect(await idsOf(alice, '"Häuser edited"')).toEqual([houses]);
    expect(await idsOf(alice, "editing")).toEqual([houses]);
  });

  test("a message in long HTML is found like a short one", async () => {
    await speak("de");
    const { alice } = world;
    const long = await alice.say("general", "t", `${"**Wort** ".repeat(900)} Häuser`);
    const ids = await Promise.all(
      Array.from({ length: 3 }, () => alice.say("general", "t", "Wort ".repeat(1_800))),
    );
    expect(await idsOf(alice, "haus")).toEqual([long]);
    expect((await idsOf(alice, "worte")).length).toBe(ids.length + 1);
  });
});

test("Messages from before the organization had its language are found by it after a repair, and as they were typed all the time", async () => {
  const { alice, app } = world;
  const before = await alice.say("general", "t", "Häuser");
  expect(await idsOf(alice, "haus")).toEqual([]);
  await speak("de");
  const after = await alice.say("general", "t", "Häuser");
  expect(await idsOf(alice, "häuser")).toEqual([before, after]);
  expect(await idsOf(alice, "haus")).toEqual([after]);
  await repairIndex(app);
  expect(await idsOf(alice, "haus")).toEqual([before, after]);
  await speak("en");
  expect(await idsOf(alice, "häuser")).toEqual([before, after]);
});
