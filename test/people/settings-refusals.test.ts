import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemGroupNames } from "../../src/core/group-setting";
import { ownerSettings } from "../../src/management/organization/setting-changes";
import { UpdateUserSettingsDefaults } from "../../src/people/settings/defaults";
import { userSettings } from "../../src/people/settings/user-settings";
import { systemGroupIds } from "../../src/people/users/system-group-membership";
import { realmSettings, type SettingRule } from "../../src/realm/settings";
import { anotherValue, asParameter, type GroupIds, rulesOf } from "../support/setting-values";
import { makeWorld, type Person, type World } from "../support/world";

/** Walks all settings there are: each refuses what it must not be. */
let world: World;
let groupIds: GroupIds;

beforeAll(async () => {
  world = await makeWorld();
  groupIds = await systemGroupIds(world.app.engine.reader, world.realm.id);
});
afterAll(() => world.close());

/** A queue for all events, with nothing fetched. */
const listen = (person: Person) => person.register({ fetch_event_types: [] });

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

describe("every setting of the organization", () => {
  test.each(rulesOf(realmSettings))(
    "%s refuses what it must not be, and who may not",
    async (name, rule) => {
      const { olga, adam, mona, alice, greta, robot } = world;
      const queue = await listen(alice);
      const wanted = asParameter(rule, anotherValue(world, groupIds, name, rule));
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
  const defaultSettings = rulesOf(userSettings).filter(
    ([name]) => name in UpdateUserSettingsDefaults.properties,
  );

  test.each(defaultSettings)("%s refuses what it must not be", async (name, rule) => {
    const { adam, alice, greta } = world;
    const queues = [await listen(alice), await listen(greta)];
    for (const wrong of wrongValues(name, rule)) {
      const { status, body } = await adam.patch("/realm/user_settings_defaults", {
        [name]: wrong,
      });
      expect([name, wrong, status, body.code]).toEqual([name, wrong, 400, "BAD_REQUEST"]);
    }
    for (const queue of queues) expect(await queue.events()).toEqual([]);
  });
});
