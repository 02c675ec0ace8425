import { and, asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import { isIn } from "../../db/sql/json";
import { type ChannelRow, findChannel } from "../channels/queries";
import { isSubscribed } from "../channels/subscribers";
import type { Audience } from "../core/audience";
import type { Context, Tx } from "../core/context";
import { hasOpenHistory, isOpenTo } from "../core/reading-right/predicate";
import { isNotSubscribed } from "../core/reading-right/sql";
import { botKinds } from "../people/bots/kinds";
import { type MessageRow, participantIds } from "./queries";

/**
 * Audience of the events about a message: the participants of its conversation, or the subscribers
 * of its channel; with protected history, people who were subscribed when it was placed there.
 */
export async function audienceOf(
  reader: Reader,
  realmId: number,
  {
    channelId,
    conversationId,
    placedAt,
  }: Pick<MessageRow, "channelId" | "conversationId" | "placedAt">,
): Promise<Audience> {
  if (channelId === null)
    return { to: "users", ids: await participantIds(reader, realmId, conversationId ?? 0) };
  const channel = await findChannel(reader, realmId, channelId);
  const isGuarded = channel !== undefined && !hasOpenHistory(channel);
  return {
    to: "subscribers",
    channelId,
    isPrivate: channel?.inviteOnly ?? true,
    ...(isGuarded ? { guardedPlace: placedAt } : {}),
  };
}

/**
 * The actor, if they are not subscribed. They hear of their own change, because their client shows
 * the message.
 */
export async function actorOutside(
  tx: Tx,
  { actor }: Context,
  channel: ChannelRow,
): Promise<number[]> {
  if (!("user" in actor)) return [];
  return (await isSubscribed(tx, channel.realmId, actor.user.id, channel.id))
    ? []
    : [actor.user.id];
}

/** A message that a user has received. */
export interface Receipt {
  userId: number;
  role: number;
  messageId: number;
}

/**
 * Generic bots that messages of a public channel mention, without a subscription to it, by message:
 * they have received these messages (`storeMessage`), and so hear of their changes. Source: in
 * Zulip such a bot has a row of the message, and everybody with a row hears of its changes.
 */
export async function mentionedBotsOutside(
  tx: Tx,
  channel: ChannelRow,
  messageIds: readonly number[],
): Promise<Receipt[]> {
  if (channel.inviteOnly) return [];
  const { realmId, id } = channel;
  const receipts = await selectBotsOutside(tx, { realmId, id, ids: JSON.stringify(messageIds) });
  return receipts.filter(({ role }) => isOpenTo(role, channel));
}

const selectBotsOutside = statement(
  (db, t, given: Given<{ realmId: number; id: number; ids: string }>, dialect) => {
    const { messageFlags: flags, users } = t;
    return db
      .select({ userId: users.id, role: users.role, messageId: flags.messageId })
      .from(flags)
      .innerJoin(users, and(eq(users.realmId, flags.realmId), eq(users.id, flags.userId)))
      .where(
        and(
          eq(flags.realmId, given.realmId),
          isIn(dialect, flags.messageId, given.ids),
          eq(flags.flag, "mentioned"),
          eq(users.botType, botKinds.generic),
          isNotSubscribed({ db, t }, given, flags.userId),
        ),
      )
      .orderBy(asc(flags.messageId));
  },
);
