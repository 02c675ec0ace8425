import { and, eq, sql } from "drizzle-orm";
import { statements } from "../../../db/reader";
import { isIn, parseNumbers } from "../../../db/sql/json";
import { noteFirstMessage } from "../../channels/first-message";
import type { ChannelRow } from "../../channels/queries";
import { readNewestIds } from "../../channels/subscribers";
import { topicKey } from "../../channels/topics/empty-topic";
import { findFirstMessageId, isTopicThere } from "../../channels/topics/queries";
import { isRecent, wakeChannel } from "../../channels/traffic";
import { moveUserTopicsIn } from "../../channels/user-topics/move";
import { inChunks } from "../../core/chunks";
import type { Context, Person, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { withdrawUnreadable } from "../../devices/push/withdraw-unreadable";
import type { ChangeableMessage } from "../../reading/changeable";
import { announceEditIn, type ContentEdit } from "../content/change";
import { admitNewcomers, keepFromLeavers, takeFromLosersIn } from "./access";
import { announceMoveIn } from "./announce";
import { storeMoveHistory } from "./history";
import { tellMove } from "./notices";
import { requireInTime, requireMayMove } from "./permission";
import {
  changesChannel,
  checkTopic,
  isLeftEmpty,
  joinsReadable,
  listMoved,
  type Move,
  type MovedMessage,
  messagesPerPiece,
  type PreparedMove,
  planMove,
  type WantedMove,
} from "./plan";

export type { PreparedMove, WantedMove } from "./plan";

/** The part before the write. Refuses an invalid topic name, and a resolved empty topic. */
export async function prepareMove(
  _ctx: Context<Person>,
  wanted: WantedMove,
): Promise<PreparedMove> {
  return { ...wanted, topic: checkTopic(wanted.topic) };
}

/**
 * The part inside the write: moves a message, and the other messages of its propagate mode, to
 * another topic or channel, in pieces between which others have their turn. Announces
 * `update_message` to people who may read them before and after, with the fields of `edit`;
 * `delete_message` to people who lose them; `user_topic` where policies move with a whole topic;
 * `stream` updates where a channel's oldest message changes or it becomes active; and the notices
 * of `tellMove`. Where nothing moves it leaves an edit to `announceEditIn`; a request that names
 * the present channel succeeds and changes nothing. Refuses moves that `requireMayMove` and
 * `requireInTime` refuse, a channel that the actor may not read like one that does not exist, and a
 * request that names only the present topic. Source: `docs/protocol/specification.md`, PATCH
 * /messages/{message_id}; recorded behaviour of the reference server; `docs/protocol/decisions.md`
 * 20.
 */
export async function moveIn(
  tx: Tx,
  ctx: Context<Person>,
  changeable: ChangeableMessage,
  prepared: PreparedMove,
  edit: ContentEdit | undefined,
): Promise<void> {
  const move = await planMove(tx, ctx, changeable, prepared);
  if (!move) {
    if (edit) return announceEditIn(tx, ctx, changeable, edit);
    if (prepared.channelId !== undefined) return;
    throw badRequest("Nothing to change: the message is in that topic already.");
  }
  await requireMayMove(tx, ctx, move);
  const moved = await listMoved(tx, ctx, move);
  requireInTime(ctx, move, moved);
  const { into, topic } = move;
  const merges = await isTopicThere(tx, into.realmId, into.id, topic);
  const joinsOthers = merges && move.wanted.notifyNew && (await joinsReadable(tx, ctx, move));
  await storeMoveHistory(tx, ctx, move, idsOf(moved), edit);
  await storeMoved(tx, ctx, move, moved);
  await announceMoveIn(tx, ctx, move, moved, edit);
  await tx.pause?.();
  if (changesChannel(move)) {
    await takeFromLosersIn(tx, move, moved);
    await tx.pause?.();
    await noteFirstMessages(tx, ctx, move, moved);
    await withdrawUnreadable(tx, into.realmId, idsOf(moved));
    if (!into.isRecentlyActive && moved.some(({ sentAt }) => isRecent(sentAt, tx.now)))
      await wakeChannel(tx, ctx, into.id);
  }
  const isWhole = prepared.propagateMode === "change_all" || (await isLeftEmpty(tx, ctx, move));
  if (isWhole) await moveWishes(tx, move, moved, merges);
  await tellMove(tx, ctx, move, moved, { isWhole, joinsOthers });
  auditMove(tx, ctx, changeable, move, moved.length);
}

function auditMove(
  tx: Tx,
  ctx: Context,
  { message }: ChangeableMessage,
  { into, topic }: Move,
  count: number,
) {
  tx.audit(ctx, {
    action: "message.move",
    kind: "message",
    ids: [message.id],
    before: { channel_id: message.channelId, topic: message.topic },
    after: { channel_id: into.id, topic, message_count: count },
  });
}

interface StoredMove {
  realmId: number;
  ids: string;
  topic: string;
  topicKey: string;
  channelId: number;
  placedAt: number;
  movedAt: number;
}

/** Forms of a move: whether it renames, changes the channel, and only resolves a topic. */
const updates = statements<StoredMove, { id: number }[]>(8, {
  rowsOf: ({ ids }) => parseNumbers(ids),
});

async function storeMoved(
  tx: Tx,
  { realm, now }: Context,
  move: Move,
  moved: readonly MovedMessage[],
) {
  const { into, topic, renames, namesChannel, resolution } = move;
  const placedAt = changesChannel(move) ? (await readNewestIds(tx, realm.id)).message : undefined;
  if (placedAt !== undefined) {
    await keepFromLeavers(tx, into, placedAt);
    await admitNewcomers(tx, into, placedAt);
  }
  const isOnlyResolved = resolution !== undefined && !namesChannel;
  const isElsewhere = placedAt !== undefined;
  const run = updates(`${renames} ${isElsewhere} ${isOnlyResolved}`, (db, t, given, dialect) =>
    db
      .update(t.messages)
      .set({
        ...(renames ? { topic: sql`${given.topic}`, topicKey: sql`${given.topicKey}` } : {}),
        ...(isElsewhere
          ? { channelId: sql`${given.channelId}`, placedAt: sql`${given.placedAt}` }
          : {}),
        ...(isOnlyResolved ? {} : { lastMovedAt: sql`${given.movedAt}` }),
      })
      .where(and(eq(t.messages.realmId, given.realmId), isIn(dialect, t.messages.id, given.ids)))
      .returning({ id: t.messages.id }),
  );
  for (const ids of inChunks(idsOf(moved), messagesPerPiece)) {
    await run(tx, {
      realmId: realm.id,
      ids: JSON.stringify(ids),
      topic,
      topicKey: topicKey(topic),
      channelId: into.id,
      placedAt: placedAt ?? 0,
      movedAt: now,
    });
    await tx.pause?.();
  }
}

const idsOf = (moved: readonly MovedMessage[]) => moved.map(({ id }) => id);

async function noteFirstMessages(
  tx: Tx,
  ctx: Context,
  { from, into }: Move,
  moved: readonly MovedMessage[],
) {
  const first = moved[0]?.id ?? 0;
  const note = (channel: ChannelRow, id: number | null) => noteFirstMessage(tx, ctx, channel, id);
  if (moved.some(({ id }) => id === from.firstMessageId)) {
    await note(from, await findFirstMessageId(tx, from.realmId, from.id));
  }
  if (into.firstMessageId === null || first < into.firstMessageId) await note(into, first);
}

function moveWishes(
  tx: Tx,
  { message, from, into, topic }: Move,
  moved: readonly MovedMessage[],
  merges: boolean,
) {
  const source = { channel: from, topic: message.topic, moved };
  return moveUserTopicsIn(tx, from.realmId, source, { channel: into, topic, hasMessages: merges });
}
