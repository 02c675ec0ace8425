import { eq } from "drizzle-orm";
import type { Context, Person, RealmRow, Tx } from "../../core/context";
import { administratorRequired, badRequest } from "../../core/errors";
import { type Input, record } from "../../core/params";
import { write } from "../../core/write";
import { settingParameters } from "../../realm/parameters";
import { loadRealm } from "../../realm/queries";
import { parseRealmSettings } from "../../realm/settings";
import { requireMay } from "../user-groups/may";
import { renewContext } from "../users/renew-context";
import { defaultUpdated } from "./events";
import { checkedSettings, withSettings } from "./stored";
import {
  parseUserSettings,
  type UserSettings,
  userSettings,
  validateUserSetting,
} from "./user-settings";

const {
  // The organization has a setting of that name, which new users start with.
  default_language: _language,
  // Settings for the safety and the data of a person are theirs alone.
  allow_private_data_export: _export,
  enable_login_emails: _logins,
  enable_marketing_emails: _marketing,
  ...defaultable
} = userSettings;

export const UpdateUserSettingsDefaults = record(settingParameters(defaultable));

/** Changes what new users start with. Events and refusals: see `updateUserSettingsDefaultsIn`. */
export async function updateUserSettingsDefaults(
  ctx: Context<Person>,
  input: Input<typeof UpdateUserSettingsDefaults>,
): Promise<undefined> {
  await write(ctx, async (tx) =>
    updateUserSettingsDefaultsIn(tx, await renewContext(tx, ctx), input),
  );
}

/**
 * Why an organization cannot choose this value of a setting for new users; undefined when it can.
 */
export const userDefaultRefusal = (name: string, value: unknown): string | undefined =>
  Object.hasOwn(defaultable, name)
    ? validateUserSetting(name, value)
    : `There is no setting '${name}' that an organization chooses for new users.`;

/**
 * Sets defaults for new users by the settings' names, for the operator; answers all defaults.
 * Refuses a setting that an organization has no default of as well (BAD_REQUEST).
 */
export async function setUserSettingsDefaults(
  ctx: Context,
  changes: Record<string, unknown>,
): Promise<UserSettings> {
  const refusals = Object.entries(changes).map(([name, value]) => userDefaultRefusal(name, value));
  const refusal = refusals.find((one) => one !== undefined);
  if (refusal !== undefined) throw badRequest(refusal);
  return write(ctx, async (tx) => {
    await updateUserSettingsDefaultsIn(tx, await renewContext(tx, ctx), changes);
    return parseUserDefaults(await loadRealm(tx, ctx.realm.id));
  });
}

/**
 * The part of it that runs in a write; those who are there already keep theirs. Event:
 * realm_user_settings_defaults update for each that is different, to the realm. For administrators
 * (UNAUTHORIZED_PRINCIPAL). Refuses bad values (BAD_REQUEST).
 */
export async function updateUserSettingsDefaultsIn(
  tx: Tx,
  ctx: Context,
  changes: Record<string, unknown>,
) {
  await requireMay(tx, ctx, administratorRequired, { role: "administrator" });
  const { realms } = tx.t;
  const realm = await loadRealm(tx, ctx.realm.id);
  const { json, changed } = withSettings(realm.userDefaults, checkedSettings(changes));
  if (changed.size === 0) return;
  await tx.db
    .update(realms)
    .set({ userDefaults: json })
    .where(eq(realms.id, realm.id))
    .returning({ id: realms.id });
  for (const [property, value] of changed)
    await tx.emit({ to: "realm" }, defaultUpdated({ property, value }));
}

/**
 * Announces that new users start with another language. Event: realm_user_settings_defaults update,
 * to the realm.
 */
export const announceDefaultLanguage = (tx: Tx, language: string) =>
  tx.emit({ to: "realm" }, defaultUpdated({ property: "default_language", value: language }));

type Defaults = Pick<RealmRow, "settings" | "userDefaults">;

/**
 * Settings stored for a new user of the realm (`users.settings`): where it starts off from the
 * protocol's defaults.
 */
export function initialSettings({ settings, userDefaults }: Defaults): string {
  // Both are stored where they differ from their defaults: most organizations have none of it, and
  // many people come at once.
  if (userDefaults === "{}" && !settings.includes("default_language")) return userDefaults;
  const { default_language } = parseRealmSettings(settings);
  return withSettings(userDefaults, new Map([["default_language", default_language]])).json;
}

/** The settings that a new user of the realm starts with. */
export const parseUserDefaults = (realm: Defaults): UserSettings =>
  parseUserSettings(initialSettings(realm));
