import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ownerSettings } from "../../src/management/organization/setting-changes";
import { UpdateUserSettingsDefaults } from "../../src/people/settings/defaults";
import { userSettings } from "../../src/people/settings/user-settings";
import { systemGroupNames } from "../../src/protocol/system-groups";
import { languages, realmSettings, type SettingRule } from "../../src/realm/settings";
import type { Queue, WireEvent } from "../support/client";
import { shapesOf } from "../support/groups";
import { makeWorld, type Person, type World } from "../support/world";

/**
 * Walks all settings there are: each is changed, seen and heard of, and refuses what it must not
 * be.
 */
let world: World;
let groupIds: Record<string, number>;

beforeAll(async () => {
  world = await makeWorld();
  const { body } = await world.olga.get("/user_groups");
  groupIds = Object.fromEntries(
    body.user_groups.map(({ name, id }: { name: string; id: number }) => [name, id]),
  );
});
afterAll(() => world.close());

const queues = new Map<string, Queue>();

/**
 * A queue that is empty. It is kept for later tests, until it ends. Without options it is for all
 * events, and nothing is fetched.
 */
async function listen(
  person: Person,
  options: Record<string, unknown> = { fetch_event_types: [] },
) {
  const name = JSON.stringify([person.id, options]);
  const kept = queues.get(name);
  const queue = kept && (await isEmptied(kept)) ? kept : await person.register(options);
  queues.set(name, queue);
  return queue;
}

/** Takes the events of a queue; false if it has ended. */
async function isEmptied(queue: Queue): Promise<boolean> {
  const { status, body } = await queue.poll({ dont_block: true });
  if (status !== 200) {
    expect(body.code).toBe("BAD_EVENT_QUEUE_ID");
    return false;
  }
  queue.lastEventId = body.events.at(-1)?.id ?? queue.lastEventId;
  return true;
}

const rulesOf = (table: Record<string, SettingRule>) => Object.entries(table);

/** A value that is allowed and is not the default. */
function anotherValue(name: string, rule: SettingRule): unknown {
  switch (rule.type) {
    case "boolean":
      return !rule.default;
    case "integer":
      if (name === "moderation_request_channel_id") return world.channels.secret;
      if (/_(?:channel|stream)_id$/.test(name)) return world.channels.general;
      return Math.min(rule.max, Math.max(rule.min, rule.default ?? 0) + 2);
    case "string":
      return rule.form === "url" ? "https://meet.example.com" : "another";
    case "choice":
      return rule.values.find((value) => value !== rule.default);
    case "group": {
      const { allowed_system_groups: only, require_system_group: isSystem } = rule.permission;
      const name = only.find((one) => one !== rule.default) ?? "role:moderators";
      if (isSystem) return groupIds[name];
      return { direct_members: [world.alice.id], direct_subgroups: [groupIds[name]] };
    }
  }
}

/** Values that the setting must not have, as they stand in a request. */
function wrongValues(name: string, rule: SettingRule): unknown[] {
  switch (rule.type) {
    case "boolean":
      return ["yes", 1, [], {}];
    case "integer":
      return [
        "many",
        1.5,
        rule.min - 1,
        2 ** 31,
        true,
        ...(/_(?:channel|stream)_id$/.test(name) ? [999_999, 0] : []),
      ];
    case "string":
      if (rule.form === "url")
        return ["javascript:alert(1)", "nowhere", `https://${"x".repeat(rule.lengthMax)}`];
      return ["x".repeat(rule.lengthMax + 1)];
    case "choice":
      return typeof rule.default === "string" ? ["bogus", "", 4711] : [4711, -1, "bogus", true];
    case "group": {
      const refused = systemGroupNames.filter((one) => one === "role:internet");
      const more = rule.permission.allow_nobody_group ? [] : [groupIds["role:nobody"]];
      const bare = groupIds["role:members"];
      return [
        bare,
        "role:members",
        [],
        ...[...refused.map((one) => groupIds[one]), ...more, 999_999].map(asNew),
      ];
    }
  }
}

const asNew = (value: unknown) => ({ new: value });

const asParameter = (rule: SettingRule, value: unknown) =>
  rule.type === "group" ? { new: value } : value;

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
      const value = anotherValue(name, rule);
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

  test.each(rulesOf(realmSettings))(
    "%s refuses what it must not be, and who may not",
    async (name, rule) => {
      const { olga, adam, mona, alice, greta, robot } = world;
      const queue = await listen(alice);
      const wanted = asParameter(rule, anotherValue(name, rule));
      for (const wrong of wrongValues(name, rule)) {
        const { status, body } = await olga.patch("/realm", { description: "half", [name]: wrong });
        const code = "unlimited" in rule ? "REQUEST_VARIABLE_INVALID" : "BAD_REQUEST";
        expect([name, wrong, status, body.code]).toEqual([name, wrong, 400, code]);
      }
      const unwanted = ownerSettings.has(name)
        ? [adam, mona, alice, greta, robot]
        : [mona, alice, greta, robot];
      for (const person of unwanted) {
        const { status, body } = await person.patch("/realm", { [name]: wanted });
        expect([status, body.code]).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
      }
      expect(await queue.events()).toEqual([]);
    },
  );
});

describe("every setting of a user", () => {
  const nextEvents = async (queue: Queue) => shapesOf(await queue.events());

  test.each(rulesOf(userSettings))(
    "%s is changed, seen and told to the user alone, and changed back",
    async (name, rule) => {
      const { alice, bob } = world;
      const value = anotherValue(name, rule);
      const seen = async () =>
        (await alice.register({ fetch_event_types: ["user_settings"] })).state.user_settings[name];
      const [queue, other] = [
        await listen(alice),
        await listen(bob, { event_types: ["user_settings"] }),
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

  test.each(rulesOf(userSettings))("%s refuses what it must not be", async (name, rule) => {
    const { alice } = world;
    const queue = await listen(alice);
    for (const wrong of wrongValues(name, rule)) {
      const { status, body } = await alice.patch("/settings", {
        high_contrast_mode: true,
        [name]: wrong,
      });
      expect([name, wrong, status, body.code]).toEqual([name, wrong, 400, "BAD_REQUEST"]);
    }
    expect(await queue.events()).toEqual([]);
  });
});

describe("every default for new users", () => {
  const defaultable = rulesOf(userSettings).filter(
    ([name]) => name in UpdateUserSettingsDefaults.properties,
  );

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

  test.each(defaultable)(
    "%s is changed, seen by all, told to all, and changed back",
    async (name, rule) => {
      const { adam, alice, greta } = world;
      const value = anotherValue(name, rule);
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
      for (const queue of queues) expect(shapesOf(await queue.events())).toEqual(events);
      for (const wrong of wrongValues(name, rule)) {
        const { status, body } = await adam.patch("/realm/user_settings_defaults", {
          [name]: wrong,
        });
        expect([name, wrong, status, body.code]).toEqual([name, wrong, 400, "BAD_REQUEST"]);
      }
      for (const queue of queues) expect(await queue.events()).toEqual([]);
    },
  );
});
