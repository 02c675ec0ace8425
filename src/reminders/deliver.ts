import { Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import type { Context, Person } from "../core/context";
import { defineJob } from "../jobs/define";
import { findReadableMessage } from "../messages/queries";
import { sendNoticeIn } from "../messages/send/notice";
import { findUser } from "../users/queries";
import { reminderRemoved } from "./events";
import { findReminder } from "./queries";
import { deliveredContent } from "./text";

/**
 * Reminds somebody at the time that they have chosen, by a direct message of Notification Bot with what the message says then
 * if they may still read it, in the write that takes the reminder off their list: exactly once. Events: message, and
 * reminders remove, to them. Who is deactivated is told nothing.
 */
export const deliverReminder = defineJob(
  "deliver_reminder",
  Type.Object({ reminderId: Type.Integer() }),
  async (_ctx, { reminderId }) =>
    async (tx, ctx) => {
      const { realm } = ctx;
      const row = await findReminder(tx, realm.id, reminderId);
      const person = row && (await findUser(tx, realm.id, row.userId));
      if (!row || !person) return undefined;
      const { reminders } = tx.t;
      await tx.db.delete(reminders).where(and(eq(reminders.realmId, realm.id), eq(reminders.id, row.id)));
      await tx.emit({ to: "users", ids: [person.id] }, reminderRemoved({ reminder_id: row.id }));
      if (!person.isActive) return undefined;
      const asPerson: Context<Person> = { ...ctx, actor: { kind: "user", user: person, apiKeyId: 0 } };
      const message = await findReadableMessage(tx, asPerson, row.messageId);
      const content = await deliveredContent(tx, realm.id, message, row.note);
      await sendNoticeIn(tx, ctx, { person, content });
      return undefined;
    },
);
