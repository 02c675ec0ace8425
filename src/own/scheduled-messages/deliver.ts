import { Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { isoTime } from "../../core/clock";
import type { Context, Person, Tx, UserRow } from "../../core/context";
import { ApiError, badRequest, isRefusal } from "../../core/errors";
import { onlyRow } from "../../core/write";
import { defineJob } from "../../jobs/define";
import { quoted } from "../../markdown/quote";
import { sendNoticeIn } from "../../messages/send/notice";
import { prepareMessage, sendPrepared } from "../../messages/send/send";
import { findUser } from "../../people/users/queries";
import { scheduledMessageRemoved, scheduledMessageUpdated } from "./events";
import { findScheduledMessage } from "./queries";
import { peopleOf, type ScheduledMessageRow, scheduledMessageWire } from "./wire";

/** Delay after which a message is not sent any more, because its sender may not want it so late. */
const lateSecondsMax = 600;

/**
 * Sends a scheduled message at its time as its sender, with all checks and events of a send. The
 * write also deletes it from the list, so it is sent exactly once. Further event:
 * scheduled_messages remove, to the sender. A refused message stays on their list as failed
 * (scheduled_messages update), and Notification Bot tells them.
 */
export const deliverScheduled = defineJob(
  "deliver_scheduled_message",
  Type.Object({ scheduledMessageId: Type.Integer() }),
  async (ctx, { scheduledMessageId }) => {
    const row = await findScheduledMessage(ctx.reader, ctx.realm.id, scheduledMessageId);
    const sender = row && (await findUser(ctx.reader, ctx.realm.id, row.userId));
    if (!row || !sender) return undefined;
    const asSender = contextOf(ctx, row, sender);
    const prepared = await prepareMessage(asSender, inputOf(row));
    return async (tx) => {
      if (tx.now > row.deliverAt + lateSecondsMax) {
        throw badRequest("It could not be sent in time.");
      }
      await sendPrepared(tx, asSender, prepared);
      await tx.db.delete(tx.t.scheduledMessages).where(isIt(tx, row));
      await tx.emit(
        { to: "users", ids: [row.userId] },
        scheduledMessageRemoved({ scheduled_message_id: row.id }),
      );
      return undefined;
    };
  },
  { isFinal: isRefusal, onFinalFailure: tellFailure },
);

const contextOf = (
  ctx: Context,
  { client }: ScheduledMessageRow,
  user: UserRow,
): Context<Person> => ({
  ...ctx,
  client,
  // No API key, because there is no request.
  actor: { kind: user.botType === null ? "user" : "bot", user, apiKeyId: 0 },
});

const inputOf = (row: ScheduledMessageRow) => ({
  content: row.content,
  topic: row.topic,
  readBySender: row.readBySender,
  ...(row.channelId === null
    ? { type: "private" as const, to: peopleOf(row) }
    : { type: "stream" as const, to: row.channelId }),
});

const isIt = ({ t: { scheduledMessages } }: Tx, { realmId, id }: ScheduledMessageRow) =>
  and(eq(scheduledMessages.realmId, realmId), eq(scheduledMessages.id, id));

async function tellFailure(
  tx: Tx,
  ctx: Context,
  { scheduledMessageId }: { scheduledMessageId: number },
  error: unknown,
) {
  const scheduled = await findScheduledMessage(tx, ctx.realm.id, scheduledMessageId);
  if (!scheduled) return;
  const rows = await tx.db
    .update(tx.t.scheduledMessages)
    .set({ hasFailed: true })
    .where(isIt(tx, scheduled))
    .returning();
  const row = onlyRow(rows);
  const scheduled_message = scheduledMessageWire(row);
  await tx.emit({ to: "users", ids: [row.userId] }, scheduledMessageUpdated({ scheduled_message }));
  const person = await findUser(tx, ctx.realm.id, row.userId);
  if (!person?.isActive || person.botType !== null) return;
  const reason = error instanceof ApiError ? error.message : "Something went wrong on the server.";
  const content = [
    `The message that you scheduled for <time:${isoTime(row.deliverAt)}> was not sent:`,
    quoted(reason),
    "It said:",
    quoted(row.content),
    "[View scheduled messages](#scheduled)",
  ].join("\n\n");
  await sendNoticeIn(tx, ctx, { person, content });
}
