import { afterEach, beforeEach, expect, test } from "bun:test";
import { inArray } from "drizzle-orm";
import { write } from "../../src/core/write";
import { verify } from "../support/client-state/verify";
import { hear, listen, refusal } from "../support/listening";
import { addManyPeople } from "../support/many-people";
import { startPoll } from "../support/polls";
import { makeWorld, type Person, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const path = "/realm/profile_fields";
const fieldsOnly = { event_types: ["custom_profile_fields", "realm_user"] };
const choices = { a: { text: "Soup", order: "1" }, b: { text: "Bread", order: "2" } };

type Values = Record<string, unknown>;
const create = (name: string, field_type: number, values: Values = {}) =>
  world.adam.post(path, { name, field_type, ...values });
const newField = async (name: string, type: number, values: Values = {}): Promise<number> =>
  (await create(name, type, values)).body.id;
const fieldsOf = async (person: Person) => (await person.get(path)).body.custom_fields;
const tell = (person: Person, id: number, value: unknown) =>
  person.patch("/users/me/profile_data", { data: [{ id, value }] });
const profileOf = async (reader: Person, { id }: Person) =>
  (await reader.get(`/users/${id}`, { include_custom_profile_fields: true })).body.user
    .profile_data;

test("Adam adds, changes, reorders and removes profile fields; everybody of the realm hears of it, nobody else", async () => {
  const { adam, greta, zoe } = world;
  const queues = await listen({ adam, greta, zoe }, { event_types: ["custom_profile_fields"] });
  const first = await newField(" Lunch ", 3, { field_data: choices, hint: "What you like" });
  const second = await newField("Phone", 1, {
    display_in_profile_summary: true,
    use_for_user_matching: true,
  });
  await adam.patch(`${path}/${second}`, { hint: "With area code", required: true });
  await adam.patch(path, { order: [second, first] });
  const common = { editable_by_user: true };
  const lunch = {
    id: first,
    name: "Lunch",
    type: 3,
    hint: "What you like",
    field_data: JSON.stringify(choices),
  };
  const phone = {
    id: second,
    name: "Phone",
    type: 1,
    hint: "With area code",
    field_data: "",
    required: true,
  };
  expect(await fieldsOf(greta)).toEqual([
    {
      ...phone,
      ...common,
      order: 1,
      display_in_profile_summary: true,
      use_for_user_matching: true,
    },
    { ...lunch, ...common, order: 2, required: false },
  ]);
  await adam.delete(`${path}/${first}`);
  expect((await fieldsOf(greta)).map(({ id }: { id: number }) => id)).toEqual([second]);
  const ids = [[first], [first, second], [first, second], [second, first], [second]];
  const heard = await hear(queues, ({ fields }) => fields.map(({ id }: { id: number }) => id));
  expect(heard).toEqual({ adam: ids, greta: ids, zoe: [] });
});

test("Fields that make no sense are refused and nothing is stored", async () => {
  const { adam, zoe } = world;
  const lunch = await newField("Lunch", 3, { field_data: choices });
  await newField("One", 1, { display_in_profile_summary: true });
  await newField("Two", 2, { display_in_profile_summary: true });
  const bad: [string, number, Values?][] = [
    ["", 1],
    ["n".repeat(41), 1],
    ["Lunch", 1],
    ["Other", 0],
    ["Other", 9],
    ["Other", 1, { hint: "h".repeat(81) }],
    ["Other", 1, { field_data: choices }],
    ["Other", 3],
    ["Other", 3, { field_data: {} }],
    ["Other", 3, { field_data: { a: { text: "x" } } }],
    ["Other", 3, { field_data: { a: { text: " ", order: "1" } } }],
    ["Other", 3, { field_data: { ["k".repeat(51)]: { text: "x", order: "1" } } }],
    ["Other", 3, { field_data: { "\ud800": { text: "x", order: "1" } } }],
    ["Other", 3, { field_data: { a: { text: "x", order: "1" }, b: { text: "x", order: "2" } } }],
    ["Other", 7, { field_data: { subtype: "bogus" } }],
    ["Other", 7, { field_data: { subtype: "custom" } }],
    ["Other", 7, { field_data: { subtype: "custom", url_pattern: "javascript:%(username)s" } }],
    ["Other", 7, { field_data: { subtype: "custom", url_pattern: "https://example.com/" } }],
    ["Other", 6, { display_in_profile_summary: true }],
    ["Other", 1, { display_in_profile_summary: true }],
    ["Other", 2, { use_for_user_matching: true }],
  ];
  for (const [name, type, values] of bad) {
    expect([name, type, values, refusal(await create(name, type, values))]).toEqual([
      name,
      type,
      values,
      "400 BAD_REQUEST",
    ]);
  }
  expect(await fieldsOf(adam)).toHaveLength(3);
  for (const order of [[lunch], [lunch, lunch, lunch], [lunch, 1e9, 2]]) {
    expect(refusal(await adam.patch(path, { order }))).toBe("400 BAD_REQUEST");
  }
  const { id } = (await zoe.post(path, { name: "Theirs", field_type: 1 })).body;
  expect(refusal(await adam.delete(`${path}/${id}`))).toBe("400 BAD_REQUEST");
  expect(refusal(await adam.patch(`${path}/${id}`, { name: "Ours" }))).toBe("400 BAD_REQUEST");
});

test("A known external account has its own name, which cannot be changed; a custom one needs an address", async () => {
  const { adam, alice } = world;
  const id = await newField("X", 7, { field_data: { subtype: "github" } });
  expect(await fieldsOf(alice)).toMatchObject([
    { id, name: "GitHub username", field_data: '{"subtype":"github"}' },
  ]);
  expect(refusal(await adam.patch(`${path}/${id}`, { name: "Other" }))).toBe("400 BAD_REQUEST");
  expect((await adam.patch(`${path}/${id}`, { required: true })).status).toBe(200);
  const url_pattern = "https://chat.example.com/%(username)s";
  expect((await create("Chat", 7, { field_data: { subtype: "custom", url_pattern } })).status).toBe(
    200,
  );
});

test("A field has a name, but for an external account that has one of its own", async () => {
  const { adam, bob } = world;
  expect(refusal(await adam.post(path, { field_type: 1 }))).toBe("400 BAD_REQUEST");
  const { status, body } = await adam.post(path, {
    field_type: 7,
    field_data: { subtype: "github" },
  });
  expect(status).toBe(200);
  const common = { hint: "", editable_by_user: true, required: false };
  expect(await fieldsOf(bob)).toMatchObject([
    { id: body.id, name: "GitHub username", type: 7, ...common },
  ]);
});

test("Each type of field takes its own values, shown to those who ask for them", async () => {
  const { alice, bob, robot } = world;
  const good: [number, unknown, Values?][] = [
    [1, "short"],
    [2, "long **bold**"],
    [3, "b", { field_data: choices }],
    [4, "2000-02-29"],
    [5, "https://example.com/me"],
    [6, [bob.id]],
    [7, "octocat", { field_data: { subtype: "github" } }],
    [8, "she/her"],
  ];
  const bad: Record<number, unknown[]> = {
    1: ["x".repeat(51), 5, ["a"]],
    2: ["x".repeat(501)],
    3: ["c"],
    4: ["31.12.1999", "2001-02-29", "2001-13-01"],
    5: ["not a url", "javascript:alert(1)", "https://"],
    6: [[1e9], [robot.id], "1", [0.5], [world.zoe.id]],
    7: ["two words"],
    8: ["x".repeat(51)],
  };
  const ids: Record<number, number> = {};
  for (const [type, value, values] of good) {
    ids[type] = await newField(`Field ${type}`, type, values);
    expect([type, (await tell(alice, ids[type], value)).status]).toEqual([type, 200]);
  }
  for (const [type, values] of Object.entries(bad)) {
    for (const value of values) {
      const refused = refusal(await tell(alice, ids[Number(type)] ?? 0, value));
      expect([type, value, refused]).toEqual([type, value, "400 BAD_REQUEST"]);
    }
  }
  expect(await profileOf(bob, alice)).toEqual({
    [ids[1] ?? 0]: { value: "short", rendered_value: "<p>short</p>" },
    [ids[2] ?? 0]: { value: "long **bold**", rendered_value: "<p>long <strong>bold</strong></p>" },
    [ids[3] ?? 0]: { value: "b" },
    [ids[4] ?? 0]: { value: "2000-02-29" },
    [ids[5] ?? 0]: { value: "https://example.com/me" },
    [ids[6] ?? 0]: { value: `[${bob.id}]` },
    [ids[7] ?? 0]: { value: "octocat" },
    [ids[8] ?? 0]: { value: "she/her" },
  });
  expect((await bob.get(`/users/${alice.id}`)).body.user.profile_data).toBeUndefined();
});

test("What Alice tells and takes back reaches those who see her, and no guest who does not", async () => {
  const { olga, alice, greta, zoe } = world;
  const everybody = await world.olga.patch("/realm", {
    can_access_all_users_group: { new: await groupId("role:members") },
  });
  expect(everybody.status).toBe(200);
  const phone = await newField("Phone", 1);
  const queues = await listen({ olga, alice, greta, zoe }, fieldsOnly);
  await tell(alice, phone, "123");
  await tell(alice, phone, "123");
  expect((await alice.delete("/users/me/profile_data", { data: [phone] })).status).toBe(200);
  expect(await profileOf(olga, alice)).toEqual({});
  const told = ["123", null];
  const values = await hear(queues, ({ person }) => person.custom_profile_field.value);
  expect(values).toEqual({ olga: told, alice: told, greta: [], zoe: [] });
  expect(refusal(await alice.delete("/users/me/profile_data", { data: [1e9] }))).toBe(
    "400 BAD_REQUEST",
  );
});

test("An empty value takes back what was told, in a field of each type, also when an administrator sends it", async () => {
  const { adam, alice, bob } = world;
  const told: [number, unknown, unknown, Values?][] = [
    [1, "short", ""],
    [2, "long", "  \n"],
    [3, "b", "", { field_data: choices }],
    [4, "2000-02-29", ""],
    [5, "https://example.com/me", ""],
    [6, [bob.id], []],
    [7, "octocat", "", { field_data: { subtype: "github" } }],
    [8, "she/her", ""],
  ];
  const ids: number[] = [];
  for (const [type, , , values] of told) ids.push(await newField(`Field ${type}`, type, values));
  const data = (place: 1 | 2) => told.map((one, index) => ({ id: ids[index], value: one[place] }));
  const ways = [
    (person: Person) => person.patch("/users/me/profile_data", { data: data(2) }),
    () => adam.patch(`/users/${alice.id}`, { profile_data: data(2) }),
  ];
  for (const takeBack of ways) {
    expect((await alice.patch("/users/me/profile_data", { data: data(1) })).status).toBe(200);
    expect(Object.keys(await profileOf(bob, alice))).toHaveLength(told.length);
    const queues = await listen({ bob, zoe: world.zoe }, fieldsOnly);
    await verify(world, async () => expect((await takeBack(alice)).status).toBe(200));
    expect(await profileOf(bob, alice)).toEqual({});
    const values = await hear(queues, ({ person }) => person.custom_profile_field);
    expect(values).toEqual({ bob: ids.map((id) => ({ id, value: null })), zoe: [] });
  }
});

test("What is told in a profile field is told to others as value and, where it is Markdown, as HTML", async () => {
  const { alice, bob } = world;
  const [about, born] = [await newField("About", 2), await newField("Born", 4)];
  const queue = await bob.register({ event_types: ["realm_user"] });
  await tell(alice, about, "**me**");
  await tell(alice, born, "2000-01-01");
  const fields = [
    { id: about, value: "**me**", rendered_value: "<p><strong>me</strong></p>" },
    { id: born, value: "2000-01-01" },
  ];
  expect((await queue.events()).map(({ person }) => person)).toEqual(
    fields.map((custom_profile_field) => ({ user_id: alice.id, custom_profile_field })),
  );
});

test("A field that only administrators fill in is refused to others; nobody below an owner fills in an owner's", async () => {
  const { adam, alice, olga } = world;
  const phone = await newField("Phone", 1, { editable_by_user: false });
  expect(refusal(await tell(alice, phone, "123"))).toBe("400 BAD_REQUEST");
  expect(refusal(await alice.delete("/users/me/profile_data", { data: [phone] }))).toBe(
    "400 BAD_REQUEST",
  );
  const profile_data = [{ id: phone, value: "456" }];
  expect((await adam.patch(`/users/${alice.id}`, { profile_data })).status).toBe(200);
  expect(await profileOf(olga, alice)).toMatchObject({ [phone]: { value: "456" } });
  expect(refusal(await adam.patch(`/users/${olga.id}`, { profile_data }))).toBe(
    "400 UNAUTHORIZED_PRINCIPAL",
  );
  expect(refusal(await alice.patch(`/users/${world.bob.id}`, { profile_data }))).toBe(
    "400 BAD_REQUEST",
  );
});

test("Of several values all are stored or none", async () => {
  const { alice } = world;
  const [one, two] = [await newField("One", 1), await newField("Two", 4)];
  const data = [
    { id: one, value: "good" },
    { id: two, value: "bad" },
  ];
  expect(refusal(await alice.patch("/users/me/profile_data", { data }))).toBe("400 BAD_REQUEST");
  for (const wrong of ["x", [1], [{ id: one }], [{ id: "1", value: "x" }]]) {
    expect(refusal(await alice.patch("/users/me/profile_data", { data: wrong }))).toBe(
      "400 BAD_REQUEST",
    );
  }
  expect(await profileOf(alice, alice)).toEqual({});
});

test("H12: half a character is stored as the sign for an unknown one, and nobody is held up by it", async () => {
  const { adam, alice, bob } = world;
  const lunch = await newField("Lunch", 3, { field_data: { a: { text: "a\ud800", order: "1" } } });
  const phone = await newField("Phone", 1);
  expect((await fieldsOf(bob))[0].field_data).toBe('{"a":{"text":"a\ufffd","order":"1"}}');
  expect((await tell(alice, phone, "x\ud800y")).status).toBe(200);
  expect(await profileOf(bob, alice)).toMatchObject({ [phone]: { value: "x\ufffdy" } });
  expect((await adam.delete(`${path}/${lunch}`)).status).toBe(200);
  expect((await adam.delete(`${path}/${phone}`)).status).toBe(200);
});

test("H5: of a field that is told more than once in a request the last value counts, and the others are not looked at", async () => {
  const { alice } = world;
  const queues = await listen({ alice }, fieldsOnly);
  const [phone, about] = [await newField("Phone", 1), await newField("About", 2)];
  await tell(alice, phone, "123");
  const data = [
    { id: phone, value: "n".repeat(51) },
    { id: about, value: "me" },
    { id: phone, value: "123" },
  ];
  expect((await alice.patch("/users/me/profile_data", { data })).status).toBe(200);
  expect(await profileOf(alice, alice)).toMatchObject({
    [phone]: { value: "123" },
    [about]: { value: "me" },
  });
  const heard = await hear(queues, ({ person }) => person?.custom_profile_field.id);
  expect(heard.alice.filter((id) => id !== undefined)).toEqual([phone, about]);
});

test("The fields and values at register and the events give those afterwards", async () => {
  const { adam, alice, bob } = world;
  const [lunch, phone] = [
    await newField("Lunch", 3, { field_data: choices }),
    await newField("Phone", 1),
  ];
  await tell(alice, phone, "123");
  await tell(bob, lunch, "b");
  await verify(world, async () => {
    await tell(alice, lunch, "a");
    await adam.patch(`${path}/${lunch}`, { field_data: { a: choices.a } });
    await adam.delete(`${path}/${phone}`);
    await newField("About", 2);
  });
  expect([await profileOf(adam, alice), await profileOf(adam, bob)]).toEqual([
    { [lunch]: { value: "a" } },
    {},
  ]);
});

test("A choice that more than 1,000 people had goes in one change, after which clients register again", async () => {
  const { adam, alice, bob, operator } = world;
  const lunch = await newField("Lunch", 3, { field_data: choices });
  const ids = await addManyPeople(world, 1_001);
  const chosen = JSON.stringify({ [lunch]: { value: "b" } });
  await write(operator, async ({ db, t: { users } }) => {
    await db.update(users).set({ profileData: chosen }).where(inArray(users.id, ids)).returning();
  });
  await tell(alice, lunch, "a");
  const queues = await listen({ alice, bob }, fieldsOnly);
  // Neither a new hint nor a new order takes anything from anybody.
  await adam.patch(`${path}/${lunch}`, { hint: "At noon" });
  expect(await hear(queues, ({ type }) => type)).toEqual({
    alice: ["custom_profile_fields"],
    bob: ["custom_profile_fields"],
  });
  const hold = await startPoll(world, await bob.register({ event_types: ["message"] }));
  const entriesBefore = await countEntries();
  await adam.patch(`${path}/${lunch}`, { field_data: { a: choices.a } });
  expect((await countEntries()) - entriesBefore).toBeLessThan(10);
  const { state } = await bob.register({ fetch_event_types: ["realm_user"] });
  const told = state.realm_users.filter(
    ({ profile_data = {} }: { profile_data?: Values }) => lunch in profile_data,
  );
  expect(told.map(({ user_id }: { user_id: number }) => user_id)).toEqual([alice.id]);
  expect((await queues.bob.poll()).body.code).toBe("BAD_EVENT_QUEUE_ID");
  expect((await hold.answer).body.code).toBe("BAD_EVENT_QUEUE_ID");
});

const countEntries = async () => {
  const { db, t } = world.app.engine.openReader();
  return (await db.select({ id: t.eventLog.id }).from(t.eventLog)).length;
};

async function groupId(name: string): Promise<number> {
  const { body } = await world.olga.get("/user_groups", { include_deactivated_groups: true });
  return body.user_groups.find((group: { name: string }) => group.name === name).id;
}
