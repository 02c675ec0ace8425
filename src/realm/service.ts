import { eq } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { applyDefaultSourceIn } from "../avatars/default-source";
import type { App, Context, RealmRow, Tx } from "../core/context";
import { administratorRequired, badRequest, ownerRequired } from "../core/errors";
import { parseStoredSettings } from "../core/group-setting";
import { cleanName } from "../core/name";
import { roles } from "../core/role";
import { makeRandomId } from "../core/secrets";
import { announceDefaultLanguage } from "../settings/defaults";
import { requireMay } from "../user-groups/may";
import { systemGroupIds } from "../user-groups/queries";
import { announceFullMembers, createSystemGroups } from "../user-groups/system-groups";
import { avatarSources } from "../users/avatar";
import { emailGatewayEmail, emailKeyOf, notificationBotEmail } from "../users/queries";
import { endQueuesOfGuests } from "../users/sight";
import { requireAuthenticationMethods } from "./authentication-methods";
import {
  checkedChange,
  checkedSetting,
  isToldInDictionary,
  ownerSettings,
  shownSetting,
  storeSetting,
} from "./changes";
import { realmPropertyUpdated, realmUpdated } from "./events";
import { loadRealm } from "./queries";

const nameLengthMax = 40;
const hostLengthMax = 253;
const hostForm = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;

/** The bots that chatd itself speaks through, with their addresses. */
const systemBots = [
  { emailAt: notificationBotEmail, fullName: "Notification Bot" },
  { emailAt: emailGatewayEmail, fullName: "Email Gateway" },
];

export interface NewRealm {
  name: string;
  /** The host name that clients reach it by, without a port. */
  host: string;
  /** Settings that differ from their defaults, in the protocol's names; groups as names of system groups. */
  settings?: Record<string, unknown>;
}

/** A new realm whose values were found good. */
export interface PreparedRealm {
  name: string;
  host: string;
  settings: string;
}

/** Checks what a new realm is given. Refuses a bad name, host or setting (BAD_REQUEST). */
export function prepareRealm({ name, host, settings = {} }: NewRealm): PreparedRealm {
  const wanted = host.trim().toLowerCase();
  if (wanted.length > hostLengthMax || !hostForm.test(wanted)) {
    throw badRequest(`'${host}' is not a host name. Give the one that clients connect to, without a port.`);
  }
  const stored = Object.entries(settings).map(([setting, value]) => {
    if (setting === "name") throw badRequest("An organization's name is not among its settings.");
    if (typeof value === "object" && value !== null) throw badRequest(`${setting} must be the name of a system group.`);
    return [setting, checkedSetting(setting, value)];
  });
  return { name: cleanRealmName(name), host: wanted, settings: JSON.stringify(Object.fromEntries(stored)) };
}

/**
 * The part of making a realm that runs in a write: the realm with its system groups and its system bots. Announced to
 * nobody, since nobody is there yet. Refuses a host that is in use.
 */
export async function createRealmIn(
  tx: Reader,
  { name, host, settings }: PreparedRealm,
  now: number,
): Promise<RealmRow> {
  const { t } = tx;
  const [realm] = await tx.db
    .insert(t.realms)
    .values({ host, name, settings, uuid: makeRandomId(), createdAt: now })
    .onConflictDoNothing()
    .returning();
  if (!realm) throw badRequest(`There is an organization at ${host} already.`);
  await createSystemGroups(tx, realm.id, now);
  const bots = systemBots.map(({ emailAt, fullName }) => ({
    realmId: realm.id,
    email: emailAt(host),
    emailKey: emailKeyOf(emailAt(host)),
    fullName,
    role: roles.member,
    botType: 1,
    isSystemBot: true,
    avatarSource: avatarSources.generated,
    createdAt: now,
  }));
  await tx.db.insert(t.users).values(bots).returning({ id: t.users.id });
  return realm;
}

