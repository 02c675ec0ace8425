import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { updateRealmSettingsIn } from "../../src/management/organization/change-settings";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

/** Makes a channel of all but otto, that alice administers, and answers its id. */
async function makeCrew(parameters = {}): Promise<number> {
  const { alice, bob, carol, mona, adam, greta, robot } = world;
  const principals = [alice, bob, carol, mona, adam, greta, robot].map(({ id }) => id);
  await alice.post("/users/me/subscriptions", {
    subscriptions: [{ name: "crew" }],
    principals,
    ...parameters,
  });
  return (await alice.get("/get_stream_id", { stream: "crew" })).body.stream_id;
}

async function groupId(name: string): Promise<number> {
  const { body } = await world.olga.get("/user_groups");
  return body.user_groups.find((group: { name: string }) => group.name === name).id;
}

const send = async (person: Person, topic: string, to: string | number = "crew") =>
  (await person.post("/messages", { type: "channel", to, topic, content: "hello" })).status === 200;

const setRealm = (changes: Record<string, unknown>) =>
  write(world.operator, (tx) => updateRealmSettingsIn(tx, world.operator, changes));

describe("who may post", () => {
  test("Only who holds can_send_message_group sends, whatever their role, and the bots of those", async () => {
    const { alice, bob, mona, adam, greta, robot, otto } = world;
    const id = await makeCrew();
    const everybody = [alice, bob, mona, adam, greta, robot, otto];
    const sends = async () => Promise.all(everybody.map((person) => send(person, "t")));
    expect(await sends()).toEqual([true, true, true, true, true, true, true]);
    const allow = async (value: unknown) => {
      const { status } = await alice.patch(`/streams/${id}`, {
        can_send_message_group: { new: value },
      });
      expect(status).toBe(200);
    };
    await allow(await groupId("role:moderators"));
    expect(await sends()).toEqual([false, false, true, true, false, false, false]);
    await allow({ direct_members: [alice.id, greta.id], direct_subgroups: [] });
    // robot is alice's.
    expect(await sends()).toEqual([true, false, false, false, true, true, false]);
    await allow(await groupId("role:nobody"));
    expect(await sends()).toEqual([false, false, false, false, false, false, false]);
    await allow(await groupId("role:everyone"));
    expect(await sends()).toEqual([true, true, true, true, true, true, true]);
  });

  test("A group within a group grants it, and leaving the group ends it", async () => {
    const { alice, bob, carol } = world;
    const id = await makeCrew();
    const group = async (name: string, members: Person[], subgroups: number[] = []) => {
      const ids = members.map((one) => one.id);
      const { body } = await alice.post("/user_groups/create", {
        name,
        description: "",
        members: ids,
        subgroups,
      });
      return body.group_id;
    };
    const inner = await group("inner", [bob]);
    const outer = await group("outer", [carol], [inner]);
    await alice.patch(`/streams/${id}`, { can_send_message_group: { new: outer } });
    expect([await send(bob, "t"), await send(carol, "t"), await send(alice, "t")]).toEqual([
      true,
      true,
      false,
    ]);
    await alice.post(`/user_groups/${inner}/members`, { delete: [bob.id] });
    expect([await send(bob, "t"), await send(carol, "t")]).toEqual([false, true]);
  });

  test("Who may not begin topics answers in those that are there", async () => {
    const { alice, bob, mona } = world;
    const id = await makeCrew();
    await alice.patch(`/streams/${id}`, {
      can_create_topic_group: { new: await groupId("role:moderators") },
    });
    expect([await send(bob, "plans"), await send(mona, "Plans"), await send(bob, "plans")]).toEqual(
      [false, true, true],
    );
    expect(await send(alice, "other")).toBe(false);
    expect(await send(bob, "channel events")).toBe(true);
  });
});

describe("topics policy", () => {
  test("A channel follows the organization unless it has a policy of its own", async () => {
    const { alice, bob, olga } = world;
    const id = await makeCrew();
    expect(await send(bob, "")).toBe(true);
    await setRealm({ topics_policy: "disable_empty_topic" });
    expect([await send(bob, ""), await send(bob, "general chat"), await send(bob, "t")]).toEqual([
      false,
      false,
      true,
    ]);
    await alice.patch(`/streams/${id}`, { topics_policy: "allow_empty_topic" });
    expect(await send(bob, "")).toBe(true);
    await setRealm({ topics_policy: "allow_empty_topic" });
    await alice.patch(`/streams/${id}`, { topics_policy: "disable_empty_topic" });
    expect([await send(olga, ""), await send(bob, "(no topic)")]).toEqual([false, false]);
  });

  test("In a channel without topics everything is in the empty one", async () => {
    const { alice, bob } = world;
    const id = await makeCrew({ topics_policy: "empty_topic_only" });
    expect([await send(bob, "t"), await send(bob, ""), await send(alice, "general chat")]).toEqual([
      false,
      true,
      true,
    ]);
    const { body } = await alice.patch(`/streams/${id}`, { topics_policy: "inherit" });
    expect(body.result).toBe("success");
    await send(bob, "t");
    const back = await alice.patch(`/streams/${id}`, { topics_policy: "empty_topic_only" });
    expect(back.body.code).toBe("BAD_REQUEST");
  });
});
