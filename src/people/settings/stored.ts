import { badRequest } from "../../core/errors";
import { parseStoredSettings } from "../../core/group-setting";
import {
  isUserSettingName,
  type UserSettings,
  userSettings,
  validateUserSetting,
} from "./user-settings";

export type SettingValue = UserSettings[keyof UserSettings];

/**
 * New values of settings by name, checked. Refuses unknown names and values that are not allowed
 * (BAD_REQUEST).
 */
export function checkedSettings(changes: Record<string, unknown>): Map<string, SettingValue> {
  const checked = new Map<string, SettingValue>();
  for (const [name, value] of Object.entries(changes)) {
    const refusal = validateUserSetting(name, value);
    if (refusal !== undefined) throw badRequest(refusal);
    if (isPlain(value)) checked.set(name, value);
  }
  return checked;
}

const isPlain = (value: unknown): value is SettingValue =>
  value === null || ["boolean", "number", "string"].includes(typeof value);

/**
 * Stored settings (JSON of the differences from the protocol's defaults) with new values: the JSON,
 * and the changed values.
 */
export function withSettings(
  json: string,
  changes: ReadonlyMap<string, SettingValue>,
): { json: string; changed: Map<string, SettingValue> } {
  const stored = parseStoredSettings(json);
  const changed = new Map<string, SettingValue>();
  for (const [name, value] of changes) {
    if (!isUserSettingName(name)) continue;
    const initial: unknown = userSettings[name].default;
    const before = name in stored ? stored[name] : initial;
    if (value === initial) delete stored[name];
    else stored[name] = value;
    if (before !== value) changed.set(name, value);
  }
  return { json: JSON.stringify(stored), changed };
}