/** Makes an organization, for the operator. Refuses bad values and a host in use (BAD_REQUEST). `now` is UNIX seconds. */
export async function createRealm(app: App, input: NewRealm, now: number): Promise<RealmRow> {
  const prepared = prepareRealm(input);
  return app.engine.write(
    0,
    (tx) => createRealmIn(tx, prepared, now),
    () => undefined,
  );
}

/**
 * The part of changing settings (and the name) that runs in a write; `changes` are by the protocol's names, and a group
 * may be given as the name of a system group. Answers what is different now, as on the wire.
 * Events, to the realm: realm update_dict with the permissions and what is told with them, realm update for each other
 * setting; user_group add_members and remove_members where full members change; realm_user_settings_defaults with a new
 * language. The queues of guests end where it changes whom they see. Refuses unknown names and bad values (BAD_REQUEST),
 * a permission that is not the `expected` one (EXPECTATION_MISMATCH), all but administrators, and for `ownerSettings` all but
 * owners (UNAUTHORIZED_PRINCIPAL).
 */
export async function updateRealmSettingsIn(
  tx: Tx,
  ctx: Context,
  changes: Record<string, unknown>,
  expected: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  await requireMayChange(tx, ctx, Object.keys(changes));
  const realm = await loadRealm(tx, ctx.realm.id);
  const ids = await systemGroupIds(tx, realm.id);
  const stored = parseStoredSettings(realm.settings);
  const data: Record<string, unknown> = {};
  for (const [setting, given] of Object.entries(changes)) {
    if (setting === "authentication_methods") requireAuthenticationMethods(given);
    else if (setting === "name") Object.assign(data, newName(realm, given));
    else {
      const change = { name: setting, given, old: expected[setting] };
      const value = await checkedChange(tx, ctx, stored, change);
      if (storeSetting(stored, setting, value, ids)) data[setting] = shownSetting(setting, value, ids);
    }
  }
  if (Object.keys(data).length > 0) await storeRealm(tx, ctx, realm, data, stored);
  return data;
}

async function requireMayChange(tx: Tx, ctx: Context, names: readonly string[]) {
  await requireMay(tx, ctx, administratorRequired, { role: "administrator" });
  if (names.some((name) => ownerSettings.has(name))) await requireMay(tx, ctx, ownerRequired, { role: "owner" });
}

/** The new name of an organization; nothing where it is the same. */
function newName(realm: RealmRow, given: unknown): { name?: string } {
  if (typeof given !== "string") throw badRequest("The organization's name must be text.");
  const name = cleanRealmName(given);
  return name === realm.name ? {} : { name };
}

async function storeRealm(
  tx: Tx,
  ctx: Context,
  realm: RealmRow,
  data: Record<string, unknown>,
  stored: Record<string, unknown>,
) {
  const { name: renamed, default_language: language } = data;
  const name = typeof renamed === "string" ? renamed : realm.name;
  const updated = { ...realm, name, settings: JSON.stringify(stored) };
  await tx.db
    .update(tx.t.realms)
    .set({ name, settings: updated.settings })
    .where(eq(tx.t.realms.id, realm.id))
    .returning({ id: tx.t.realms.id });
  await announceSettings(tx, data);
  if ("waiting_period_threshold" in data) await announceFullMembers(tx, realm, updated);
  if ("default_avatar_source" in data) await applyDefaultSourceIn(tx, ctx.app, updated, data["default_avatar_source"]);
  if ("can_access_all_users_group" in data) await endQueuesOfGuests(tx, realm.id);
  if (typeof language === "string") await announceDefaultLanguage(tx, language);
}

/** Of each setting in an event of its own, in the form that the protocol has for it. */
async function announceSettings(tx: Tx, changed: Record<string, unknown>) {
  for (const [property, value] of Object.entries(changed)) {
    const legacy = property === "topics_policy" ? { mandatory_topics: value === "disable_empty_topic" } : {};
    const event = isToldInDictionary(property)
      ? realmUpdated({ property: "default", data: { [property]: value, ...legacy } })
      : realmPropertyUpdated({ property, value });
    await tx.emit({ to: "realm" }, event);
  }
}

const cleanRealmName = (name: string) => cleanName("The organization's name", name, nameLengthMax);
