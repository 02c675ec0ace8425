import type { Reader } from "../../../db/reader";
import type { Context, RealmRow, UserRow } from "../../core/context";
import { roles } from "../../core/role";
import { allSeeing, mayReadAddress, type Onlooker, sees } from "../../core/sight";
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
 * Whether it is worth asking `limitsGuests`: settings are stored where they differ from their
 * default, which is everybody.
 */
export const mayLimitGuests = ({ settings }: Pick<RealmRow, "settings">) =>
  settings.includes("can_access_all_users_group");

/**
 * Whether guests of a realm see no more people than those with whom they share a channel or a
 * direct conversation. The setting `can_access_all_users_group` has two values: everybody, or all
 * but guests.
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
 * Sight that a user has of people, or of some of them; a query only where guests are limited and it
 * is a guest.
 */
export async function onlookerFor(
  reader: Reader,
  realm: RealmSettings,
  { id: userId, role }: Pick<UserRow, "id" | "role">,
  among?: readonly number[],
): Promise<Onlooker> {
  const isLimited = role >= roles.guest && (await limitsGuests(reader, realm));
  // A spectator's data is written for them alone: see `roleSpectator`.
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

/** Sight that the actor has of people, or of some of them. */
export async function onlookerOf(
  reader: Reader,
  { realm, actor }: Context,
  among?: readonly number[],
): Promise<Onlooker> {
  return "user" in actor ? onlookerFor(reader, realm, actor.user, among) : allSeeing;
}

/**
 * Whether somebody can name a user by this id or address: one whom they see, and a real address
 * only if they may read it.
 */
export function mayName(onlooker: Onlooker, user: UserRow, named: number | string): boolean {
  if (!sees(onlooker, user)) return false;
  const isByAddress = typeof named === "string" && emailKeyOf(named) === user.emailKey;
  return !isByAddress || mayReadAddress(onlooker, user);
}

/**
 * A user as the actor can name them: by id, or by an address that they may read or the placeholder.
 * Undefined for those whom the actor does not see, as for those who do not exist.
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
  // A user who does not exist takes as long to be refused as a hidden one, so that the time tells
  // nothing.
  const onlooker = await onlookerOf(reader, ctx, [user?.id ?? 0]);
  return user && mayName(onlooker, user, named) ? user : undefined;
}

/**
 * User by an id or an address as it stands in a path. Refuses whom the actor cannot name
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
