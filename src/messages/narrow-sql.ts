import { and, eq, exists, inArray, isNotNull, isNull, like, or, type SQL, sql } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { listChannels, loadReadableChannel } from "../channels/queries";
import type { Context, Person } from "../core/context";
import { ApiError, badNarrow } from "../core/errors";
import { listPeriods } from "../subscriptions/queries";
import { findUser, findUserByEmail } from "../users/queries";
import { findConversation } from "./conversations";
import { listFlagged } from "./flags-state";
import type { NarrowTerm } from "./narrow";
import { findReadableMessage, isListed, type MessageRow, participantIds, placedAt, readerOf } from "./queries";
import { listUnread } from "./unread";

const roleGuest = 600;
const nothing = sql`1 = 0`;
const everything = sql`1 = 1`;

/**
 * The condition that holds for the messages that a narrow asks for and that the actor may read. Without a channel that
 * is what came to them; with one, all its history that is open to them.
 */
export async function narrowCondition(ctx: Context<Person>, terms: NarrowTerm[]): Promise<SQL> {
  const { reader, realm } = ctx;
  const conditions: (SQL | undefined)[] = [eq(reader.t.messages.realmId, realm.id), await isReadable(ctx)];
  if (!terms.some(opensHistory)) conditions.push(isReceived(ctx));
  for (const term of await followLink(ctx, terms)) {
    const condition = await termCondition(ctx, term);
    conditions.push(term.negated ? sql`not coalesce(${condition}, false)` : condition);
  }
  return and(...conditions) ?? everything;
}

/** The operators that name a conversation. */
const conversationOperators = new Set<NarrowTerm["operator"]>(["channel", "topic", "dm"]);

/**
 * Puts the conversation that the message of `with` is in now in place of the one that the narrow names, which may be the
 * one it was in when the link was made. A message that is gone or hidden leaves the narrow as it is named, if it is.
 */
async function followLink(ctx: Context<Person>, terms: NarrowTerm[]): Promise<NarrowTerm[]> {
  const links = terms.filter((term) => term.operator === "with");
  const [link] = links;
  if (link?.operator !== "with") return terms;
  if (links.length > 1 || link.negated) throw badNarrow("'with' is given once, and not negated");
  const others = terms.filter((term) => term !== link);
  const message = await findReadableMessage(ctx.reader, ctx, link.operand);
  if (message) {
    const rest = others.filter(({ operator }) => !conversationOperators.has(operator));
    return [...rest, ...(await conversationTerms(ctx, message))];
  }
  if (!others.some(({ operator }) => conversationOperators.has(operator))) throw badNarrow("unknown message");
  return others;
}

/** The narrow to the conversation that a message is in. */
async function conversationTerms({ reader, realm }: Context, message: MessageRow): Promise<NarrowTerm[]> {
  const { channelId, conversationId, topic } = message;
  if (channelId === null) {
    return [{ operator: "dm", operand: await participantIds(reader, realm.id, conversationId ?? 0), negated: false }];
  }
  return [
    { operator: "channel", operand: channelId, negated: false },
    { operator: "topic", operand: topic, negated: false },
  ];
}

/** A narrow to channels shows what was sent there before one came. */
const opensHistory = ({ operator, negated }: NarrowTerm) =>
  (operator === "channel" || operator === "channels" || operator === "with" || operator === "id") && !negated;

async function isReadable({ reader, realm, actor }: Context<Person>): Promise<SQL | undefined> {
  const { messages, subscriptionPeriods: periods } = reader.t;
  const { id: userId, role } = actor.user;
  const subscribed = new Set(
    (await listPeriods(reader, realm.id, userId))
      .filter(({ toLog }) => toLog === null)
      .map(({ channelId }) => channelId),
  );
  const channels = await listChannels(reader, realm.id);
  const isOpen = (channel: (typeof channels)[number]) => !channel.inviteOnly || channel.historyPublicToSubscribers;
  const open = channels.filter((channel) =>
    subscribed.has(channel.id) ? isOpen(channel) : !channel.inviteOnly && role !== roleGuest,
  );
  const guarded = channels.filter((channel) => subscribed.has(channel.id) && !isOpen(channel));
  const place = placedAt(reader.t);
  const inPeriod = sql`exists (select 1 from ${periods} where ${periods.realmId} = ${realm.id}
    and ${periods.userId} = ${userId} and ${periods.channelId} = ${messages.channelId}
    and ${periods.fromMessage} < ${place} and (${periods.toMessage} is null or ${place} <= ${periods.toMessage}))`;
  return or(
    isOneOf(
      reader,
      open.map(({ id }) => id),
    ),
    and(
      isOneOf(
        reader,
        guarded.map(({ id }) => id),
      ),
      inPeriod,
    ),
    isMine(reader, realm.id, userId),
  );
}

