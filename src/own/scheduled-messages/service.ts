import { and, eq } from "drizzle-orm";
import type { Context, Person, Tx } from "../../core/context";
import { badRequest, noSuchObject } from "../../core/errors";
import { bytesOfTexts, requireRoomForTexts } from "../../core/own-texts";
import { flag, type Input, id, integer, optional, record, text, word } from "../../core/params";
import { onlyRow, write } from "../../core/write";
import { requireToCome } from "../../jobs/due";
import { Addressee } from "../../messages/send/addressee";
import {
  type Destination,
  type PreparedMessage,
  prepareMessage,
  requireMaySend,
} from "../../messages/send/send";
import { renewContext } from "../../people/users/renew-context";
import { deliverScheduled } from "./deliver";
import { scheduledMessageRemoved, scheduledMessagesAdded, scheduledMessageUpdated } from "./events";
import { findScheduledMessage, listScheduledMessages, measureScheduledMessages } from "./queries";
import {
  peopleOf,
  type ScheduledMessageRow,
  scheduledMessageWire,
  type WireScheduledMessage,
} from "./wire";

const types = ["direct", "channel", "stream", "private"] as const;

export const GetScheduledMessages = record({});
export const CreateScheduledMessage = record({
  type: word(...types),
  to: Addressee,
  content: text(),
  topic: optional(text()),
  scheduledDeliveryTimestamp: integer(),
  readBySender: optional(flag()),
});
export const UpdateScheduledMessage = record({
  scheduledMessageId: id(),
  type: optional(word(...types)),
  to: optional(Addressee),
  content: optional(text()),
  topic: optional(text()),
  scheduledDeliveryTimestamp: optional(integer()),
});
export const DeleteScheduledMessage = record({ scheduledMessageId: id() });

/** Number of scheduled messages that somebody may have. */
const scheduledMax = 1_000;
const waiting = "messages waiting to be sent";
const timeToSend = "The time to send the message at";

const noSuchMessage = () => noSuchObject("Scheduled message does not exist.");

/** The actor's scheduled messages, the next one first. */
export async function getScheduledMessages({ reader, realm, actor }: Context<Person>): Promise<{
  scheduled_messages: WireScheduledMessage[];
}> {
  const rows = await listScheduledMessages(reader, realm.id, actor.user.id);
  return { scheduled_messages: rows.map(scheduledMessageWire) };
}

/**
 * Schedules a message of the actor's; answers its id. Event: scheduled_messages add, to the actor.
 * Refuses a time that is not in the future, and a message that `sendMessage` would refuse now;
 * everything is checked again when it is sent. A message to oneself alone comes unread unless
 * `readBySender` says otherwise, because it is a reminder.
 */
export async function createScheduledMessage(
  ctx: Context<Person>,
  input: Input<typeof CreateScheduledMessage>,
): Promise<{ scheduled_message_id: number }> {
  const { scheduledDeliveryTimestamp: deliverAt, ...message } = input;
  requireToCome(timeToSend, deliverAt, ctx.now);
  const prepared = await prepareMessage(ctx, message);
  return write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const { realm, actor } = current;
    const destination = await requireMaySend(tx, current, prepared);
    const place = columnsOf(destination, prepared);
    const { content, rendered: renderedContent } = prepared;
    const readBySender =
      input.readBySender ?? (prepared.readBySender && !isOnlyTo(destination, actor.user.id));
    const { count, bytes } = await measureScheduledMessages(tx, realm.id, actor.user.id);
    if (count >= scheduledMax) {
      throw badRequest(
        `You can have at most ${scheduledMax} messages waiting to be sent: delete some.`,
      );
    }
    requireRoomForTexts(waiting, { bytes, more: bytesOfTexts(content, renderedContent) });
    const columns = {
      realmId: realm.id,
      userId: actor.user.id,
      client: ctx.client,
      readBySender,
      deliverAt,
    };
    const { scheduledMessages } = tx.t;
    const row = onlyRow(
      await tx.db
        .insert(scheduledMessages)
        .values({ ...columns, ...place, content, renderedContent })
        .returning(),
    );
    await schedule(tx, current, row);
    const scheduled_messages = [scheduledMessageWire(row)];
    await tx.emit(
      { to: "users", ids: [row.userId] },
      scheduledMessagesAdded({ scheduled_messages }),
    );
    return { scheduled_message_id: row.id };
  });
}

/**
 * Changes recipients, text or time of a scheduled message of the actor's; a failed one is scheduled
 * again. Event: scheduled_messages update, to the actor. Refuses as its creation does, and a
 * request without changes, another type without `to`, a failed message without a new time, and a
 * missing one (404).
 */
