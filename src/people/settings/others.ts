import { sql } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { isRowOf } from "../../../db/sql/json";
import type { Context, Tx, UserRow } from "../../core/context";
import { administratorRequired, badRequest } from "../../core/errors";
import { requireMay } from "../user-groups/may";
import { listMemberIds, loadGroup } from "../user-groups/queries";
import { findUsersByIds } from "../users/queries";
import { announceSetting, chosenSettings, forgetUnwantedIn } from "./change";
import { changedSettings, type SettingValue, withSettings } from "./stored";
import { parseUserSettings } from "./user-settings";

/** Settings about a person's privacy or mail, which only that person changes. */
const personalSettings = [
  "allow_private_data_export",
  "email_address_visibility",
  "enable_digest_emails",
  "enable_login_emails",
  "enable_marketing_emails",
  "presence_enabled",
  "send_private_typing_notifications",
  "send_read_receipts",
  "send_stream_typing_notifications",
];

/** People whose settings change: by id, and all members of these groups and their subgroups. */
interface TargetUsers {
  user_ids?: readonly number[];
  group_ids?: readonly number[];
  /** Whether people who have chosen a value themselves keep it. */
  skip_if_already_edited: boolean;
}

/**
 * Changes other people's settings, as part of a write. Bots among them are skipped; deactivated
 * people, if given by id, are changed too. Event: user_settings update for each setting, to people
 * for whom it changes. For administrators (UNAUTHORIZED_PRINCIPAL). Refuses personal settings, and
 * unknown users and groups (BAD_REQUEST).
 */
export async function updateSettingsOfOthersIn(
  tx: Tx,
  ctx: Context,
  targets: TargetUsers,
  changes: ReadonlyMap<string, SettingValue>,
): Promise<void> {
  await requireMay(tx, ctx, administratorRequired, { role: "administrator" });
  const personal = personalSettings.find((name) => changes.has(name));
  if (personal !== undefined) throw badRequest(`${personal} cannot be changed for other users.`);
  const news = new Map<string, { name: string; value: SettingValue; userIds: number[] }>();
  for (const users of alike(await listTargets(tx, ctx, targets), targets)) {
    for (const [name, value] of await storeSettings(tx, ctx.realm.id, users, changes, targets)) {
      const key = `${name} ${value}`;
      const { userIds } = news.get(key) ?? { userIds: [] };
      news.set(key, { name, value, userIds: [...userIds, ...users.map(({ id }) => id)] });
    }
  }
  for (const { name, value, userIds } of news.values()) {
    await announceSetting(tx, ascending(userIds), name, value);
    await forgetUnwantedIn(tx, ctx.realm.id, userIds, new Map([[name, value]]));
  }
}

const ascending = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

/**
 * People grouped by equal settings, because one statement changes a whole group. There may be many
 * people, but most have never changed a setting.
 */
function alike(
  users: readonly UserRow[],
  { skip_if_already_edited: keepsChosen }: TargetUsers,
): Iterable<UserRow[]> {
  return Map.groupBy(users, ({ settings, chosenSettings: chosen }) =>
    keepsChosen ? settings + chosen : settings,
  ).values();
}

/**
 * Stores a change for people whose settings are equal. Answers the changed values by their names.
 */
async function storeSettings(
  tx: Tx,
  realmId: number,
  users: readonly UserRow[],
  changes: ReadonlyMap<string, SettingValue>,
  { skip_if_already_edited: keepsChosen }: TargetUsers,
): Promise<Map<string, SettingValue>> {
  const [firstUser] = users;
  if (!firstUser) return new Map();
  const kept = keepsChosen ? chosenSettings(firstUser) : [];
  const wanted = new Map([...changes].filter(([name]) => !kept.includes(name)));
  const json = withSettings(firstUser.settings, wanted);
  const ids = JSON.stringify(users.map(({ id }) => id));
  if (json === firstUser.settings) return new Map();
  await updateSettings(tx, { realmId, ids, settings: json });
  return changedSettings(parseUserSettings(firstUser.settings), parseUserSettings(json), wanted);
}

const updateSettings = statement(
  (db, t, given: Given<{ realmId: number; settings: string; ids: string }>, dialect) =>
    db
      .update(t.users)
      .set({ settings: sql`${given.settings}` })
      .where(isRowOf(dialect, t.users, given.realmId, given.ids))
      .returning({ id: t.users.id }),
);

async function listTargets(
  tx: Tx,
  ctx: Context,
  { user_ids = [], group_ids = [] }: TargetUsers,
): Promise<UserRow[]> {
  if (user_ids.length + group_ids.length === 0)
    throw badRequest("target_users must have user_ids or group_ids.");
  const ids = new Set([...user_ids, ...(await membersOf(tx, ctx, group_ids))]);
  const users = await findUsersByIds(tx, ctx.realm.id, [...ids]);
  const existingIds = new Set(users.map(({ id }) => id));
  const unknown = user_ids.filter((id) => !existingIds.has(id));
  if (unknown.length > 0) throw badRequest(`Invalid user ID: ${unknown.join(", ")}`);
  return users.filter(({ botType }) => botType === null);
}

/** The ids of all members of some groups, directly or through subgroups. */
async function membersOf(tx: Tx, ctx: Context, groupIds: readonly number[]): Promise<number[]> {
  const groups = await Promise.all(groupIds.map((id) => loadGroup(tx, ctx.realm.id, id)));
  const members = await Promise.all(groups.map((group) => listMemberIds(tx, ctx, group)));
  return members.flat();
}
