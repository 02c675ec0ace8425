import type { SettingRule } from "../../src/realm/settings";
import type { World } from "./world";

/** Settings of a table by name, for tests of each of them. */
export const rulesOf = (table: Record<string, SettingRule>) => Object.entries(table);

/** Ids of the system groups of an organization by name. */
export type GroupIds = Readonly<Record<string, number>>;

/** A value that is allowed and is not the default. */
export function anotherValue(
  world: World,
  groupIds: GroupIds,
  name: string,
  rule: SettingRule,
): unknown {
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

/** A value of a setting as clients send it. */
export const asParameter = (rule: SettingRule, value: unknown) =>
  rule.type === "group" ? { new: value } : value;
