import { and, eq } from "drizzle-orm";
import type { Context, Person, Tx } from "../core/context";
import { badRequest } from "../core/errors";
import { type Input, ids, record, text, word } from "../core/params";
import { write } from "../core/write";
import { inChunks } from "../subscriptions/queries";
import { renewContext } from "../users/renew-context";
import { flagsAdded, flagsRemoved } from "./events";
import { filterReadable, findMessages, isAmong, type MessageRow, participantsOf, readerOf } from "./queries";
import { isWithinReach, loadReadState, markRead } from "./read-state";

export const UpdateMessageFlags = record({ messages: ids(), op: word("add", "remove"), flag: text() });

const rowFlags = new Set(["starred", "collapsed"]);

/**
 * Sets or clears a flag on messages for the actor alone: `read`, `starred` or `collapsed`. Messages that do not exist or
 * may not be read are left out, and those of channels that the actor is not subscribed to do not become unread: such
 * channels are told. Announces `update_message_flags` to the actor's own clients, with what they need to show a message
 * as unread again.
 */
export async function updateMessageFlags(
  ctx: Context<Person>,
  { messages: asked, op, flag }: Input<typeof UpdateMessageFlags>,
): Promise<{ messages: number[]; ignored_because_not_subscribed_channels: number[] }> {
  if (flag !== "read" && !rowFlags.has(flag)) {
    throw badRequest(`Invalid flag '${flag}': you can set read, starred and collapsed.`);
  }
  const { realm, actor } = ctx;
  const userId = actor.user.id;
  return write(ctx, async (tx) => {
    const readable = await filterReadable(
      tx,
      readerOf(await renewContext(tx, ctx)),
      await findMessages(tx, realm.id, [...new Set(asked)]),
    );
    const { changed, ignoredChannels } =
      flag === "read"
        ? await changeRead(tx, realm.id, userId, readable, op === "add")
        : { changed: await changeRows(tx, realm.id, userId, readable, flag, op === "add"), ignoredChannels: [] };
    await announce(tx, ctx, op, flag, changed);
    return { messages: asked, ignored_because_not_subscribed_channels: ignoredChannels };
  });
}

async function changeRead(tx: Tx, realmId: number, userId: number, messages: MessageRow[], read: boolean) {
  if (read) return { changed: await markRead(tx, realmId, userId, messages, true), ignoredChannels: [] };
  const state = await loadReadState(tx, realmId, userId, []);
  const within = messages.filter((message) => isWithinReach(state, message));
  const beyond = messages.filter((message) => !isWithinReach(state, message));
  const changed = await markRead(tx, realmId, userId, within, false);
  return { changed, ignoredChannels: [...new Set(beyond.flatMap(({ channelId }) => channelId ?? []))] };
}

async function changeRows(
  tx: Tx,
  realmId: number,
  userId: number,
  messages: MessageRow[],
  flag: string,
  isSet: boolean,
) {
  const ids = messages.map(({ id }) => id);
  const changed = new Set(
    isSet ? await insertRows(tx, realmId, userId, ids, flag) : await deleteRows(tx, realmId, userId, ids, flag),
  );
  return messages.filter(({ id }) => changed.has(id));
}

/** Answers on which of the messages the flag was not set yet. */
async function insertRows(tx: Tx, realmId: number, userId: number, ids: number[], flag: string): Promise<number[]> {
  const { messageFlags } = tx.t;
  const inserted: number[] = [];
  for (const chunk of inChunks(ids)) {
    const rows = await tx.db
      .insert(messageFlags)
      .values(chunk.map((messageId) => ({ realmId, userId, messageId, flag })))
      .onConflictDoNothing()
      .returning({ id: messageFlags.messageId });
    inserted.push(...rows.map(({ id }) => id));
  }
  return inserted;
}

/** Answers on which of the messages the flag was set. */
async function deleteRows(tx: Tx, realmId: number, userId: number, ids: number[], flag: string): Promise<number[]> {
  const { messageFlags } = tx.t;
  const isFlag = and(eq(messageFlags.realmId, realmId), eq(messageFlags.userId, userId), eq(messageFlags.flag, flag));
  const rows = await tx.db
    .delete(messageFlags)
    .where(and(isFlag, isAmong(tx, messageFlags.messageId, ids)))
    .returning({ id: messageFlags.messageId });
  return rows.map(({ id }) => id);
}

async function announce(
  tx: Tx,
  { realm, actor }: Context<Person>,
  op: "add" | "remove",
  flag: string,
  changed: MessageRow[],
) {
  const audience = { to: "users" as const, ids: [actor.user.id] };
  const common = { flag, messages: changed.map(({ id }) => id), all: false };
  if (op === "add") {
    await tx.emit(audience, flagsAdded({ ...common, operation: op }));
    return;
  }
  const details =
    flag === "read" ? { message_details: await describeUnread(tx, realm.id, actor.user.id, changed) } : {};
  await tx.emit(audience, flagsRemoved({ ...common, ...details, operation: op }));
}

/** What a client must know of messages that are unread again, to count them. */
async function describeUnread(tx: Tx, realmId: number, userId: number, messages: MessageRow[]) {
  const conversations = messages.flatMap(({ conversationId }) => conversationId ?? []);
  const participants = await participantsOf(tx, realmId, [...new Set(conversations)]);
  const entries = messages.map(({ id, channelId, topic, conversationId }) => {
    if (channelId !== null) return [id, { type: "stream", stream_id: channelId, topic, unmuted_stream_msg: true }];
    const others = (participants.get(conversationId ?? 0) ?? []).filter((participant) => participant !== userId);
    return [id, { type: "private", user_ids: others }];
  });
  return Object.fromEntries(entries);
}
