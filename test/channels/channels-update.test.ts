import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { updateRealmSettingsIn } from "../../src/management/organization/change-settings";
import type { Queue, WireEvent } from "../support/client";
import { verify, verifyInTurn } from "../support/client-state/verify";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

/** Makes a channel with these subscribers, the first of whom asks for it, and answers its id. */
async function make(name: string, people: [Person, ...Person[]], parameters = {}): Promise<number> {
  const principals = people.map(({ id }) => id);
  const answer = await people[0].post("/users/me/subscriptions", {
    subscriptions: [{ name, description: "about it" }],
    principals,
    ...parameters,
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return (await people[0].get("/get_stream_id", { stream: name })).body.stream_id;
}

const patch = (person: Person, id: number, parameters: Record<string, unknown>) =>
  person.patch(`/streams/${id}`, parameters);

async function get(person: Person, id: number) {
  return (await person.get(`/streams/${id}`)).body.stream;
}

async function outcome(person: Person, id: number, parameters: Record<string, unknown>) {
  const { status, body } = await patch(person, id, parameters);
  return status === 200 ? "ok" : body.code;
}

async function groupId(name: string): Promise<number> {
  const { body } = await world.olga.get("/user_groups");
  return body.user_groups.find((group: { name: string }) => group.name === name).id;
}

const listen = (...people: Person[]) =>
  Promise.all(people.map((one) => one.register({ event_types: ["stream"] })));

const told = async (queue: Queue | undefined) =>
  ((await queue?.events()) ?? []).map(({ op, property, value, streams }: WireEvent) =>
    op === "update" ? [property, value] : [op, streams[0].stream_id],
  );

describe("PATCH /streams/{id}", () => {
  test("What a client makes of the events is what a new register gives, whatever is changed", async () => {
    const { alice, bob, greta, olga } = world;
    const verifyNext = verifyInTurn(world);
    const id = await make("crew", [alice, bob, greta]);
    const members = await groupId("role:members");
    const changes: [Person, Record<string, unknown>][] = [
      [alice, { new_name: "The crew" }],
      [alice, { description: "who *we* are" }],
      [alice, { topics_policy: "disable_empty_topic" }],
      [olga, { message_retention_days: 12 }],
      [olga, { message_retention_days: '"unlimited"' }],
      [
        alice,
        { can_send_message_group: { new: { direct_members: [alice.id], direct_subgroups: [] } } },
      ],
      [
        alice,
        {
          can_send_message_group: { new: members },
          can_remove_subscribers_group: { new: members },
        },
      ],
      [alice, { can_create_topic_group: { new: members } }],
      [alice, { is_private: true, history_public_to_subscribers: true }],
      [
        alice,
        { can_subscribe_group: { new: { direct_members: [world.otto.id], direct_subgroups: [] } } },
      ],
      [alice, { can_subscribe_group: { new: members } }],
      [alice, { can_subscribe_group: { new: { direct_members: [], direct_subgroups: [] } } }],
      [
        alice,
        {
          can_create_topic_group: { new: await groupId("role:everyone") },
          history_public_to_subscribers: false,
        },
      ],
      [alice, { is_private: false }],
      [olga, { is_default_stream: true }],
    ];
    for (const [person, change] of changes) {
      await verifyNext(async () =>
        expect((await patch(person, id, change)).body).toMatchObject({ msg: "" }),
      );
    }
  });

  test("Each property is told to those who may know the channel, and read back", async () => {
    const { alice, bob, carol, greta, otto, adam } = world;
    const id = await make("crew", [alice, bob, greta], { invite_only: true });
    const [toBob, toGreta, toAdam, toCarol, toOtto] = await listen(bob, greta, adam, carol, otto);
    const { body } = await patch(alice, id, { new_name: " Crew 2 ", description: "one\ntwo" });
    expect(body).toEqual({ result: "success", msg: "" });
    const expected = [
      ["name", "Crew 2"],
      ["description", "one two"],
    ];
    for (const queue of [toBob, toGreta, toAdam]) expect(await told(queue)).toEqual(expected);
    for (const queue of [toCarol, toOtto]) expect(await told(queue)).toEqual([]);
    expect(await get(bob, id)).toMatchObject({
      name: "Crew 2",
      rendered_description: "<p>one two</p>",
    });
  });

  test("A permission is given to a group or to people, and `old` must be what it is", async () => {
    const { alice, bob } = world;
    const id = await make("crew", [alice, bob]);
    const [queue] = await listen(bob);
    const [everyone, moderators] = [
      await groupId("role:everyone"),
      await groupId("role:moderators"),
    ];
    expect(
      await outcome(alice, id, { can_send_message_group: { new: moderators, old: everyone } }),
    ).toBe("ok");
    expect(await told(queue)).toEqual([
      ["can_send_message_group", moderators],
      ["stream_post_policy", 4],
      ["is_announcement_only", false],
    ]);
    expect(
      await outcome(alice, id, { can_send_message_group: { new: everyone, old: everyone } }),
    ).toBe("EXPECTATION_MISMATCH");
    const people = { direct_members: [bob.id], direct_subgroups: [moderators] };
    expect(
      await outcome(alice, id, { can_send_message_group: { new: people, old: moderators } }),
    ).toBe("ok");
    expect(await get(bob, id)).toMatchObject({
      can_send_message_group: people,
      stream_post_policy: 1,
    });
    const refused = [
      99_999_999,
      await groupId("role:internet"),
      "junk",
      { direct_members: [99_999_999], direct_subgroups: [] },
      { direct_members: [world.zoe.id], direct_subgroups: [] },
      null,
      [],
      {},
    ];
    for (const value of refused) {
      expect(await outcome(alice, id, { can_send_message_group: { new: value } })).toBe(
        "BAD_REQUEST",
      );
    }
    expect(await outcome(alice, id, { can_send_message_group: moderators })).toBe("BAD_REQUEST");
    expect(await get(bob, id)).toMatchObject({ can_send_message_group: people });
  });

  test("D8: who does not administer a channel changes nothing of it, by whatever parameter", async () => {
    const { alice, bob, mona, greta, otto, robot, olga } = world;
    const id = await make("crew", [alice, bob, greta]);
    const before = await get(alice, id);
    const members = await groupId("role:members");
    const settings = Object.keys(before).filter((name) => name.endsWith("_group"));
    const changes: Record<string, unknown>[] = [
      { new_name: "mine" },
      { description: "x" },
      { is_private: true },
      { is_private: true, description: "x" },
      { history_public_to_subscribers: true },
      { topics_policy: "allow_empty_topic" },
      { is_archived: true },
      ...settings.map((name) => ({ [name]: { new: members } })),
    ];
    const queue = await alice.register();
    for (const change of changes) {
      for (const person of [bob, mona, greta, otto, robot]) {
        expect([change, await outcome(person, id, change)]).toEqual([change, "BAD_REQUEST"]);
      }
    }
    for (const person of [bob, mona, otto, alice]) {
      expect(await outcome(person, id, { is_default_stream: true })).toBe("BAD_REQUEST");
      expect(await outcome(person, id, { message_retention_days: 3 })).toBe(
        person === alice ? "UNAUTHORIZED_PRINCIPAL" : "BAD_REQUEST",
      );
      expect((await person.post("/default_streams", { stream_id: id })).body.code).toBe(
        "UNAUTHORIZED_PRINCIPAL",
      );
      expect((await person.delete("/default_streams", { stream_id: id })).body.code).toBe(
        "UNAUTHORIZED_PRINCIPAL",
      );
    }
    expect(
      (await world.adam.patch(`/streams/${id}`, { message_retention_days: 3 })).body.code,
    ).toBe("UNAUTHORIZED_PRINCIPAL");
    expect(await queue.events()).toEqual([]);
    expect(await get(alice, id)).toEqual(before);
    expect(await outcome(olga, id, { message_retention_days: 3 })).toBe("ok");
  });

  test("What takes more than to administer a channel goes by the organization's permissions", async () => {
    const { alice, operator, realm } = world;
    const id = await make("crew", [alice]);
    const nobody = {
      can_set_topics_policy_group: "role:nobody",
      can_set_delete_message_policy_group: "role:nobody",
    };
    const everyone = await groupId("role:everyone");
    await write(operator, (tx) => updateRealmSettingsIn(tx, { ...operator, realm }, nobody));
    expect(await outcome(alice, id, { topics_policy: "disable_empty_topic" })).toBe("BAD_REQUEST");
    expect(await outcome(alice, id, { can_delete_own_message_group: { new: everyone } })).toBe(
      "BAD_REQUEST",
    );
    expect(await outcome(alice, id, { can_delete_any_message_group: { new: everyone } })).toBe(
      "BAD_REQUEST",
    );
    const make2 = (parameters: object) =>
      alice.post("/users/me/subscriptions", { subscriptions: [{ name: "other" }], ...parameters });
    expect((await make2({ topics_policy: "disable_empty_topic" })).body.code).toBe("BAD_REQUEST");
    expect((await make2({ can_delete_any_message_group: everyone })).body.code).toBe("BAD_REQUEST");
    expect((await make2({ message_retention_days: 7 })).body.code).toBe("UNAUTHORIZED_PRINCIPAL");
    expect((await alice.get("/get_stream_id", { stream: "other" })).status).toBe(400);
    expect(await outcome(alice, id, { can_resolve_topics_group: { new: everyone } })).toBe("ok");
  });

  test("What does not go together is refused", async () => {
    const { alice, olga, channels } = world;
    const id = await make("crew", [alice, olga]);
    const members = await groupId("role:members");
    const refused: [Person, number, Record<string, unknown>][] = [
      [alice, id, { new_name: "crew" }],
      [alice, id, { new_name: "GENERAL" }],
      [alice, id, { new_name: "  " }],
      [alice, id, { new_name: "a\u0007b" }],
      [alice, id, { description: "d".repeat(1025) }],
      [alice, id, { history_public_to_subscribers: false }],
      [alice, id, { is_private: false, history_public_to_subscribers: false }],
      [alice, id, { is_web_public: true }],
      [alice, id, { folder_id: 3 }],
      [alice, id, { topics_policy: "sometimes" }],
      [alice, id, { topics_policy: "empty_topic_only" }],
      [
        alice,
        id,
        {
          can_create_topic_group: { new: members },
          is_private: true,
          history_public_to_subscribers: false,
        },
      ],
      [olga, id, { is_private: true, is_default_stream: true }],
      [olga, channels.secret, { is_default_stream: true }],
      [alice, 99_999_999, { description: "x" }],
    ];
    for (const [person, channel, change] of refused) {
      expect([change, await outcome(person, channel, change)]).toEqual([change, "BAD_REQUEST"]);
    }
    for (const bad_value of [-3, 0, 2 ** 31]) {
      expect((await patch(olga, id, { message_retention_days: bad_value })).body).toMatchObject({
        code: "REQUEST_VARIABLE_INVALID",
        var_name: "message_retention_days",
        bad_value,
      });
    }
    expect(await get(alice, id)).toMatchObject({
      name: "crew",
      description: "about it",
      invite_only: false,
    });
    expect(await outcome(alice, id, { folder_id: null })).toBe("ok");
    expect(await outcome(alice, id, {})).toBe("ok");
  });

  test("A channel without topics is one whose messages are all in the empty topic, and its notices go there", async () => {
    const { alice, bob } = world;
    const id = await make("crew", [alice, bob], { topics_policy: "empty_topic_only" });
    await patch(alice, id, { description: "no topics" });
    const { body } = await bob.get(`/users/me/${id}/topics`, { allow_empty_topic_name: true });
    expect(body.topics).toHaveLength(1);
    expect(body.topics[0].name).toBe("");
  });
});

describe("privacy", () => {
  test("Who loses a channel that becomes private is told that it is gone, who gains it when it becomes public gets it", async () => {
    const { alice, bob, otto, adam, greta } = world;
    const id = await make("crew", [alice, bob]);
    const [toBob, toOtto, toAdam, toGreta] = await listen(bob, otto, adam, greta);
    await patch(alice, id, { is_private: true });
    expect(await told(toBob)).toEqual([["invite_only", true]]);
    expect(await told(toAdam)).toEqual([["invite_only", true]]);
    expect(await told(toOtto)).toEqual([["delete", id]]);
    expect((await otto.get(`/streams/${id}`)).body.code).toBe("BAD_REQUEST");
    await patch(alice, id, { is_private: false });
    expect(await told(toOtto)).toEqual([["create", id]]);
    expect(await told(toBob)).toEqual([["invite_only", false]]);
    expect(await told(toGreta)).toEqual([]);
    expect((await otto.get(`/streams/${id}/members`)).body.subscribers).toEqual([alice.id, bob.id]);
  });

  test("Access to messages follows at once", async () => {
    const { alice, bob, otto } = world;
    const id = await make("crew", [alice, bob]);
    const message = await alice.say("crew", "t", "hello");
    const reads = async (person: Person) =>
      (await person.get(`/messages/${message}`)).status === 200;
    expect(await reads(otto)).toBe(true);
    await patch(alice, id, { is_private: true, history_public_to_subscribers: false });
    expect([await reads(otto), await reads(bob)]).toEqual([false, true]);
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "crew" }],
      principals: [otto.id],
    });
    expect(await reads(otto)).toBe(false);
    await patch(alice, id, { history_public_to_subscribers: true });
    expect(await reads(otto)).toBe(true);
  });

  test("A public channel that becomes private keeps its history from whoever comes later, unless the request says otherwise", async () => {
    const { alice, bob, otto } = world;
    const id = await make("crew", [alice, bob]);
    const message = await alice.say("crew", "t", "before it was private");
    const reads = async (person: Person) =>
      (await person.get(`/messages/${message}`)).status === 200;
    const shares = async () => (await get(alice, id)).history_public_to_subscribers;
    const [toBob] = await listen(bob);
    await verify(world, () => patch(alice, id, { is_private: true }));
    const heard = (await toBob?.events())?.map(
      ({ property, value, history_public_to_subscribers: shared }) => ({
        property,
        value,
        shared,
      }),
    );
    expect(heard).toEqual([{ property: "invite_only", value: true, shared: false }]);
    expect(await shares()).toBe(false);
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "crew" }],
      principals: [otto.id],
    });
    expect([await reads(otto), await reads(bob)]).toEqual([false, true]);
    // A history that is private already stays as it was chosen.
    expect(await outcome(alice, id, { history_public_to_subscribers: true })).toBe("ok");
    expect(await outcome(alice, id, { is_private: true, description: "still shared" })).toBe("ok");
    expect([await shares(), await reads(otto)]).toEqual([true, true]);
    await patch(alice, id, { is_private: false });
    await patch(alice, id, { is_private: true, history_public_to_subscribers: true });
    expect(await shares()).toBe(true);
    // Not everybody may begin topics: protected history takes that, so that nobody gets it unasked.
    await patch(alice, id, {
      is_private: false,
      can_create_topic_group: { new: await groupId("role:members") },
    });
    expect(await outcome(alice, id, { is_private: true })).toBe("BAD_REQUEST");
    expect(await get(alice, id)).toMatchObject({
      invite_only: false,
      history_public_to_subscribers: true,
    });
    expect(
      await outcome(alice, id, { is_private: true, history_public_to_subscribers: true }),
    ).toBe("ok");
  });

  test("A19, D8: an administrator's role alone neither opens a private channel nor gives the key away", async () => {
    const { adam, olga, alice, channels } = world;
    const secret = await alice.say("secret", "t", "for us");
    const people = { direct_members: [adam.id], direct_subgroups: [] };
    const sideDoors: Record<string, unknown>[] = [
      { is_private: false },
      { history_public_to_subscribers: true },
      { can_subscribe_group: { new: people } },
      { can_add_subscribers_group: { new: people } },
    ];
    for (const person of [adam, olga]) {
      for (const change of sideDoors)
        expect(await outcome(person, channels.secret, change)).toBe("BAD_REQUEST");
      const join = { subscriptions: [{ name: "secret" }] };
      expect((await person.post("/users/me/subscriptions", join)).status).toBe(400);
      expect((await person.get(`/messages/${secret}`)).status).toBe(400);
      expect((await person.get(`/users/me/${channels.secret}/topics`)).status).toBe(400);
    }
    expect(await outcome(adam, channels.secret, { description: "I may describe it" })).toBe("ok");
    expect(await get(alice, channels.secret)).toMatchObject({
      invite_only: true,
      can_subscribe_group: expect.any(Number),
    });
  });

  test("A19: a grant of the channel lets somebody know it and join it, and ends with it", async () => {
    const { alice, otto, mona, greta } = world;
    const id = await make("crew", [alice], { invite_only: true });
    const [toOtto, toMona, toGreta] = await listen(otto, mona, greta);
    const people = { direct_members: [otto.id, greta.id], direct_subgroups: [] };
    await patch(alice, id, { can_subscribe_group: { new: people } });
    expect(await told(toOtto)).toEqual([["create", id]]);
    expect(await told(toMona)).toEqual([]);
    expect(await told(toGreta)).toEqual([]);
    expect((await otto.get(`/streams/${id}/members`)).body.subscribers).toEqual([alice.id]);
    expect((await otto.get(`/users/me/${id}/topics`)).status).toBe(400);
    await patch(alice, id, { description: "told to otto" });
    expect(await told(toOtto)).toEqual([["description", "told to otto"]]);
    await patch(alice, id, { can_subscribe_group: { new: await groupId("role:nobody") } });
    expect((await told(toOtto)).at(-1)).toEqual(["delete", id]);
    expect(
      (await otto.post("/users/me/subscriptions", { subscriptions: [{ name: "crew" }] })).status,
    ).toBe(400);
    await patch(alice, id, { can_subscribe_group: { new: people } });
    expect(
      (await otto.post("/users/me/subscriptions", { subscriptions: [{ name: "crew" }] })).status,
    ).toBe(200);
    expect(
      (await greta.post("/users/me/subscriptions", { subscriptions: [{ name: "crew" }] })).status,
    ).toBe(400);
  });

  test("Who administers a private channel goes on knowing it after leaving, and hears of what becomes of it", async () => {
    const { alice, bob } = world;
    const verifyNext = verifyInTurn(world);
    const id = await make("crew", [alice, bob], { invite_only: true });
    await verifyNext(() => alice.delete("/users/me/subscriptions", { subscriptions: ["crew"] }));
    expect(await get(alice, id)).toMatchObject({ name: "crew", subscriber_count: 1 });
    await verifyNext(() => patch(alice, id, { description: "still mine" }));
    await verifyNext(() => bob.delete("/users/me/subscriptions", { subscriptions: ["crew"] }));
    expect(
      (await alice.post("/users/me/subscriptions", { subscriptions: [{ name: "crew" }] })).status,
    ).toBe(400);
  });
});