const isOneOf = (reader: Reader, channelIds: number[]) =>
  channelIds.length === 0 ? nothing : inArray(reader.t.messages.channelId, channelIds);

function isMine(reader: Reader, realmId: number, userId: number) {
  const { messages, conversationMembers: members } = reader.t;
  return exists(
    reader.db
      .select({ one: sql`1` })
      .from(members)
      .where(
        and(
          eq(members.realmId, realmId),
          eq(members.userId, userId),
          eq(members.conversationId, messages.conversationId),
        ),
      ),
  );
}

function isReceived({ reader, realm, actor }: Context<Person>) {
  const { messages, subscriptionPeriods: periods } = reader.t;
  return sql`(${messages.conversationId} is not null or exists (select 1 from ${periods}
    where ${periods.realmId} = ${realm.id} and ${periods.userId} = ${actor.user.id}
    and ${periods.channelId} = ${messages.sentChannelId} and ${periods.fromMessage} < ${messages.id}
    and (${periods.toMessage} is null or ${messages.id} <= ${periods.toMessage})))`;
}

async function termCondition(ctx: Context<Person>, term: NarrowTerm): Promise<SQL> {
  const { messages } = ctx.reader.t;
  switch (term.operator) {
    case "channel":
      return eq(messages.channelId, await channelOf(ctx, term.operand));
    case "topic":
      return and(isNotNull(messages.channelId), eq(messages.topicKey, term.operand.toLowerCase())) ?? nothing;
    case "sender":
      return eq(messages.senderId, await personOf(ctx, term.operand));
    case "id":
      return eq(messages.id, term.operand);
    case "dm":
      return conversationOf(ctx, term.operand);
    case "is":
      return stateCondition(ctx, term.operand);
    case "near":
      return everything;
    default:
      throw badNarrow(`${term.operator} is not offered yet`);
  }
}

/** A channel that the actor may read; one that is hidden and one that does not exist are refused alike. */
async function channelOf(ctx: Context, operand: string | number): Promise<number> {
  const reference = typeof operand === "number" ? { id: operand } : { name: operand };
  const { channel } = await loadReadableChannel(ctx, ctx.reader, reference).catch((error: unknown) => {
    throw error instanceof ApiError ? badNarrow("unknown channel") : error;
  });
  return channel.id;
}

async function personOf({ reader, realm }: Context, operand: string | number): Promise<number> {
  const user =
    typeof operand === "number"
      ? await findUser(reader, realm.id, operand)
      : await findUserByEmail(reader, realm.id, operand);
  if (!user) throw badNarrow("unknown user");
  return user.id;
}

async function conversationOf(ctx: Context<Person>, people: (string | number)[]): Promise<SQL> {
  const ids = new Set([ctx.actor.user.id]);
  for (const one of people) ids.add(await personOf(ctx, one));
  const sorted = [...ids].sort((a, b) => a - b);
  const conversationId = await findConversation(ctx.reader, ctx.realm.id, sorted);
  return conversationId === undefined ? nothing : eq(ctx.reader.t.messages.conversationId, conversationId);
}

type IsOperand = Extract<NarrowTerm, { operator: "is" }>["operand"];

async function stateCondition(ctx: Context<Person>, operand: IsOperand): Promise<SQL> {
  const { messages } = ctx.reader.t;
  switch (operand) {
    case "dm":
      return isNull(messages.channelId);
    case "resolved":
      return like(messages.topic, "✔ %");
    case "unread":
      return isUnread(ctx);
    case "starred":
      return isFlagged(ctx, "starred");
    case "mentioned":
      return isFlagged(ctx, "mentioned");
    case "alerted":
      return isFlagged(ctx, "has_alert_word");
    default:
      throw badNarrow(`is:${operand} is not offered yet`);
  }
}

const isFlagged = async (ctx: Context<Person>, flag: string) =>
  isListed(ctx.reader, await listFlagged(ctx.reader, ctx.realm.id, ctx.actor.user.id, flag));

/** The condition that a message is unread by the actor. */
export async function isUnread(ctx: Context<Person>): Promise<SQL> {
  const unread = await listUnread(ctx.reader, readerOf(ctx));
  return isListed(
    ctx.reader,
    unread.map(({ id }) => id),
  );
}
