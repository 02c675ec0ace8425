import { afterAll, expect, test } from "bun:test";
import { type Message, slackImports } from "../support/archives/slack-import";

const { remove, imported } = slackImports();
afterAll(remove);

const person = (id: string, name: string, email: string | undefined, more: object = {}) => ({
  id,
  name,
  is_primary_owner: id === "U1",
  is_owner: id === "U1",
  team_id: "T1",
  profile: { real_name: name, email },
  ...more,
});

test("a name with a line separator keeps its letters", async () => {
  const { person: named } = await imported({
    "users.json": [person("U1", "Ann\u2028Baker", "ann@example.com")],
  });
  const { members } = (await named("ann")?.get("/users"))?.body ?? {};
  expect((members as Message[]).map((one) => one["full_name"])).toContain("Ann Baker");
});

test("an address of several people belongs to the one who signs in, and the report names who has none", async () => {
  const [guest, gone, elsewhere] = [{ is_restricted: true }, { deleted: true }, { team_id: "T2" }];
  const {
    world,
    told,
    person: named,
  } = await imported({
    "users.json": [
      person("U1", "Ann", "ann@example.com"),
      // Somebody left as a guest and came back as one, with a new account.
      person("U2", "Ben before", "ben@example.com", { ...guest, ...gone }),
      person("U3", "Ben", "Ben@example.com", guest),
      // Somebody left as a member and came back as a guest.
      person("U4", "Dot before", "dot@example.com", gone),
      person("U5", "Dot", "dot@example.com", guest),
      // Somebody is a guest, and is in a channel that is shared with their own workspace.
      person("U6", "Eve elsewhere", "eve@example.com", elsewhere),
      person("U7", "Eve", "eve@example.com", guest),
      person("U8", "Fay", undefined),
      person("U9", "Gus", "güs@example.com"),
      person("U10", "Hal before", undefined, gone),
    ],
  });
  const { members } = (await named("ann")?.get("/users"))?.body ?? {};
  const addresses = (members as Message[]).map((one) => [one["full_name"], one["delivery_email"]]);
  const ofNobody = expect.stringMatching(/^imported-\d+@/);
  expect(Object.fromEntries(addresses)).toMatchObject({
    Ben: "Ben@example.com",
    Dot: "dot@example.com",
    Eve: "eve@example.com",
    "Ben before": ofNobody,
    "Dot before": ofNobody,
    "Eve elsewhere": ofNobody,
    Fay: ofNobody,
    Gus: ofNobody,
    "Hal before": ofNobody,
  });
  const without = told.filter(({ why }) => /address/.test(why) && !/files/.test(why));
  expect(without.filter(({ what }) => what === "users.json").map(({ which }) => which)).toEqual([
    "U8",
    "U9",
    "U2",
    "U4",
    "U6",
  ]);
  await world.close();
});
