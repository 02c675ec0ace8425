import { and, asc, eq, gte } from "drizzle-orm";
import { type ChannelRow, findAccess, invalidChannel } from "../../channels/queries";
import { topicKey } from "../../channels/topics/empty-topic";
import { isTopicThere } from "../../channels/topics/queries";
import { resolutionOf, resolvesEmptyTopic } from "../../channels/topics/resolved";
import type { Context, Person, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { placedAt } from "../../core/reading-right/sql";
import { readableBy } from "../../core/reading-right/stored";
import type { ChangeableMessage } from "../../reading/changeable";
import type { MessageRow } from "../../reading/queries";
import { isVisibleTopic, normalizeTopic, visibleTopic } from "../send/addressee";

/** New place of a message, or of a topic from it on. */
export interface WantedMove {
  topic: string | undefined;
  channelId: number | undefined;
  propagateMode: "change_one" | "change_later" | "change_all";
  notifyOld: boolean;
  notifyNew: boolean;
}

export type PreparedMove = WantedMove;

/** A move from one topic to another, before its messages are looked up. */
export interface Move {
  /** The message in the request. */
  message: MessageRow;
  from: ChannelRow;
  /** The new channel; equals `from` where the channel stays. */
  into: ChannelRow;
  /** The new topic. */
  topic: string;
  /** Whether the topic differs from that of `message`. */
  renames: boolean;
  /** Whether the request names a channel, even the present one. */
  namesChannel: boolean;
  /** The kind of change, if it only resolves or unresolves the topic. */
  resolution: "resolved" | "unresolved" | undefined;
  wanted: PreparedMove;
}

/**
 * The stored form of a topic. Refuses a resolved empty topic, because an empty topic cannot be
 * resolved.
 */
export function checkTopic(topic: string | undefined): string | undefined {
  if (topic === undefined) return undefined;
  const normalized = normalizeTopic(topic);
  if (resolvesEmptyTopic(normalized, (name) => normalizeTopic(name) === "")) {
    throw badRequest("The empty topic cannot be resolved: give it a name first.");
  }
  return normalized;
}

/** Refusal (BAD_REQUEST) to move a direct message. */
export const directMessageStays = () =>
  badRequest("A direct message has no topic and cannot be moved to a channel.");

/** Plan of a move of a channel message; undefined where it is already there. */
export async function planMove(
  tx: Tx,
  ctx: Context<Person>,
  { message, channel: from }: ChangeableMessage,
  wanted: PreparedMove,
): Promise<Move | undefined> {
  if (!from) throw directMessageStays();
  const { channelId } = wanted;
  const namesChannel = channelId !== undefined;
  if (!namesChannel && (wanted.topic ?? message.topic) === message.topic) return undefined;
  const into =
    channelId === undefined || channelId === from.id ? from : await loadTarget(tx, ctx, channelId);
  const topic = await topicToBe(tx, into, message.topic, wanted.topic ?? message.topic);
  const renames = topic !== message.topic;
  if (!renames && into.id === from.id) return undefined;
  const resolution = resolutionOf(message.topic, topic, normalizeTopic);
  return { message, from, into, topic, renames, namesChannel, resolution, wanted };
}

/**
 * The stored name of the new topic. An existing name is kept unchanged, even with invisible
 * characters, and so is one that is only resolved; a new one loses them.
 */
async function topicToBe(
  tx: Tx,
  into: ChannelRow,
  before: string,
  wanted: string,
): Promise<string> {
  const isKept =
    isVisibleTopic(wanted) ||
    topicKey(wanted) === topicKey(before) ||
    resolutionOf(before, wanted, normalizeTopic) !== undefined ||
    (await isTopicThere(tx, into.realmId, into.id, wanted));
  return isKept ? wanted : visibleTopic(wanted);
}

/** A channel that the actor may not read is refused like one that does not exist. */
async function loadTarget(tx: Tx, ctx: Context<Person>, id: number): Promise<ChannelRow> {
  const access = await findAccess(ctx, tx, { id });
  if (!access?.mayRead) throw invalidChannel({ id });
  if (access.channel.isArchived)
    throw badRequest(`The channel '${access.channel.name}' is archived.`);
  return access.channel;
}

/**
 * Number of messages that a statement of a move changes at once, because others wait for their turn
 * of the event loop meanwhile.
 */
export const messagesPerPiece = 1_000;

/** Number of messages that are listed at once. */
const messagesPerPage = 10_000;

export const changesChannel = ({ from, into }: Move): boolean => from.id !== into.id;

/** A message that is part of the move. */
export interface MovedMessage {
  id: number;
  placedAt: number;
  topic: string;
  sentAt: number;
}

/** The condition that a message belongs to a topic, and that the actor may read it. */
async function isInReadableTopic(
  tx: Tx,
  { actor }: Context<Person>,
  channel: ChannelRow,
  topic: string,
) {
  const { messages } = tx.t;
  return and(
    eq(messages.realmId, channel.realmId),
    eq(messages.channelId, channel.id),
    eq(messages.topicKey, topicKey(topic)),
    await readableBy(tx, actor.user.id, channel),
  );
}

/**
 * Messages of the propagate mode, oldest first, among the topic's messages that the actor may read.
 */
export async function listMoved(
  tx: Tx,
  ctx: Context<Person>,
  { message, from, wanted }: Move,
): Promise<MovedMessage[]> {
  const { messages } = tx.t;
  const { id, topic, sentAt } = message;
  if (wanted.propagateMode === "change_one")
    return [{ id, topic, sentAt, placedAt: message.placedAt }];
  const isInTopic = await isInReadableTopic(tx, ctx, from, topic);
  const found: MovedMessage[] = [];
  for (let next = wanted.propagateMode === "change_later" ? id : 0; ; await tx.pause?.()) {
    const page = await tx.db
      .select({
        id: messages.id,
        placedAt: placedAt(tx.t),
        topic: messages.topic,
        sentAt: messages.sentAt,
      })
      .from(messages)
      .where(and(isInTopic, gte(messages.id, next)))
      .orderBy(asc(messages.id))
      .limit(messagesPerPage);
    found.push(...page);
    next = (page.at(-1)?.id ?? 0) + 1;
    if (page.length < messagesPerPage) return found;
  }
}

/** Whether the old place has no messages left that the actor can see. */
export const isLeftEmpty = async (tx: Tx, ctx: Context<Person>, { message, from }: Move) =>
  !(await hasReadable(tx, ctx, from, message.topic));

/**
 * Whether the new place had messages before that the actor can see. Others do not count, because
 * the notice must not tell of them.
 */
export const joinsReadable = async (tx: Tx, ctx: Context<Person>, move: Move) =>
  (changesChannel(move) || topicKey(move.topic) !== topicKey(move.message.topic)) &&
  (await hasReadable(tx, ctx, move.into, move.topic));

async function hasReadable(tx: Tx, ctx: Context<Person>, channel: ChannelRow, topic: string) {
  const { messages } = tx.t;
  const rows = await tx.db
    .select({ id: messages.id })
    .from(messages)
    .where(await isInReadableTopic(tx, ctx, channel, topic))
    .limit(1);
  return rows.length > 0;
}
