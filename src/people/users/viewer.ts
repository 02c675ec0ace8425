import type { Reader } from "../../../db/reader";
import type { Context, RealmRow, UserRow } from "../../core/context";
import { allSeeing, mayReadAddress, sees, type Viewer } from "../../core/rights/person-visibility";
import { roles } from "../../core/rights/role";
import { parseRealmSettings } from "../../realm/settings";
import {
  emailKeyOf,
  findUser,
  findUserByEmail,
  listSharers,
  listUsers,
  noSuchUser,
} from "./queries";
import { systemGroupIds } from "./system-group-membership";

type RealmSettings = Pick<RealmRow, "id" | "settings">;

/**
 * A cheap check before `limitsGuests`: settings are stored only where they differ from their
 * default, which is everybody.
 */
export const mayLimitGuests = ({ settings }: Pick<RealmRow, "settings">) =>
  settings.includes("can_access_all_users_group");

/**
 * Whether guests of a realm see only people with whom they share a channel or a direct
 * conversation. The setting `can_access_all_users_group` has two values: everybody, or all but
 * guests.
 */
export async function limitsGuests(
  reader: Reader,
  { id, settings }: RealmSettings,
): Promise<boolean> {
  if (!mayLimitGuests({ settings })) return false;
  const { can_access_all_users_group: seers } = parseRealmSettings(settings);
  if (typeof seers === "string") return seers !== "role:everyone";
  return seers !== (await systemGroupIds(reader, id))["role:everyone"];
}

/**
 * The people whom a user sees, all or among some; needs a query only for a guest where guests are
 * limited.
 */
export async function viewerFor(
  reader: Reader,
  realm: RealmSettings,
  { id: userId, role }: Pick<UserRow, "id" | "role">,
  among?: readonly number[],
): Promise<Viewer> {
  const isLimited = role >= roles.guest && (await limitsGuests(reader, realm));
  // A spectator's data is never shared: see `roleSpectator`.
  if (role > roles.guest && !isLimited)
    return { userId, role, seen: await everybody(reader, realm.id, among) };
  return {
    userId,
    role,
    seen: isLimited ? await listSharers(reader, realm.id, userId, among) : undefined,
  };
}

const everybody = async (
  reader: Reader,
  realmId: number,
  among?: readonly number[],
): Promise<ReadonlySet<number>> =>
  new Set(among ?? (await listUsers(reader, realmId)).map(({ id }) => id));

/** The people whom the actor sees, all or among some. */
export async function viewerOf(
  reader: Reader,
  { realm, actor }: Context,
  among?: readonly number[],
): Promise<Viewer> {
  return "user" in actor ? viewerFor(reader, realm, actor.user, among) : allSeeing;
}

/**
 * Whether somebody can refer to a user by this id or address: they must see the user, and may use a
 * real address only if they may read it.
 */
export function mayName(viewer: Viewer, user: UserRow, named: number | string): boolean {
  if (!sees(viewer, user)) return false;
  const isByAddress = typeof named === "string" && emailKeyOf(named) === user.emailKey;
  return !isByAddress || mayReadAddress(viewer, user);
}

/**
 * A user by an id, by an address that the actor may read, or by the placeholder. Undefined for
 * users whom the actor does not see, as for missing ones.
 */
export async function findVisibleUser(
  reader: Reader,
  ctx: Context,
  named: number | string,
): Promise<UserRow | undefined> {
  const { realm } = ctx;
  const user =
    typeof named === "number"
      ? await findUser(reader, realm.id, named)
      : await findUserByEmail(reader, realm.id, named);
  // Runs for missing users too, so that the time of the refusal does not reveal hidden ones.
  const viewer = await viewerOf(reader, ctx, [user?.id ?? 0]);
  return user && mayName(viewer, user, named) ? user : undefined;
}

/**
 * User by an id or an address in a path. Refuses a user whom the actor may not see or address so
 * (BAD_REQUEST).
 */
export async function loadVisibleUser(
  reader: Reader,
  ctx: Context,
  idOrEmail: number | string,
): Promise<UserRow> {
  const isId = typeof idOrEmail === "string" && /^\d+$/.test(idOrEmail);
  const user = await findVisibleUser(reader, ctx, isId ? Number(idOrEmail) : idOrEmail);
  if (!user) throw noSuchUser();
  return user;
}
