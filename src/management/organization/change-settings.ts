import { eq } from "drizzle-orm";
import { announceVisibilityBetween } from "../../channels/announce-visibility";
import { endQueuesOfGuests } from "../../channels/guest-visibility";
import { type AuditFacts, storedFacts } from "../../core/audit";
import type { Context, RealmRow, Tx } from "../../core/context";
import { administratorRequired, badRequest, ownerRequired } from "../../core/errors";
import { parseStoredSettings } from "../../core/rights/group-setting";
import { applyDefaultSourceIn } from "../../people/avatars/default-source";
import { announceDefaultLanguage } from "../../people/settings/defaults";
import { requireMay } from "../../people/user-groups/may";
import { announceFullMembers } from "../../people/user-groups/system-groups";
import { listUsers } from "../../people/users/queries";
import { systemGroupIds } from "../../people/users/system-group-membership";
import { requireAuthenticationMethods } from "../../realm/authentication-methods";
import { isToldInDictionary, realmPropertyUpdated, realmUpdated } from "../../realm/events";
import { loadRealm } from "../../realm/queries";
import { cleanRealmName } from "./create";
import { checkedChange, ownerSettings, shownSetting, storeSetting } from "./setting-changes";

/**
 * Changes settings (and the name), as part of a write; `changes` are by the protocol's names, and a
 * group may be given as the name of a system group. Answers the changed settings, as on the wire.
 * Events, to the realm: realm update_dict with the permissions and related settings, realm update
 * for each other setting; user_group add_members and remove_members where full members change, and
 * to these the events of `announceVisibilityBetween`; realm_user_settings_defaults with a new
 * language. The queues of guests end where it changes whom they see. Refuses unknown names and
 * invalid values (BAD_REQUEST), a permission that differs from the `expected` one
 * (EXPECTATION_MISMATCH), all but administrators, and for `ownerSettings` all but owners
 * (UNAUTHORIZED_PRINCIPAL).
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
      if (storeSetting(stored, setting, value, ids))
        data[setting] = shownSetting(setting, value, ids);
    }
  }
  if (Object.keys(data).length === 0) return data;
  await storeRealm(tx, ctx, realm, data, stored);
  const former: AuditFacts = { name: realm.name, ...storedFacts(realm.settings) };
  const before = Object.fromEntries(
    Object.keys(data).map((one) => [one, former[one] ?? "default"]),
  );
  tx.audit(ctx, { action: "realm.update", kind: "realm", before, after: data });
  return data;
}

async function requireMayChange(tx: Tx, ctx: Context, names: readonly string[]) {
  await requireMay(tx, ctx, administratorRequired, { role: "administrator" });
  if (names.some((name) => ownerSettings.has(name)))
    await requireMay(tx, ctx, ownerRequired, { role: "owner" });
}

/** The new name of an organization; nothing if it does not change. */
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
  if ("waiting_period_threshold" in data) await announceWaiting(tx, realm, updated);
  if ("default_avatar_source" in data)
    await applyDefaultSourceIn(tx, ctx.app, updated, data["default_avatar_source"]);
  if ("can_access_all_users_group" in data) await endQueuesOfGuests(tx, realm.id);
  if (typeof language === "string") await announceDefaultLanguage(tx, realm, updated);
}

/** Announces who becomes a full member, or no longer is, and the channels that these may know. */
async function announceWaiting(tx: Tx, before: RealmRow, after: RealmRow) {
  await announceFullMembers(tx, before, after);
  const momentOf = (realm: RealmRow) => ({ realm, now: tx.now });
  const users = await listUsers(tx, after.id);
  await announceVisibilityBetween(tx, momentOf(before), momentOf(after), users);
}

/** Announces each setting with an event of its own, in the protocol's form for it. */
async function announceSettings(tx: Tx, changed: Record<string, unknown>) {
  for (const [property, value] of Object.entries(changed)) {
    const legacy =
      property === "topics_policy" ? { mandatory_topics: value === "disable_empty_topic" } : {};
    const event = isToldInDictionary(property)
      ? realmUpdated({ property: "default", data: { [property]: value, ...legacy } })
      : realmPropertyUpdated({ property, value });
    await tx.emit({ to: "realm" }, event);
  }
}
