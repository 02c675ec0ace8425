import { and, eq, inArray } from "drizzle-orm";
import type { Context, Person, Tx } from "../core/context";
import { badRequest } from "../core/errors";
import { type Input, ids, record, text, word } from "../core/params";
import { write } from "../core/write";
import { listPeriods } from "../subscriptions/queries";
import { flagsAdded, flagsRemoved } from "./events";
import { isReceived } from "./flags-state";
import { filterReadable, findMessages, type MessageRow, participantsOf } from "./queries";
import { markRead } from "./read-state";

export const UpdateMessageFlags = record({ messages: ids(), op: word("add", "remove"), flag: text() });

const rowFlags = new Set(["starred", "collapsed"]);

/**
 * Sets or clears a flag on messages for the actor alone: `read`, `starred` or `collapsed`. Messages that do not exist or
 * may not be read are left out. Announces `update_message_flags` to the actor's own clients, with what they need to show
 * a message as unread again.
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
    const who = { realmId: realm.id, userId, role: actor.user.role };
    const readable = await filterReadable(tx, who, await findMessages(tx, realm.id, [...new Set(asked)]));
    const { changed, ignoredChannels } =
      flag === "read"
        ? await changeRead(tx, realm.id, userId, readable, op === "add")
        : { changed: await changeRows(tx, realm.id, userId, readable, flag, op === "add"), ignoredChannels: [] };
    await announce(tx, ctx, op, flag, changed);
    return { messages: asked, ignored_because_not_subscribed_channels: ignoredChannels };
  });
}

/** Only what came to the user has a read state: the channels of the rest are told. */
async function changeRead(tx: Tx, realmId: number, userId: number, messages: MessageRow[], read: boolean) {
  const periods = await listPeriods(tx, realmId, userId);
  const received = messages.filter((message) => isReceived(periods, message));
  const ignored = messages.filter((message) => !isReceived(periods, message));
  const changed = await markRead(tx, realmId, userId, received, read);
  return { changed, ignoredChannels: read ? [] : [...new Set(ignored.flatMap(({ channelId }) => channelId ?? []))] };
}

async function changeRows(tx: Tx, realmId: number, userId: number, messages: MessageRow[], flag: string, isSet: boolean) {
  if (messages.length === 0) return [];
  const { messageFlags } = tx.t;
  const ids = messages.map(({ id }) => id);
  const changed = isSet
    ? await tx.db
        .insert(messageFlags)
        .values(ids.map((messageId) => ({ realmId, userId, messageId, flag })))
        .onConflictDoNothing()
        .returning({ id: messageFlags.messageId })
    : await tx.db
        .delete(messageFlags)
        .where(
          and(
            eq(messageFlags.realmId, realmId),
            eq(messageFlags.userId, userId),
            eq(messageFlags.flag, flag),
            inArray(messageFlags.messageId, ids),
          ),
        )
        .returning({ id: messageFlags.messageId });
  const changedIds = new Set(changed.map(({ id }) => id));
  return messages.filter(({ id }) => changedIds.has(id));
}

async function announce(tx: Tx, { realm, actor }: Context<Person>, op: "add" | "remove", flag: string, changed: MessageRow[]) {
  const audience = { to: "users" as const, ids: [actor.user.id] };
  const common = { flag, messages: changed.map(({ id }) => id), all: false };
  if (op === "add") {
    await tx.emit(audience, flagsAdded({ ...common, operation: op }));
    return;
  }
  const details = flag === "read" ? { message_details: await describeUnread(tx, realm.id, actor.user.id, changed) } : {};
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
