import { Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { actingAs } from "../../core/account";
import { isoTime } from "../../core/clock";
import type { Context, Tx } from "../../core/context";
import { ApiError } from "../../core/errors";
import { defineJob } from "../../jobs/define";
import { quoted } from "../../markdown/quote";
import { sendNoticeIn } from "../../messages/send/notice";
import { findUser } from "../../people/users/queries";
import { findReadableMessage } from "../../reading/queries";
import { reminderRemoved } from "./events";
import { findReminder } from "./queries";
import { deliveredContent } from "./text";

/**
 * Delivers a reminder at its time: Notification Bot sends a direct message with the message's
 * current text, if the person may still read it. The write also deletes the reminder, so it is
 * delivered exactly once. Events, to the person: message, and reminders remove. A deactivated
 * person gets nothing. A reminder that fails for good, or that the operator deletes, is deleted
 * too, and the person gets a message about that.
 */
export const deliverReminder = defineJob(
  "deliver_reminder",
  Type.Object({ reminderId: Type.Integer() }),
  async (_ctx, { reminderId }) =>
    async (tx, ctx) => {
      const { realm } = ctx;
      const taken = await takeOffList(tx, realm.id, reminderId);
      if (!taken?.person.isActive) return undefined;
      const { row, person } = taken;
      const message = await findReadableMessage(tx, actingAs(ctx, person), row.messageId);
      const content = await deliveredContent(tx, realm.id, message, row.note);
      await sendNoticeIn(tx, ctx, { person, content });
      return undefined;
    },
  { onFinalFailure: tellFailure },
);

async function tellFailure(
  tx: Tx,
  ctx: Context,
  { reminderId }: { reminderId: number },
  error: unknown,
) {
  const taken = await takeOffList(tx, ctx.realm.id, reminderId);
  if (!taken?.person.isActive) return;
  const { row, person } = taken;
  const reason = error instanceof ApiError ? error.message : "Something went wrong on the server.";
  const lines = [
    `You were not reminded at <time:${isoTime(row.deliverAt)}>, as you had asked for:`,
    quoted(reason),
  ];
  const note = row.note === "" ? [] : ["Your note:", quoted(row.note)];
  await sendNoticeIn(tx, ctx, { person, content: [...lines, ...note].join("\n\n") });
}

async function takeOffList(tx: Tx, realmId: number, reminderId: number) {
  const row = await findReminder(tx, realmId, reminderId);
  const person = row && (await findUser(tx, realmId, row.userId));
  if (!row || !person) return undefined;
  const { reminders } = tx.t;
  await tx.db
    .delete(reminders)
    .where(and(eq(reminders.realmId, realmId), eq(reminders.id, row.id)));
  await tx.emit({ to: "users", ids: [person.id] }, reminderRemoved({ reminder_id: row.id }));
  return { row, person };
}
