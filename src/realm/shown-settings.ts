import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { nullable, word } from "../core/params";
import { groupSettingValue } from "../core/rights/group-setting";
import type { SettingRule } from "./settings";

/** Form of a setting in answers and events. */
function shownSettingSchema(rule: SettingRule): TSchema {
  const schema = valueSchema(rule);
  return rule.nullable || (rule.type === "integer" && rule.unlimited === null)
    ? nullable(schema)
    : schema;
}

function valueSchema(rule: SettingRule): TSchema {
  switch (rule.type) {
    case "boolean":
      return Type.Boolean();
    case "integer":
      return Type.Integer();
    case "string":
      return Type.String();
    case "choice":
      return typeof rule.default === "string" ? word(...rule.values.map(String)) : Type.Integer();
    case "group":
      return groupSettingValue;
  }
}

/** The schemas of a table's settings in answers and events, by their names after `prefix`. */
export const shownSettings = (table: Record<string, SettingRule>, prefix = ""): TProperties =>
  Object.fromEntries(
    Object.entries(table).map(([name, rule]) => [`${prefix}${name}`, shownSettingSchema(rule)]),
  );
