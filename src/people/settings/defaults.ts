import { eq } from "drizzle-orm";
import { storedFacts } from "../../core/audit";
import type { Context, Person, RealmRow, Tx } from "../../core/context";
import { administratorRequired, badRequest } from "../../core/errors";
import { type Input, record } from "../../core/params";
import { spellingHint } from "../../core/text/spelling-hint";
import { write } from "../../core/write";
import { settingParameters } from "../../realm/parameters";
import { loadRealm } from "../../realm/queries";
import { parseRealmSettings } from "../../realm/settings";
import { requireMay } from "../user-groups/may";
import { renewContext } from "../users/renew-context";
import { defaultUpdated } from "./events";
import { changedSettings, checkedSettings, withSettings } from "./stored";
import {
  parseUserSettings,
  type UserSettings,
  userSettings,
  validateUserSetting,
} from "./user-settings";

const {
  // Excluded because the organization has its own setting with that name: the language of new
  // users whose own one is not known.
  default_language: _language,
  // Excluded because settings of safety and data are personal.
  allow_private_data_export: _export,
  enable_login_emails: _logins,
  enable_marketing_emails: _marketing,
  ...defaultable
} = userSettings;

export const UpdateUserSettingsDefaults = record(settingParameters(defaultable));

/**
 * Changes the initial settings of new users. Events and refusals: see
 * `updateUserSettingsDefaultsIn`.
 */
export async function updateUserSettingsDefaults(
  ctx: Context<Person>,
  input: Input<typeof UpdateUserSettingsDefaults>,
): Promise<undefined> {
  await write(ctx, async (tx) =>
    updateUserSettingsDefaultsIn(tx, await renewContext(tx, ctx), input),
  );
}

/**
 * Reason why an organization cannot choose this value of a setting for new users; undefined when it
 * can.
 */
export const userDefaultRefusal = (name: string, value: unknown): string | undefined =>
  Object.hasOwn(defaultable, name)
    ? validateUserSetting(name, value)
    : `There is no setting '${name}' that an organization chooses for new users.${spellingHint(name, Object.keys(defaultable))}`;

/**
 * Changes defaults for new users by the settings' names, for the operator; answers all defaults.
 * Also refuses a setting without such a default (BAD_REQUEST).
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
 * Changes defaults for new users, as part of a write; existing users keep their settings. Event:
 * realm_user_settings_defaults update for each changed one, to the realm. For administrators
 * (UNAUTHORIZED_PRINCIPAL). Refuses invalid values (BAD_REQUEST).
 */
export async function updateUserSettingsDefaultsIn(
  tx: Tx,
  ctx: Context,
  changes: Record<string, unknown>,
) {
  await requireMay(tx, ctx, administratorRequired, { role: "administrator" });
  const { realms } = tx.t;
  const realm = await loadRealm(tx, ctx.realm.id);
  const checked = checkedSettings(changes);
  const json = withSettings(realm.userDefaults, checked);
  if (json === realm.userDefaults) return;
  const changed = changedSettings(
    parseUserDefaults(realm),
    parseUserDefaults({ ...realm, userDefaults: json }),
    checked,
  );
  await tx.db
    .update(realms)
    .set({ userDefaults: json })
    .where(eq(realms.id, realm.id))
    .returning({ id: realms.id });
  for (const [property, value] of changed)
    await tx.emit({ to: "realm" }, defaultUpdated({ property, value }));
  const [former, stored] = [storedFacts(realm.userDefaults), storedFacts(json)];
  const chosen = [...checked].filter(([name]) => former[name] !== stored[name]);
  const before = Object.fromEntries(chosen.map(([name]) => [name, former[name] ?? "default"]));
  const after = Object.fromEntries(chosen);
  tx.audit(ctx, { action: "realm.update_defaults", kind: "realm", before, after });
}

/**
 * Announces another default language of new users, and whether their hours are counted otherwise.
 * Events: realm_user_settings_defaults update, to the realm.
 */
export async function announceDefaultLanguage(tx: Tx, before: Defaults, after: Defaults) {
  const languages = new Map([["default_language", null]]);
  const changed = changedSettings(parseUserDefaults(before), parseUserDefaults(after), languages);
  for (const [property, value] of changed)
    await tx.emit({ to: "realm" }, defaultUpdated({ property, value }));
}

type Defaults = Pick<RealmRow, "settings" | "userDefaults">;

/**
 * Initial value of `users.settings` for a new user of the realm: the differences from the
 * protocol's defaults. `language` is the code of their language; without one it is the realm's.
 */
export function initialSettings({ settings, userDefaults }: Defaults, language?: string): string {
  // A shortcut without parsing, because most organizations have no such settings, and many people
  // may be added at once.
  if (language === undefined && userDefaults === "{}" && !settings.includes("default_language"))
    return userDefaults;
  const default_language = language ?? parseRealmSettings(settings).default_language;
  return withSettings(userDefaults, new Map([["default_language", default_language]]));
}

/** The initial settings of a new user of the realm. */
export const parseUserDefaults = (realm: Defaults): UserSettings =>
  parseUserSettings(initialSettings(realm));
