import { badRequest } from "../../core/errors";
import { parseStoredSettings } from "../../core/rights/group-setting";
import {
  isUserSettingName,
  ofLanguage,
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

/** Stored settings (JSON of the differences from the protocol's defaults) with new values. */
export function withSettings(json: string, changes: ReadonlyMap<string, SettingValue>): string {
  const stored = parseStoredSettings(json);
  for (const [name, value] of changes) {
    if (!isUserSettingName(name)) continue;
    if (name !== ofLanguage && value === userSettings[name].default) delete stored[name];
    else stored[name] = value;
  }
  return JSON.stringify(stored);
}

/**
 * Values that a change has changed, by name: of its settings, and of the one whose default depends
 * on the language.
 */
export function changedSettings(
  before: Readonly<UserSettings>,
  after: Readonly<UserSettings>,
  changes: Pick<ReadonlyMap<string, unknown>, "keys">,
): Map<string, SettingValue> {
  const names = [...new Set([...changes.keys(), ofLanguage])].filter(isUserSettingName);
  return new Map(
    names.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]),
  );
}
