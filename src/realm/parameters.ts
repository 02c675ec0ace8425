import { type TSchema, Type } from "@sinclair/typebox";
import { either, flag, integer, optional, text, word } from "../core/params";
import { groupSettingChangeParameter } from "../core/rights/group-setting";
import type { SettingRule } from "./settings";

/** Form of a setting in a request; its rule checks the value. */
function settingParameter(rule: SettingRule): TSchema {
  switch (rule.type) {
    case "boolean":
      return rule.nullable ? either(flag(), Type.Null()) : flag();
    case "integer":
      return rule.unlimited === undefined ? integer() : either(integer(), text());
    case "string":
      return rule.nullable ? either(text(), Type.Null()) : text();
    case "choice":
      return typeof rule.default === "string" ? word(...rule.values.map(String)) : integer();
    case "group":
      return groupSettingChangeParameter();
  }
}

/** The parameters that change settings, all of them optional. */
export const settingParameters = (table: Record<string, SettingRule>): Record<string, TSchema> =>
  Object.fromEntries(
    Object.entries(table).map(([name, rule]) => [name, optional(settingParameter(rule))]),
  );
