import { expect } from "bun:test";
import type { NarrowTerm } from "../../../src/messages/narrow/narrow";
import { search as searchWords } from "../../../src/web/words/en/search";
import { upload } from "../../support/files";
import { staticPng } from "../../support/pictures";
import type { Person } from "../../support/world";
import { browserTest, stage } from "../browser";
import { eventually } from "../waiting";

/* Each operator that the server knows finds its messages in the client, with the words marked. */

const on = stage({ web_public_streams_enabled: "true" });
const slowMilliseconds = 120_000;

type OperandsOf<Operator extends NarrowTerm["operator"]> = Extract<
  NarrowTerm,
  { operator: Operator }
>["operand"];
type Open = Exclude<NarrowTerm["operator"], "is" | "has" | "in" | "channels" | "search">;

/**
 * Conditions by the forms in which a search has them: one that the server gets has to stand here.
 */
type Form =
  | `is:${OperandsOf<"is">}`
  | `has:${OperandsOf<"has">}`
  | `in:${OperandsOf<"in">}`
  | `channels:${OperandsOf<"channels">}`
  | `${Open}:`;

/** An operand, where one follows, and first words of the messages that are found. */
type Searched = readonly [operand: string, found: readonly string[]];

async function makeChannel(name: string, flags: object = {}): Promise<number> {
  const { olga, alice, bob, carol } = on.world;
  const { status } = await olga.post("/users/me/subscriptions", {
    subscriptions: [{ name }],
    principals: [alice.id, bob.id, carol.id],
    announce: false,
    ...flags,
  });
  expect(status).toBe(200);
  return (await olga.get("/get_stream_id", { stream: name })).body.stream_id;
}

const done = async (answer: ReturnType<Person["post"]>) => expect((await answer).status).toBe(200);

/** Messages of all kinds, each with the word “turnip”; answers what each search of bob's finds. */
async function setMessages(): Promise<Record<Form, Searched>> {
  const { alice, bob, carol, olga } = on.world;
  expect((await olga.patch("/realm", { enable_spectator_access: true })).status).toBe(200);
  const kitchen = await makeChannel("kitchen");
  const shed = await makeChannel("shed");
  await makeChannel("window", { is_web_public: true });
  await makeChannel("cupboard", { invite_only: true });
  await done(bob.post("/users/me/alert_words", { alert_words: ["radish"] }));
  for (const [topic, policy] of [
    ["followed", 3],
    ["quiet", 1],
  ])
    await done(bob.post("/user_topics", { stream_id: kitchen, topic, visibility_policy: policy }));
  const picture = await upload(alice, "turnip.png", staticPng);
  const list = await upload(alice, "list.txt", "turnip, leek");
  const say = (topic: string, text: string) => alice.say("kitchen", topic, text);
  const plain = await say("soup", "plain turnip");
  await say("soup", "turnip at https://example.com/");
  await say("soup", `turnip drawn: [a picture](${picture})`);
  await say("soup", `turnip listed: [a list](${list})`);
  const liked = await say("soup", "liked turnip");
  const kept = await say("soup", "kept turnip");
  await say("soup", "turnip for @**Carol**");
  await say("soup", "radish and turnip");
  await say("followed", "followed turnip");
  // People who are mentioned in a topic follow it.
  await say("followed", "turnip for @**Bob**");
  await say("quiet", "quiet turnip");
  await say("✔ stew", "cooked turnip");
  await olga.say("shed", "tools", "turnip fork");
  await alice.say("window", "view", "turnip in sight");
  await alice.say("cupboard", "jars", "hidden turnip");
  const told = await carol.tell([bob], "told turnip");
  await carol.tell([bob, alice], "shared turnip");
  await done(bob.post(`/messages/${liked}/reactions`, { emoji_name: "tada" }));
  await done(bob.post("/messages/flags", { messages: [kept], op: "add", flag: "starred" }));
  expect((await olga.delete(`/streams/${shed}`)).status).toBe(200);
  await done(bob.post("/mark_all_as_read"));
  await alice.say("kitchen", "soup", "new turnip");
  return foundBy({ plain, told });
}

const soup = [
  "plain turnip",
  "turnip at",
  "turnip drawn",
  "turnip listed",
  "liked turnip",
  "kept turnip",
  "turnip for @Carol",
  "radish and turnip",
];
const followed = ["followed turnip", "turnip for @Bob"];
const kitchen = [...soup, ...followed, "quiet turnip", "cooked turnip"];
const direct = ["told turnip", "shared turnip"];

function foundBy({ plain, told }: { plain: number; told: number }): Record<Form, Searched> {
  const isNew = "new turnip";
  const open = [...kitchen, "turnip fork", "turnip in sight"];
  const seen = [...open, "hidden turnip", ...direct, isNew];
  return {
    // It comes first, because a message that is seen is unread no more.
    "is:unread": ["", [isNew]],
    "channel:": ["kitchen", [...kitchen, isNew]],
    "channels:public": ["", [...open, isNew]],
    "channels:web-public": ["", ["turnip in sight"]],
    "channels:archived": ["", ["turnip fork"]],
    "topic:": ["soup", [...soup, isNew]],
    "dm:": ["carol", ["told turnip"]],
    "dm-including:": ["carol", direct],
    "sender:": ["carol", direct],
    "mentions:": ["carol", ["turnip for @Carol"]],
    "id:": [String(plain), ["plain turnip"]],
    "with:": [String(told), ["told turnip"]],
    "near:": [String(plain), seen],
    "is:dm": ["", direct],
    "is:starred": ["", ["kept turnip"]],
    "is:mentioned": ["", ["turnip for @Bob"]],
    "is:alerted": ["", ["radish and turnip"]],
    "is:resolved": ["", ["cooked turnip"]],
    "is:followed": ["", followed],
    "is:muted": ["", ["quiet turnip"]],
    "has:link": ["", ["turnip at", "turnip drawn", "turnip listed"]],
    "has:image": ["", ["turnip drawn"]],
    "has:attachment": ["", ["turnip drawn", "turnip listed"]],
    "has:reaction": ["", ["liked turnip"]],
    "in:home": ["", seen.filter((text) => text !== "quiet turnip")],
    "in:all": ["", seen],
  };
}

browserTest(
  "each operator that the server knows is offered, and finds its messages with the words marked",
  async () => {
    const expected = await setMessages();
    expect(Object.keys(expected).sort()).toEqual(Object.keys(searchWords.operators).sort());
    const page = await on.open(on.world.bob, "#inbox");
    await page.keyboard.press("/");
    const field = page.getByRole("combobox", { name: searchWords.field });
    for (const [form, [operand, found]] of Object.entries(expected)) {
      await field.fill(`${form}${operand} turnip`);
      await page.keyboard.press("Enter");
      await eventually(async () => {
        const hits = await page.locator(".feed .rendered").evaluateAll((texts) =>
          texts.map((text) => ({
            text: text.textContent?.trim() ?? "",
            isMarked: text.querySelector(".highlight")?.textContent === "turnip",
          })),
        );
        const starts = hits.map(
          ({ text }) => found.find((start) => text.startsWith(start)) ?? text,
        );
        expect([form, starts]).toEqual([form, [...found]]);
        expect([form, hits.every(({ isMarked }) => isMarked)]).toEqual([form, true]);
      });
    }
  },
  slowMilliseconds,
);
