import type { Tx, UserRow } from "../../core/context";
import { languages } from "../../realm/settings";
import { changeUserRow } from "../users/change-row";
import { exportConsentChanged, userSettingUpdated } from "./events";
import { forgetDraftsIn } from "./forget-drafts";
import { changedSettings, type SettingValue, withSettings } from "./stored";
import { parseUserSettings } from "./user-settings";

/**
 * Changes one's own settings, as part of a write; `user` is the current row, and the answer is the
 * row afterwards. Changed values are stored as the user's own choice. Events: user_settings update
 * for each of them, to the user; realm_export_consent, to administrators. The caller announces
 * changes of who may read their address.
 */
export async function changeOwnSettingsIn(
  tx: Tx,
  user: UserRow,
  changes: ReadonlyMap<string, SettingValue>,
): Promise<UserRow> {
  const json = withSettings(user.settings, changes);
  if (json === user.settings) return user;
  const changed = changedSettings(
    parseUserSettings(user.settings),
    parseUserSettings(json),
    changes,
  );
  const chosen = new Set([
    ...chosenSettings(user),
    ...[...changed.keys()].filter((name) => changes.has(name)),
  ]);
  const after = await changeUserRow(tx, user, {
    settings: json,
    chosenSettings: JSON.stringify([...chosen].sort()),
  });
  for (const [property, value] of changed) await announceSetting(tx, [user.id], property, value);
  const consented = changed.get("allow_private_data_export");
  if (typeof consented === "boolean") {
    await tx.emit({ to: "administrators" }, exportConsentChanged({ user_id: user.id, consented }));
  }
  await forgetUnwantedIn(tx, user.realmId, [user.id], changed);
  return after;
}

/** Deletes the drafts of a person who has turned off their synchronization. */
export async function forgetUnwantedIn(
  tx: Tx,
  realmId: number,
  userIds: readonly number[],
  changed: ReadonlyMap<string, SettingValue>,
) {
  if (changed.get("enable_drafts_synchronization") === false)
    await forgetDraftsIn(tx, realmId, userIds);
}

/**
 * Announces a setting of some users, or their time zone. Event: user_settings update, to the users.
 */
export async function announceSetting(
  tx: Tx,
  userIds: number[],
  property: string,
  value: SettingValue,
) {
  const name = property === "default_language" ? languageName(value) : undefined;
  const fields = { property, value, ...(name === undefined ? {} : { language_name: name }) };
  await tx.emit({ to: "users", ids: userIds }, userSettingUpdated(fields));
}

const languageName = (code: SettingValue) =>
  Object.entries(languages).find(([languageCode]) => languageCode === code)?.[1];

/** The names of the settings that a user has changed themself. */
export function chosenSettings({ chosenSettings }: Pick<UserRow, "chosenSettings">): string[] {
  const names: unknown = JSON.parse(chosenSettings);
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}
