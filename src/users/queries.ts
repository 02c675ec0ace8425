import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { type Reader, statement } from "../../db/reader";
import type { RealmRow, UserRow } from "../core/context";
import { badRequest } from "../core/errors";
import { loadRealm } from "../realm/queries";

const selectById = statement((db, t) =>
  db
    .select()
    .from(t.users)
    .where(and(eq(t.users.realmId, sql.placeholder("realmId")), eq(t.users.id, sql.placeholder("userId")))),
);

const selectByEmail = statement((db, t) =>
  db
    .select()
    .from(t.users)
    .where(and(eq(t.users.realmId, sql.placeholder("realmId")), eq(t.users.emailKey, sql.placeholder("emailKey")))),
);

const selectAll = statement((db, t) =>
  db
    .select()
    .from(t.users)
    .where(eq(t.users.realmId, sql.placeholder("realmId")))
    .orderBy(asc(t.users.id)),
);

/** What an e-mail address is found by: two that differ by case alone are one. */
export const emailKeyOf = (email: string) => email.trim().toLowerCase();

/** The address that stands for a user where the real one is not shown: `user17@chat.example.com`. */
export const placeholderEmail = (realmHost: string, userId: number) => `user${userId}@${realmHost}`;

/** The address of the bot that tells people what happened. */
export const notificationBotEmail = (realmHost: string) => `notification-bot@${realmHost}`;

/** The id in an address of the placeholder form, of whatever host. */
function placeholderUserId(email: string): number | undefined {
  const digits = /^user(\d{1,15})@/.exec(emailKeyOf(email))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether an address has the placeholder form of this realm, so that it can be nobody's real one. */
export function isPlaceholderEmail(realm: Pick<RealmRow, "host">, email: string): boolean {
  const userId = placeholderUserId(email);
  return userId !== undefined && emailKeyOf(email) === placeholderEmail(realm.host, userId);
}

/** Whether a sign-in under this address is the user's own: the real address or the placeholder. */
export const isOwnEmail = (realm: Pick<RealmRow, "host">, user: UserRow, email: string) =>
  [user.emailKey, placeholderEmail(realm.host, user.id)].includes(emailKeyOf(email));

/** A user of the realm: person or bot, active or not, the system's own bots included. */
export async function findUser(reader: Reader, realmId: number, userId: number): Promise<UserRow | undefined> {
  if (!Number.isSafeInteger(userId)) return undefined;
  const [user] = await selectById(reader, { realmId, userId });
  return user;
}

/** A user by the real address, whatever its case, or by the placeholder. */
export async function findUserByEmail(reader: Reader, realmId: number, email: string): Promise<UserRow | undefined> {
  const emailKey = emailKeyOf(email);
  const [user] = await selectByEmail(reader, { realmId, emailKey });
  const userId = placeholderUserId(emailKey);
  if (user || userId === undefined) return user;
  const realm = await loadRealm(reader, realmId);
  return emailKey === placeholderEmail(realm.host, userId) ? findUser(reader, realmId, userId) : undefined;
}

const noSuchUser = () => badRequest("No such user");

/** A user by id; refuses an id that is not of this realm. */
export async function loadUser(reader: Reader, realmId: number, userId: number): Promise<UserRow> {
  const user = await findUser(reader, realmId, userId);
  if (!user) throw noSuchUser();
  return user;
}

/** A user by id or by address, as they stand in a path; refuses what names nobody. */
export async function loadUserNamed(reader: Reader, realmId: number, idOrEmail: string): Promise<UserRow> {
  const isId = /^\d+$/.test(idOrEmail);
  const user = isId
    ? await findUser(reader, realmId, Number(idOrEmail))
    : await findUserByEmail(reader, realmId, idOrEmail);
  if (!user) throw noSuchUser();
  return user;
}

/** Those of some users that exist, in no particular order. */
export async function findUsersByIds(reader: Reader, realmId: number, ids: readonly number[]): Promise<UserRow[]> {
  if (ids.length === 0) return [];
  const { t } = reader;
  return reader.db
    .select()
    .from(t.users)
    .where(and(eq(t.users.realmId, realmId), inArray(t.users.id, [...ids])));
}

/** Everybody who belongs to the realm, active or not, by id; the system's own bots do not. */
export async function listUsers(reader: Reader, realmId: number): Promise<UserRow[]> {
  const users = await selectAll(reader, { realmId });
  return users.filter(({ isSystemBot }) => !isSystemBot);
}

/** The bots that chatd itself speaks through. */
export async function listSystemBots(reader: Reader, realmId: number): Promise<UserRow[]> {
  const users = await selectAll(reader, { realmId });
  return users.filter(({ isSystemBot }) => isSystemBot);
}

const selectNewestMessage = statement((db, t) =>
  db
    .select({ id: t.messages.id })
    .from(t.messages)
    .where(eq(t.messages.realmId, sql.placeholder("realmId")))
    .orderBy(desc(t.messages.id))
    .limit(1),
);

/** The id of the realm's newest message, or −1. */
export async function newestMessageId(reader: Reader, realmId: number): Promise<number> {
  const [row] = await selectNewestMessage(reader, { realmId });
  return row?.id ?? -1;
}