export async function updateScheduledMessage(
  ctx: Context<Person>,
  { scheduledMessageId, ...changes }: Input<typeof UpdateScheduledMessage>,
): Promise<undefined> {
  const { reader, realm, actor } = ctx;
  const before = await findOwn(reader, realm.id, actor.user.id, scheduledMessageId);
  requireChange(ctx, before, changes);
  const prepared = await prepareMessage(ctx, changed(before, changes));
  const deliverAt = changes.scheduledDeliveryTimestamp ?? before.deliverAt;
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const now = await findOwn(tx, realm.id, actor.user.id, scheduledMessageId);
    if (!Bun.deepEquals(now, before))
      throw badRequest("The message was changed in the meantime: look at it again.");
    const place = columnsOf(await requireMaySend(tx, current, prepared), prepared);
    const { content, rendered: renderedContent } = prepared;
    const { bytes } = await measureScheduledMessages(tx, realm.id, actor.user.id);
    const more =
      bytesOfTexts(content, renderedContent) - bytesOfTexts(before.content, before.renderedContent);
    requireRoomForTexts(waiting, { bytes, more });
    const values = { ...place, content, renderedContent, deliverAt, hasFailed: false };
    const { scheduledMessages } = tx.t;
    const isIt = and(eq(scheduledMessages.realmId, realm.id), eq(scheduledMessages.id, before.id));
    const row = onlyRow(await tx.db.update(scheduledMessages).set(values).where(isIt).returning());
    await schedule(tx, current, row);
    const scheduled_message = scheduledMessageWire(row);
    await tx.emit(
      { to: "users", ids: [row.userId] },
      scheduledMessageUpdated({ scheduled_message }),
    );
  });
}

/**
 * Deletes a scheduled message of the actor's. Event: scheduled_messages remove, to the actor.
 * Refuses a missing one (404).
 */
export async function deleteScheduledMessage(
  ctx: Context<Person>,
  { scheduledMessageId }: Input<typeof DeleteScheduledMessage>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const { realm, actor } = await renewContext(tx, ctx);
    const { scheduledMessages } = tx.t;
    const { id: rowId } = await findOwn(tx, realm.id, actor.user.id, scheduledMessageId);
    const isIt = and(eq(scheduledMessages.realmId, realm.id), eq(scheduledMessages.id, rowId));
    await tx.db.delete(scheduledMessages).where(isIt);
    await deliverScheduled.cancel(tx, ctx, String(rowId));
    await tx.emit(
      { to: "users", ids: [actor.user.id] },
      scheduledMessageRemoved({ scheduled_message_id: rowId }),
    );
  });
}

async function findOwn(
  reader: Context["reader"],
  realmId: number,
  userId: number,
  messageId: number,
) {
  const row = await findScheduledMessage(reader, realmId, messageId);
  if (row?.userId !== userId) throw noSuchMessage();
  return row;
}

const schedule = (
  tx: Tx,
  ctx: Context,
  { id: scheduledMessageId, deliverAt }: ScheduledMessageRow,
) =>
  deliverScheduled.enqueue(
    tx,
    ctx,
    { scheduledMessageId },
    { at: deliverAt, key: String(scheduledMessageId) },
  );

type Changes = Omit<Input<typeof UpdateScheduledMessage>, "scheduledMessageId">;

function requireChange(ctx: Context, before: ScheduledMessageRow, changes: Changes) {
  if (Object.values(changes).every((value) => value === undefined))
    throw badRequest(
      "Nothing to change: send type, to, topic, content or scheduled_delivery_timestamp.",
    );
  const { type, to, scheduledDeliveryTimestamp: deliverAt } = changes;
  if (type !== undefined && to === undefined) throw badRequest("Send 'to' with another type.");
  if (deliverAt !== undefined) requireToCome(timeToSend, deliverAt, ctx.now);
  else if (before.hasFailed)
    throw badRequest("The message could not be sent: choose a new time for it.");
}

/** The message with its changes, in the form of `sendMessage`. */
function changed(before: ScheduledMessageRow, { type, to, content, topic }: Changes) {
  const { channelId, readBySender } = before;
  const wasInChannel = channelId !== null;
  return {
    type: type ?? (wasInChannel ? "stream" : "private"),
    to: to ?? channelId ?? peopleOf(before),
    content: content ?? before.content,
    topic: topic ?? (wasInChannel ? before.topic : undefined),
    readBySender,
  };
}

const isOnlyTo = (destination: Destination, userId: number) =>
  "userIds" in destination && destination.userIds.every((id) => id === userId);

const columnsOf = (destination: Destination, { to }: PreparedMessage) =>
  "channelId" in destination
    ? {
        channelId: destination.channelId,
        topic: to.kind === "channel" ? to.topic : "",
        userIds: null,
      }
    : { channelId: null, topic: "", userIds: JSON.stringify(destination.userIds) };
