import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { UpdateUserSettingsDefaults } from "../../src/people/settings/defaults";
import { userSettings } from "../../src/people/settings/user-settings";
import { systemGroupIds } from "../../src/people/users/system-group-membership";
import { languages, realmSettings, type SettingRule } from "../../src/realm/settings";
import type { Queue, WireEvent } from "../support/client";
import { anotherValue, asParameter, type GroupIds, rulesOf } from "../support/setting-values";
import { makeWorld, type Person, type World } from "../support/world";

/** Walks all settings there are: each is changed, seen and heard of. */
let world: World;
let groupIds: GroupIds;

beforeAll(async () => {
  world = await makeWorld();
  groupIds = await systemGroupIds(world.app.engine.reader, world.realm.id);
});
afterAll(() => world.close());

/** A queue for all events, with nothing fetched. */
const listen = (person: Person) => person.register({ fetch_event_types: [] });

const shape = (events: WireEvent[]) => events.map(({ id: _, ...event }) => event);

/** Initial value of a setting, as on the wire. */
const initialValue = ({ type, default: initial }: SettingRule) =>
  type === "group" ? groupIds[String(initial)] : initial;

/** Parameter that asks for the first value again. */
function initialParameter(rule: SettingRule): unknown {
  if (rule.type === "group") return { new: initialValue(rule) };
  if (rule.type === "integer" && rule.unlimited !== undefined && rule.default === rule.unlimited)
    return "unlimited";
  return rule.default === null ? "default" : rule.default;
}

/** The value of a realm's setting that an event tells of. */
function toldValue(name: string, events: WireEvent[]) {
  const [event] = events.filter(({ type }) => type === "realm");
  if (event.op === "update") return [event.property, event.value];
  expect([event.op, event.property]).toEqual(["update_dict", "default"]);
  return [name, event.data[name]];
}

describe("every setting of the organization", () => {
  test.each(rulesOf(realmSettings))(
    "%s is changed, seen by all, told to all, and changed back",
    async (name, rule) => {
      const { olga, alice, bob, greta, zoe } = world;
      // Guests have to begin anew where it changes whom they see.
      const hearer = name === "can_access_all_users_group" ? bob : greta;
      const value = anotherValue(world, groupIds, name, rule);
      const seen = async () =>
        (await alice.register({ fetch_event_types: ["realm"] })).state[`realm_${name}`];
      expect(await seen()).toEqual(initialValue(rule));
      const queues = [await listen(olga), await listen(hearer)];
      const foreign = await listen(zoe);
      const answer = await olga.patch("/realm", { [name]: asParameter(rule, value) });
      expect([answer.status, answer.body[name]]).toEqual([
        200,
        typeof value === "string" ? "updated" : value,
      ]);
      expect(await seen()).toEqual(value);
      for (const queue of queues)
        expect(toldValue(name, await queue.events())).toEqual([name, value]);
      const again = await olga.patch("/realm", { [name]: asParameter(rule, value) });
      expect([again.status, Object.hasOwn(again.body, name)]).toEqual([200, false]);
      expect((await olga.patch("/realm", { [name]: initialParameter(rule) })).status).toBe(200);
      for (const queue of queues)
        expect(toldValue(name, await queue.events())).toEqual([name, initialValue(rule)]);
      expect(await seen()).toEqual(initialValue(rule));
      expect(await foreign.events()).toEqual([]);
    },
  );
});

describe("every setting of a user", () => {
  const nextEvents = async (queue: Queue) => shape(await queue.events());

  test.each(rulesOf(userSettings))(
    "%s is changed, seen and told to the user alone, and changed back",
    async (name, rule) => {
      const { alice, bob } = world;
      const value = anotherValue(world, groupIds, name, rule);
      const seen = async () =>
        (await alice.register({ fetch_event_types: ["user_settings"] })).state.user_settings[name];
      const [queue, other] = [
        await listen(alice),
        await bob.register({ event_types: ["user_settings"] }),
      ];
      for (const path of ["/settings", "/settings/display"]) {
        expect((await alice.patch(path, { [name]: value })).status).toBe(200);
      }
      expect(await seen()).toEqual(value);
      const language =
        name === "default_language"
          ? { language_name: Object.entries(languages).find(([code]) => code === value)?.[1] }
          : {};
      const event = { type: "user_settings", op: "update", property: name, value, ...language };
      expect((await nextEvents(queue)).filter(({ type }) => type === "user_settings")).toEqual([
        event,
      ]);
      expect(await nextEvents(other)).toEqual([]);
      expect((await alice.patch("/settings/notifications", { [name]: rule.default })).status).toBe(
        200,
      );
      expect(await seen()).toEqual(rule.default);
    },
  );
});

const defaultSettings = rulesOf(userSettings).filter(
  ([name]) => name in UpdateUserSettingsDefaults.properties,
);

describe("every default for new users", () => {
  test("is there, but for the language and what is a person's own", () => {
    const missing = Object.keys(userSettings).filter(
      (name) => !(name in UpdateUserSettingsDefaults.properties),
    );
    expect(missing).toEqual([
      "allow_private_data_export",
      "default_language",
      "enable_login_emails",
      "enable_marketing_emails",
    ]);
  });

  test.each(defaultSettings)(
    "%s is changed, seen by all, told to all, and changed back",
    async (name, rule) => {
      const { adam, alice, greta } = world;
      const value = anotherValue(world, groupIds, name, rule);
      const key = "realm_user_settings_defaults";
      const seen = async () =>
        (await alice.register({ fetch_event_types: [key] })).state[key][name];
      const queues = [await listen(alice), await listen(greta)];
      for (const wanted of [value, value, rule.default]) {
        const { status } = await adam.patch("/realm/user_settings_defaults", { [name]: wanted });
        expect([status, await seen()]).toEqual([200, wanted]);
      }
      const events = [value, rule.default].map((one) => ({
        type: key,
        op: "update",
        property: name,
        value: one,
      }));
      for (const queue of queues) expect(shape(await queue.events())).toEqual(events);
    },
  );
});
