import { and, asc, desc, eq, inArray, isNotNull, like } from "drizzle-orm";
import { type Given, onceAsOf, type Reader, statement } from "../../../db/reader";
import { isIn, isRowOf } from "../../../db/sql/json";
import type { RealmRow, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { roles } from "../../core/rights/role";
import { cached } from "../../memory/cached";
import { loadRealm } from "../../realm/queries";

const selectById = statement((db, t, given: Given<{ realmId: number; userId: number }>) =>
  db
    .select()
    .from(t.users)
    .where(and(eq(t.users.realmId, given.realmId), eq(t.users.id, given.userId))),
);

const selectByEmail = statement((db, t, given: Given<{ realmId: number; emailKey: string }>) =>
  db
    .select()
    .from(t.users)
    .where(and(eq(t.users.realmId, given.realmId), eq(t.users.emailKey, given.emailKey))),
);

const selectAll = statement((db, t, given: Given<{ realmId: number }>) =>
  db.select().from(t.users).where(eq(t.users.realmId, given.realmId)).orderBy(asc(t.users.id)),
);

/** Whether a user is a person who may use the organization: no bot, and not deactivated. */
export const isActivePerson = ({ isActive, botType }: Pick<UserRow, "isActive" | "botType">) =>
  isActive && botType === null;

/** Key for finding a person by their e-mail address, ignoring case. */
export const emailKeyOf = (email: string) => email.trim().toLowerCase();

/** The address that is shown instead of a user's real one: `user17@chat.example.com`. */
export const placeholderEmail = (realmHost: string, userId: number) => `user${userId}@${realmHost}`;

/** The address of the bot that sends notices. */
export const notificationBotEmail = (realmHost: string) => `notification-bot@${realmHost}`;

/**
 * The address of the bot that posts mail to a channel's address, unless somebody asked for an
 * address of their own.
 */
export const emailGatewayEmail = (realmHost: string) => `email-gateway@${realmHost}`;

/** The id in an address of the placeholder form, with any host. */
function placeholderUserId(email: string): number | undefined {
  const digits = /^user(\d{1,15})@/.exec(emailKeyOf(email))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether an address has the placeholder form of this realm, so that it cannot be a real one. */
export function isPlaceholderEmail(realm: Pick<RealmRow, "host">, email: string): boolean {
  const userId = placeholderUserId(email);
  return userId !== undefined && emailKeyOf(email) === placeholderEmail(realm.host, userId);
}

/** Whether an address given at sign-in is the user's: the real address or the placeholder. */
export const isOwnEmail = (realm: Pick<RealmRow, "host">, user: UserRow, email: string) =>
  [user.emailKey, placeholderEmail(realm.host, user.id)].includes(emailKeyOf(email));

/** A user of the realm: person or bot, active or not, including system bots. */
export async function findUser(
  reader: Reader,
  realmId: number,
  userId: number,
): Promise<UserRow | undefined> {
  if (!Number.isSafeInteger(userId)) return undefined;
  const [user] = await selectById(reader, { realmId, userId });
  return user;
}

/** A user by the real address, ignoring case, or by the placeholder. */
export async function findUserByEmail(
  reader: Reader,
  realmId: number,
  email: string,
): Promise<UserRow | undefined> {
  const emailKey = emailKeyOf(email);
  const [user] = await selectByEmail(reader, { realmId, emailKey });
  const userId = placeholderUserId(emailKey);
  if (user || userId === undefined) return user;
  const realm = await loadRealm(reader, realmId);
  return emailKey === placeholderEmail(realm.host, userId)
    ? findUser(reader, realmId, userId)
    : undefined;
}

/** One answer for a missing user and for one whom the actor may not see. */
export const noSuchUser = () => badRequest("No such user");

/** A user by id; refuses an id that is not of this realm. */
export async function loadUser(reader: Reader, realmId: number, userId: number): Promise<UserRow> {
  const user = await findUser(reader, realmId, userId);
  if (!user) throw noSuchUser();
  return user;
}

const selectByIds = statement((db, t, given: Given<{ realmId: number; ids: string }>, dialect) =>
  db
    .select()
    .from(t.users)
    .where(isRowOf(dialect, t.users, given.realmId, given.ids)),
);

/** Users among these that exist, in no particular order. */
export async function findUsersByIds(
  reader: Reader,
  realmId: number,
  ids: readonly number[],
): Promise<UserRow[]> {
  return ids.length === 0 ? [] : selectByIds(reader, { realmId, ids: JSON.stringify(ids) });
}

type Everybody = Record<"users" | "bots", readonly UserRow[]>;

const everybody = cached(
  ["users"],
  async (reader, realmId): Promise<Everybody> => {
    const { users = [], bots = [] } = Object.groupBy(
      await selectAll(reader, { realmId }),
      ({ isSystemBot }) => (isSystemBot ? "bots" : "users"),
    );
    return { users, bots };
  },
  { isOneRead: true, renew: renewEverybody },
);

/** Replaces the changed rows; the others stay, and with them the texts that were made of them. */
async function renewEverybody(
  { users, bots }: Everybody,
  reader: Reader,
  realmId: number,
  ids: readonly number[],
): Promise<Everybody> {
  const rows = new Map((await findUsersByIds(reader, realmId, ids)).map((user) => [user.id, user]));
  const renewed = (before: readonly UserRow[]) => before.map((user) => rows.get(user.id) ?? user);
  return { users: renewed(users), bots: renewed(bots) };
}

/** All users of the realm, active or not, by id; without system bots. */
export async function listUsers(reader: Reader, realmId: number): Promise<readonly UserRow[]> {
  return (await everybody(reader, realmId)).users;
}

/** The bots that chatd itself sends messages as. */
export async function listSystemBots(reader: Reader, realmId: number): Promise<readonly UserRow[]> {
  return (await everybody(reader, realmId)).bots;
}

const selectNewestMessage = statement((db, t, given: Given<{ realmId: number }>) =>
  db
    .select({ id: t.messages.id })
    .from(t.messages)
    .where(eq(t.messages.realmId, given.realmId))
    .orderBy(desc(t.messages.id))
    .limit(1),
);

/** The id of the realm's newest message, or −1. */
export async function newestMessageId(reader: Reader, realmId: number): Promise<number> {
  const [row] = await onceAsOf(reader, `newest message of ${realmId}`, () =>
    selectNewestMessage(reader, { realmId }),
  );
  return row?.id ?? -1;
}

/**
 * The people with whom somebody shares a channel or a direct conversation, including themself.
 * Where guests see only some people, these are the people whom a guest sees, and who see a guest.
 * `among` limits the search.
 */
export async function listSharers(
  reader: Reader,
  realmId: number,
  userId: number,
  among?: readonly number[],
): Promise<Set<number>> {
  if (among) return (await sharersAmong(reader, realmId, [userId], among)).get(userId) ?? new Set();
  const { subscriptions } = reader.t;
  const ofRealm = and(eq(subscriptions.realmId, realmId), eq(subscriptions.isActive, true));
  const channels = reader.db
    .select({ id: subscriptions.channelId })
    .from(subscriptions)
    .where(and(ofRealm, eq(subscriptions.userId, userId)));
  const rows = await reader.db
    .selectDistinct({ id: subscriptions.userId })
    .from(subscriptions)
    .where(and(ofRealm, inArray(subscriptions.channelId, channels)));
  const partners = await conversationsOf(reader, realmId, [userId]);
  return new Set([
    userId,
    ...rows.map(({ id }) => id),
    ...partners.flatMap(({ others }) => others),
  ]);
}

const selectChannelsOf = statement(
  (db, { subscriptions: s }, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .select({ userId: s.userId, channelId: s.channelId })
      .from(s)
      .where(
        and(eq(s.realmId, given.realmId), eq(s.isActive, true), isIn(dialect, s.userId, given.ids)),
      ),
);

const selectSubscribersAmong = statement(
  (
    db,
    { subscriptions: s },
    given: Given<{ realmId: number; channelIds: string; ids: string }>,
    dialect,
  ) =>
    db
      .select({ userId: s.userId, channelId: s.channelId })
      .from(s)
      .where(
        and(
          eq(s.realmId, given.realmId),
          isIn(dialect, s.channelId, given.channelIds),
          eq(s.isActive, true),
          isIn(dialect, s.userId, given.ids),
        ),
      ),
);

/**
 * Sharers of several users at once, by user id: for each, the people among `others` with whom they
 * share a channel or conversation.
 */
export async function sharersAmong(
  reader: Reader,
  realmId: number,
  userIds: readonly number[],
  among: readonly number[],
): Promise<Map<number, Set<number>>> {
  const wanted = new Set(among);
  const sharers = new Map(userIds.map((id) => [id, new Set(wanted.has(id) ? [id] : [])]));
  const joined = await selectChannelsOf(reader, { realmId, ids: JSON.stringify(userIds) });
  const channelIds = JSON.stringify([...new Set(joined.map(({ channelId }) => channelId))]);
  const others = await selectSubscribersAmong(reader, {
    realmId,
    channelIds,
    ids: JSON.stringify(among),
  });
  const byChannel = Map.groupBy(others, ({ channelId }) => channelId);
  for (const { userId, channelId } of joined) {
    for (const other of byChannel.get(channelId) ?? []) sharers.get(userId)?.add(other.userId);
  }
  for (const { userId, others: partners } of await conversationsOf(reader, realmId, userIds)) {
    for (const id of partners) if (wanted.has(id)) sharers.get(userId)?.add(id);
  }
  return sharers;
}

const selectConversationsOf = statement(
  (
    db,
    { conversations, conversationMembers: members },
    given: Given<{ realmId: number; ids: string }>,
    dialect,
  ) =>
    db
      .select({ userId: members.userId, userIds: conversations.userIds })
      .from(members)
      .innerJoin(
        conversations,
        and(
          eq(conversations.realmId, members.realmId),
          eq(conversations.id, members.conversationId),
        ),
      )
      .where(and(eq(members.realmId, given.realmId), isIn(dialect, members.userId, given.ids))),
);

/** The direct conversations of some users, each with all participants. */
async function conversationsOf(reader: Reader, realmId: number, userIds: readonly number[]) {
  const rows = await selectConversationsOf(reader, { realmId, ids: JSON.stringify(userIds) });
  return rows.map(({ userId, userIds: joined }) => ({
    userId,
    others: joined.split(",").map(Number),
  }));
}

/** The ids of the active guests of a realm. */
export async function listGuestIds(reader: Reader, realmId: number): Promise<number[]> {
  const { users } = reader.t;
  const isGuest = and(
    eq(users.realmId, realmId),
    eq(users.role, roles.guest),
    eq(users.isActive, true),
  );
  return (await reader.db.select({ id: users.id }).from(users).where(isGuest)).map(({ id }) => id);
}

/** The users whose settings limit who may read their address; everybody may read the others'. */
export async function listGuarded(reader: Reader, realmId: number): Promise<UserRow[]> {
  const { users } = reader.t;
  const isGuarded = and(
    eq(users.realmId, realmId),
    like(users.settings, "%email_address_visibility%"),
  );
  return reader.db.select().from(users).where(isGuarded);
}

const selectBots = statement((db, { users }, given: Given<{ realmId: number }>) =>
  db
    .select()
    .from(users)
    .where(
      and(eq(users.realmId, given.realmId), isNotNull(users.botType), eq(users.isSystemBot, false)),
    )
    .orderBy(asc(users.id)),
);

/** The bots of a realm, active or not, without system bots. */
export async function listBots(reader: Reader, realmId: number): Promise<UserRow[]> {
  return selectBots(reader, { realmId });
}
