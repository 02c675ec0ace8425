import { and, eq } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import type { App, Context, RealmRow, Tx } from "../core/context";
import { badRequest } from "../core/errors";
import {
  canonicalGroupSetting,
  type GroupSettingValue,
  isStoredGroupSetting,
  parseStoredSettings,
  resolveGroupSetting,
  type StoredGroupSetting,
  type SystemGroupIds,
} from "../core/group-setting";
import { cleanName } from "../core/name";
import { roles } from "../core/role";
import { makeRandomId } from "../core/secrets";
import { requireGroups, systemGroupIds } from "../user-groups/queries";
import { announceFullMembers, createSystemGroups } from "../user-groups/system-groups";
import { requireAdministrator } from "../users/permission";
import { emailKeyOf, findUsersByIds, notificationBotEmail } from "../users/queries";
import { realmUpdated } from "./events";
import { loadRealm } from "./queries";
import { isRealmSettingName, realmSettingFromWire, realmSettings, validateRealmSetting } from "./settings";

const nameLengthMax = 40;
const hostLengthMax = 253;
const hostForm = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;

/** The bots that chatd itself speaks through, with their addresses. */
const systemBots = [{ emailAt: notificationBotEmail, fullName: "Notification Bot" }];

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
 * Events: realm update_dict, to the realm; user_group add_members and remove_members where full members change.
 * Refuses unknown names and bad values (BAD_REQUEST), and all but administrators (UNAUTHORIZED_PRINCIPAL).
 */
export async function updateRealmSettingsIn(
  tx: Tx,
  ctx: Context,
  changes: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  requireAdministrator(ctx.actor);
  const { t } = tx;
  const realm = await loadRealm(tx, ctx.realm.id);
  const ids = await systemGroupIds(tx, realm.id);
  const stored = parseStoredSettings(realm.settings);
  const data: Record<string, unknown> = {};
  let name = realm.name;
  for (const [setting, given] of Object.entries(changes)) {
    if (setting === "name") {
      name = cleanRealmName(given);
      if (name !== realm.name) data["name"] = name;
      continue;
    }
    const value = checkedSetting(setting, given, ids);
    await requireExisting(tx, realm.id, setting, value);
    if (storeSetting(stored, setting, value, ids)) data[setting] = shown(setting, value, ids);
  }
  if ("topics_policy" in data) data["mandatory_topics"] = data["topics_policy"] === "disable_empty_topic";
  if (Object.keys(data).length === 0) return data;
  const updated = { ...realm, name, settings: JSON.stringify(stored) };
  await tx.db
    .update(t.realms)
    .set({ name, settings: updated.settings })
    .where(eq(t.realms.id, realm.id))
    .returning({ id: t.realms.id });
  await tx.emit({ to: "realm" }, realmUpdated({ property: "default", data }));
  if ("waiting_period_threshold" in data) await announceFullMembers(tx, realm, updated);
  return data;
}

function cleanRealmName(name: unknown): string {
  if (typeof name !== "string") throw badRequest("The organization's name must be text.");
  return cleanName("The organization's name", name, nameLengthMax);
}

/** A value as it is stored; refuses one that its setting may not have. */
function checkedSetting(name: string, given: unknown, ids?: SystemGroupIds): unknown {
  const value = isRealmSettingName(name) ? realmSettingFromWire(name, given) : given;
  const refusal = validateRealmSetting(name, value, ids);
  if (refusal !== undefined) throw badRequest(refusal);
  return isGroupSetting(name, value) && typeof value === "object" ? canonicalGroupSetting(value) : value;
}

const isGroupSetting = (name: string, value: unknown): value is StoredGroupSetting =>
  isRealmSettingName(name) && realmSettings[name].type === "group" && isStoredGroupSetting(value);

/** A value as on the wire: the name of a system group becomes its id. */
const shown = (name: string, value: unknown, ids: SystemGroupIds): unknown =>
  isGroupSetting(name, value) ? resolveGroupSetting(value, ids) : value;

/** Notes a value where it differs from its default. Answers whether it is another one than before. */
function storeSetting(stored: Record<string, unknown>, name: string, value: unknown, ids: SystemGroupIds): boolean {
  if (!isRealmSettingName(name)) return false;
  const initial: unknown = realmSettings[name].default;
  const same = (one: unknown, other: unknown) => Bun.deepEquals(shown(name, one, ids), shown(name, other, ids));
  const before = name in stored ? stored[name] : initial;
  if (same(value, initial)) delete stored[name];
  else stored[name] = value;
  return !same(before, value);
}

/** Refuses a channel, users or groups that the realm does not have. */
async function requireExisting(tx: Tx, realmId: number, name: string, value: unknown) {
  if (/_(?:channel|stream)_id$/.test(name) && typeof value === "number" && value > 0) {
    await requireChannel(tx, realmId, value);
  }
  if (isGroupSetting(name, value) && typeof value !== "string") await requireHolders(tx, realmId, value);
}

async function requireChannel(tx: Tx, realmId: number, channelId: number) {
  const { channels } = tx.t;
  const rows = await tx.db
    .select({ id: channels.id })
    .from(channels)
    .where(and(eq(channels.realmId, realmId), eq(channels.id, channelId)));
  if (rows.length === 0) throw badRequest(`Invalid channel ID: ${channelId}`);
}

async function requireHolders(tx: Tx, realmId: number, value: GroupSettingValue) {
  if (typeof value === "number") return requireGroups(tx, realmId, [value]);
  await requireGroups(tx, realmId, value.direct_subgroups);
  const known = new Set((await findUsersByIds(tx, realmId, value.direct_members)).map(({ id }) => id));
  const missing = value.direct_members.filter((id) => !known.has(id));
  if (missing.length > 0) throw badRequest(`Invalid user ID: ${missing.join(", ")}`);
}
