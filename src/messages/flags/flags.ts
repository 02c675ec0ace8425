import { type Static, Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { isIn } from "../../../db/sql/json";
import { inChunks } from "../../core/chunks";
import type { Context, OfPerson, Person, Tx } from "../../core/context";
import { badRequest, invalidMessage } from "../../core/errors";
import {
  flag as boolean,
  either,
  type Input,
  ids,
  integer,
  nullable,
  optional,
  record,
  text,
  word,
} from "../../core/params";
import { beginLongWork } from "../../core/turns/turn";
import { write } from "../../core/write";
import { renewSender } from "../../people/users/renew-context";
import { ownFlags } from "../../reading/flags-of-messages";
import {
  filterReadable,
  type PlacedMessage,
  participantsOf,
  readerOf,
} from "../../reading/queries";
import { isWithinReach, loadReadState } from "../../reading/read-state";
import { findPlaced } from "../../reading/texts";
import { unmutedAmong } from "../../reading/unmuted";
import { mentionedAmong } from "../attention/mentioned";
import { narrow } from "../narrow/narrow";
import { messagesPerRequestMax, readRange } from "../narrow/read-range";
import { markRead, markUnread } from "./change-read";
import { flagsAdded, flagsRemoved, type UnreadAgain } from "./events";

export const UpdateMessageFlags = record({
  messages: ids(),
  op: word("add", "remove"),
  flag: text(),
});

export const FlagUpdate = record({
  messages: Type.Array(Type.Integer(), { description: "The requested ids." }),
  ignored_because_not_subscribed_channels: Type.Array(Type.Integer()),
});

/**
 * Sets or clears a flag on messages for the actor alone: `read`, `starred` or `collapsed`. Marking
 * as read skips messages that do not exist or that the actor may not read; every other change is
 * refused as a whole because of them. Messages of channels that the actor is not subscribed to do
 * not become unread: the answer names these channels. Announces `update_message_flags` to the
 * actor's own clients, with the facts that they need to show a message as unread again.
 */
export async function updateMessageFlags(
  ctx: Context<Person>,
  { messages: asked, op, flag }: Input<typeof UpdateMessageFlags>,
): Promise<Static<typeof FlagUpdate>> {
  requireSettable(flag);
  const { ignoredChannels } = await write(ctx, async (tx) => {
    const found = await findTheirs(tx, ctx, asked);
    const passesOver = flag === "read" && op === "add";
    if (!passesOver && found.length < new Set(asked).size) throw invalidMessage();
    return changeFlags(tx, ctx, found, op, flag);
  });
  return { messages: asked, ignored_because_not_subscribed_channels: ignoredChannels };
}

export const UpdateFlagsForNarrow = record({
  anchor: either(integer(), text()),
  includeAnchor: optional(boolean()),
  numBefore: integer({ minimum: 0 }),
  numAfter: integer({ minimum: 0 }),
  narrow: narrow(),
  op: word("add", "remove"),
  flag: text(),
});

export const NarrowUpdate = record({
  processed_count: Type.Integer({ description: "Number of messages that were processed." }),
  updated_count: Type.Integer({ description: "Number of messages whose flag changed." }),
  first_processed_id: nullable(Type.Integer()),
  last_processed_id: nullable(Type.Integer()),
  found_oldest: Type.Boolean(),
  found_newest: Type.Boolean(),
  ignored_because_not_subscribed_channels: Type.Array(Type.Integer()),
});

/**
 * Sets or clears a flag on the messages of a narrow around an anchor, as `updateMessageFlags` does.
 * Answers which messages were processed, how many of them changed, and whether the range ends
 * there. If the range is too large, it takes the messages nearest to the anchor. Refuses every
 * range that `GET /messages` refuses, and a search while the index lacks messages, because a client
 * would take the answer for all of them.
 */
export async function updateFlagsForNarrow(
  ctx: Context<Person>,
  { op, flag, ...range }: Input<typeof UpdateFlagsForNarrow>,
): Promise<Static<typeof NarrowUpdate>> {
  requireSettable(flag);
  await beginLongWork(ctx);
  const { ids: found, ends, isIndexed } = await readRange(ctx, { ...range, ...clamped(range) });
  if (!isIndexed)
    throw badRequest(
      "The search index is still adding older messages. Try again in a few minutes.",
    );
  const { changed, ignoredChannels } = await write(ctx, async (tx) =>
    changeFlags(tx, ctx, await findTheirs(tx, ctx, found), op, flag),
  );
  return {
    processed_count: found.length,
    updated_count: changed.length,
    first_processed_id: found[0] ?? null,
    last_processed_id: found.at(-1) ?? null,
    found_oldest: ends.found_oldest,
    found_newest: ends.found_newest,
    ignored_because_not_subscribed_channels: ignoredChannels,
  };
}

/**
 * Number of messages that one request changes on either side: if both sides ask for many, each gets
 * half.
 */
function clamped({ numBefore, numAfter }: { numBefore: number; numAfter: number }) {
  const half = messagesPerRequestMax / 2;
  const before = Math.min(numBefore, Math.max(messagesPerRequestMax - numAfter, half));
  return { numBefore: before, numAfter: Math.min(numAfter, messagesPerRequestMax - before) };
}

function requireSettable(flag: string) {
  if (flag === "read" || ownFlags.includes(flag)) return;
  throw badRequest(`Invalid flag '${flag}': you can set read, starred and collapsed.`);
}

/** The messages with these ids that the actor may read. */
async function findTheirs(
  tx: Tx,
  ctx: Context<Person>,
  ids: readonly number[],
): Promise<PlacedMessage[]> {
  const messages = await findPlaced(tx, ctx.realm.id, [...new Set(ids)]);
  return filterReadable(tx, readerOf(await renewSender(tx, ctx)), messages);
}

/**
 * The part inside the write. Answers the messages whose flag changed, and the channels of skipped
 * messages.
 */
async function changeFlags(
  tx: Tx,
  ctx: Context<Person>,
  readable: PlacedMessage[],
  op: "add" | "remove",
  flag: string,
) {
  const who = { realmId: ctx.realm.id, userId: ctx.actor.user.id };
  const outcome =
    flag === "read"
      ? await changeRead(tx, who, readable, op)
      : { changed: await changeRows(tx, { ...who, flag }, readable, op), ignoredChannels: [] };
  await announce(tx, ctx, op, flag, outcome.changed);
  return outcome;
}

async function changeRead(tx: Tx, who: OfPerson, messages: PlacedMessage[], op: "add" | "remove") {
  if (op === "add") return { changed: await markRead(tx, who, messages), ignoredChannels: [] };
  const state = await loadReadState(tx, who.realmId, who.userId, []);
  const within = messages.filter((message) => isWithinReach(state, message));
  const beyond = messages.filter((message) => !isWithinReach(state, message));
  const changed = await markUnread(tx, who, within);
  return {
    changed,
    ignoredChannels: [...new Set(beyond.flatMap(({ channelId }) => channelId ?? []))],
  };
}

async function changeRows(tx: Tx, own: OwnFlag, messages: PlacedMessage[], op: "add" | "remove") {
  const ids = messages.map(({ id }) => id);
  const changed = new Set(
    op === "add" ? await insertRows(tx, own, ids) : await deleteRows(tx, own, ids),
  );
  return messages.filter(({ id }) => changed.has(id));
}

/** A flag of one person. */
interface OwnFlag extends OfPerson {
  flag: string;
}

const insertRow = statement(
  (db, { messageFlags: t }, given: Given<OwnFlag & { messageId: number }>) =>
    db
      .insert(t)
      .values({
        realmId: given.realmId,
        userId: given.userId,
        messageId: given.messageId,
        flag: given.flag,
      })
      .onConflictDoNothing()
      .returning({ id: t.messageId }),
);

/** Answers the messages on which the flag was not set before. */
async function insertRows(tx: Tx, own: OwnFlag, ids: number[]): Promise<number[]> {
  const { messageFlags } = tx.t;
  const inserted: number[] = [];
  const [only, ...others] = ids;
  // Most requests change one message, for which no statement has to be built.
  if (only !== undefined && others.length === 0)
    return (await insertRow(tx, { ...own, messageId: only })).map(({ id }) => id);
  for (const chunk of inChunks(ids)) {
    const rows = await tx.db
      .insert(messageFlags)
      .values(chunk.map((messageId) => ({ ...own, messageId })))
      .onConflictDoNothing()
      .returning({ id: messageFlags.messageId });
    inserted.push(...rows.map(({ id }) => id));
  }
  return inserted;
}

const deleteAmong = statement(
  (db, { messageFlags: t }, given: Given<OwnFlag & { ids: string }>, dialect) =>
    db
      .delete(t)
      .where(
        and(
          eq(t.realmId, given.realmId),
          eq(t.userId, given.userId),
          eq(t.flag, given.flag),
          isIn(dialect, t.messageId, given.ids),
        ),
      )
      .returning({ id: t.messageId }),
);

/** Answers the messages on which the flag was set. */
async function deleteRows(tx: Tx, own: OwnFlag, ids: number[]): Promise<number[]> {
  const rows = await deleteAmong(tx, { ...own, ids: JSON.stringify(ids) });
  return rows.map(({ id }) => id);
}

async function announce(
  tx: Tx,
  { realm, actor }: Context<Person>,
  op: "add" | "remove",
  flag: string,
  changed: PlacedMessage[],
) {
  const audience = { to: "users" as const, ids: [actor.user.id] };
  const common = { flag, messages: changed.map(({ id }) => id), all: false };
  if (op === "add") {
    await tx.emit(audience, flagsAdded({ ...common, operation: op }));
    return;
  }
  const details =
    flag === "read"
      ? { message_details: await describeUnread(tx, realm.id, actor.user.id, changed) }
      : {};
  await tx.emit(audience, flagsRemoved({ ...common, ...details, operation: op }));
}

/** Facts that a client needs to count messages as unread again. */
async function describeUnread(tx: Tx, realmId: number, userId: number, messages: PlacedMessage[]) {
  const conversations = messages.flatMap(({ conversationId }) => conversationId ?? []);
  const participants = await participantsOf(tx, realmId, [...new Set(conversations)]);
  const isUnmuted = await unmutedAmong(tx, realmId, userId, messages);
  const mentioned = new Set(await mentionedAmong(tx, realmId, userId, messages));
  const entries = messages.map((message): [number, UnreadAgain] => {
    const { id, channelId, topic, conversationId } = message;
    const mention = mentioned.has(id) ? { mentioned: true } : {};
    if (channelId !== null) {
      const unmuted_stream_msg = isUnmuted(message);
      return [id, { type: "stream", stream_id: channelId, topic, unmuted_stream_msg, ...mention }];
    }
    const others = (participants.get(conversationId ?? 0) ?? []).filter(
      (participant) => participant !== userId,
    );
    return [id, { type: "private", user_ids: others, ...mention }];
  });
  return Object.fromEntries(entries);
}
