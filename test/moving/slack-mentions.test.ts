import { afterAll, expect, test } from "bun:test";
import { type Message, readAll, slackImports } from "../support/archives/slack-import";

const { remove, imported } = slackImports();
afterAll(remove);

const person = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  profile: { real_name: name, email: `${name.toLowerCase()}@example.com` },
  ...more,
});

const channel = (id: string, name: string, members: string[]) => ({
  id,
  name,
  created: 1_599_000_000,
  creator: "U1",
  members,
});

let second = 1_600_081_200;
const says = (text: string) => ({ type: "message", user: "U1", ts: `${second++}.000100`, text });

test("people are mentioned in imported messages that they have received or may read", async () => {
  const { world, person: named } = await imported({
    "users.json": [
      person("U1", "Ann", { is_primary_owner: true, is_owner: true }),
      person("U2", "Ben"),
      person("U3", "Cid"),
      person("U4", "Dot", { is_restricted: true }),
      person("U5", "Eve", { deleted: true }),
    ],
    "channels.json": [channel("C1", "general", ["U1", "U2", "U5"])],
    "groups.json": [channel("G1", "cellar", ["U1", "U2"])],
    "mpims.json": [],
    "dms.json": [{ id: "D1", created: 1_599_000_000, members: ["U1", "U2"] }],
    "general/2020-09-14.json": [
      says("names <@U2> <@U3> <@U4> <@U5>"),
      says("everybody <!channel>"),
      says("&gt; quoted <@U2>"),
      says(`${"word ".repeat(2_100)}\nlate <@U3>`),
    ],
    "general/2020-09-15.json": [],
    "general/2020-09-16.json": [],
    "cellar/2020-09-14.json": [says("privately <@U2> <@U3> <!here>")],
    "old-stuff/2019-01-01.json": [],
    "mpdm-ann--ben--dot-1/2020-09-15.json": [],
    "elsewhere/2020-09-16.json": [],
    "D1/2020-09-15.json": [says("directly <@U2>"), says("to both <!here>")],
    "D2/2020-09-15.json": [],
  });
  const mentioning = async (name: string) => {
    const page = { anchor: "oldest", num_before: 0, num_after: 100, apply_markdown: false };
    const narrow = [{ operator: "is", operand: "mentioned" }];
    const { messages } = (await named(name)?.get("/messages", { ...page, narrow }))?.body ?? {};
    return (messages as Message[]).map(({ content, flags }) => [
      String(content).split("\n").at(-1)?.split(" ")[0],
      (flags as string[]).filter((flag) => flag !== "read").toSorted(),
    ]);
  };
  const toAll = ["stream_wildcard_mentioned", "wildcard_mentioned"];
  expect(await mentioning("ann")).toEqual([
    ["everybody", toAll],
    ["privately", toAll],
    ["to", toAll],
  ]);
  expect(await mentioning("ben")).toEqual([
    ["names", ["mentioned"]],
    ["everybody", toAll],
    ["privately", ["mentioned", ...toAll]],
    ["directly", ["mentioned"]],
    ["to", toAll],
  ]);
  // Cid reads the public channel without being subscribed, and Dot, a guest, does not.
  expect(await mentioning("cid")).toEqual([
    ["names", ["mentioned"]],
    ["late", ["mentioned"]],
  ]);
  expect(await mentioning("dot")).toEqual([]);
  const unread = (await named("ben")?.register())?.state["unread_msgs"];
  expect(unread).toMatchObject({ count: 0, mentions: [] });
  expect((await readAll(named("ben"))).length).toBeGreaterThan(6);
  await world.close();
});
