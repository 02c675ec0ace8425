import { and, eq } from "drizzle-orm";
import { type Given, statement, statements } from "../../../db/reader";
import { findTraits } from "../../../db/schema/traits";
import { isIn, parseNumbers } from "../../../db/sql/json";
import { noteFirstMessage } from "../../channels/first-message";
import type { ChannelRow } from "../../channels/queries";
import { findFirstMessageId } from "../../channels/topics/queries";
import type { Audience } from "../../core/audience";
import type { Context, Tx } from "../../core/context";
import { isOpenTo } from "../../core/reading-right/predicate";
import { isNotSubscribed } from "../../core/reading-right/sql";
import { withdrawGone } from "../../devices/push/withdraw";
import { findUsersByIds } from "../../people/users/queries";
import { actorOutside, mentionedBotsOutside } from "../../reading/message-audience";
import type { MessageRow } from "../../reading/queries";
import { releaseAttachmentsIn } from "../../uploads/links";
import { starsRemoved } from "../flags/events";
import { announceGoneIn } from "./events";
import { groupByReaders } from "./group-by-readers";

type Removed = Pick<MessageRow, "id" | "placedAt">;

/**
 * Deletes messages of one topic with their history, reactions, submessages, flags and links to
 * files, without a check of rights. `topic` is the topic's newest spelling. Announces:
 *
 * - `delete_message` to subscribers who could read them, to other readers who have starred them, to
 *   bots that they mention, and to the actor;
 * - `update_message_flags` to people who have starred them and may not read there any more, because
 *   their stars are gone;
 * - `stream`, op `update`, if the channel's oldest message was among them.
 */
export async function removeFromTopicIn(
  tx: Tx,
  ctx: Context,
  channel: ChannelRow,
  topic: string,
  messages: readonly Removed[],
) {
  const removed = messages.toSorted((a, b) => a.id - b.id);
  const ids = removed.map(({ id }) => id);
  const mentioned = await mentionedBotsOutside(tx, channel, ids);
  const held = [...mentioned, ...(await takeStarsOutside(tx, channel, ids))];
  await removeRows(tx, channel.realmId, ids);
  await announceRemoved(tx, ctx, channel, topic, removed, byHolder(held));
  if (channel.firstMessageId === null || !ids.includes(channel.firstMessageId)) return;
  await noteFirstMessage(
    tx,
    ctx,
    channel,
    await findFirstMessageId(tx, channel.realmId, channel.id),
  );
}

/**
 * Deletes messages of one direct conversation, likewise, by their ids in ascending order. Announces
 * `delete_message` to its participants.
 */
export async function removeDirectIn(
  tx: Tx,
  realmId: number,
  ids: number[],
  participantIds: number[],
) {
  await removeRows(tx, realmId, ids);
  await announceGoneIn(tx, { to: "users", ids: participantIds }, ids, undefined);
}

/** Some messages, by their ids as JSON. */
type OfMessages = { realmId: number; ids: string };

const deleteMessages = statement(
  (db, { messages }, given: Given<OfMessages>, dialect) =>
    db
      .delete(messages)
      .where(and(eq(messages.realmId, given.realmId), isIn(dialect, messages.id, given.ids))),
  { rowsOf: ({ ids }) => parseNumbers(ids) },
);

/** A statement for each table whose rows go with their messages. */
const deletions = statements<OfMessages, unknown>(16);

async function removeRows(tx: Tx, realmId: number, messageIds: number[]) {
  await releaseAttachmentsIn(tx, realmId, messageIds);
  const ofMessages = { realmId, ids: JSON.stringify(messageIds) };
  for (const [name, table] of Object.entries(tx.t)) {
    if (!("messageId" in table && "realmId" in table)) continue;
    if (findTraits(table)?.onMessageDeleted !== "remove") continue;
    const deleteRows = deletions(`${tx.dialect} ${name}`, (db, _, given, dialect) =>
      db
        .delete(table)
        .where(and(eq(table.realmId, given.realmId), isIn(dialect, table.messageId, given.ids))),
    );
    await deleteRows(tx, ofMessages);
  }
  await deleteMessages(tx, ofMessages);
  await withdrawGone(tx, realmId, messageIds);
}

/** A message that somebody holds without a subscription to its channel. */
interface Holding {
  userId: number;
  messageId: number;
}

const deleteStarsOutside = statement(
  (db, t, given: Given<OfMessages & { id: number }>, dialect) => {
    const { messageFlags: flags } = t;
    return db
      .delete(flags)
      .where(
        and(
          eq(flags.realmId, given.realmId),
          isIn(dialect, flags.messageId, given.ids),
          eq(flags.flag, "starred"),
          isNotSubscribed({ db, t }, given, flags.userId),
        ),
      )
      .returning({ userId: flags.userId, messageId: flags.messageId });
  },
);

/** Removes the stars of people who are not subscribed to a channel from some of its messages. */
async function takeStarsOutside(
  tx: Tx,
  { realmId, id }: ChannelRow,
  messageIds: readonly number[],
): Promise<Holding[]> {
  return deleteStarsOutside(tx, { realmId, id, ids: JSON.stringify(messageIds) });
}

/** The ids of the messages that each user holds, in ascending order. */
const byHolder = (held: readonly Holding[]): Map<number, number[]> =>
  new Map(
    [...Map.groupBy(held, ({ userId }) => userId)].map(([userId, rows]) => [
      userId,
      [...new Set(rows.map(({ messageId }) => messageId))].sort((a, b) => a - b),
    ]),
  );

/** With protected history people hear of the messages that they could read. */
async function announceRemoved(
  tx: Tx,
  ctx: Context,
  channel: ChannelRow,
  topic: string,
  removed: readonly Removed[],
  held: ReadonlyMap<number, number[]>,
) {
  const outsiders = await actorOutside(tx, ctx, channel);
  const place = { stream_id: channel.id, topic };
  const tell = (audience: Audience, gone: number[]) => announceGoneIn(tx, audience, gone, place);
  const idsOf = (messages: readonly Removed[]) => messages.map(({ id }) => id);
  const ids = idsOf(removed);
  for (const { place: at, messages } of await groupByReaders(tx, channel, removed))
    await tell({ to: "subscribers", ...at }, idsOf(messages));
  if (outsiders.length > 0) await tell({ to: "users", ids: outsiders }, ids);
  for (const { id, role } of await findUsersByIds(tx, channel.realmId, [...held.keys()])) {
    const [audience, theirs] = [{ to: "users" as const, ids: [id] }, held.get(id) ?? []];
    if (outsiders.includes(id)) continue;
    if (isOpenTo(role, channel)) await tell(audience, theirs);
    else await tx.emit(audience, starsRemoved(theirs));
  }
}
