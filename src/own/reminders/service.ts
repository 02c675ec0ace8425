import { and, eq } from "drizzle-orm";
import type { Context, Person } from "../../core/context";
import { badRequest, noSuchObject } from "../../core/errors";
import { bytesOfTexts, requireRoomForTexts } from "../../core/own-texts";
import { type Input, id, integer, optional, record, text } from "../../core/params";
import { isLonger } from "../../core/text/name";
import { onlyRow, write } from "../../core/write";
import { requireToCome } from "../../jobs/due";
import { renderNotice } from "../../messages/rendering/render";
import { renewContext } from "../../people/users/renew-context";
import { lengthsMax } from "../../protocol/limits";
import { loadReadableMessage } from "../../reading/queries";
import { deliverReminder } from "./deliver";
import { reminderRemoved, remindersAdded } from "./events";
import { listReminders } from "./queries";
import { reminderContent } from "./text";
import { reminderWire, type WireReminder } from "./wire";

export const GetReminders = record({});
export const CreateReminder = record({
  messageId: id(),
  scheduledDeliveryTimestamp: integer(),
  note: optional(text()),
});
export const DeleteReminder = record({ reminderId: id() });

/** Number of waiting reminders that somebody may have. */
const remindersMax = 1_000;

/** Reminders of the actor, the next one first. */
export async function getReminders({
  reader,
  realm,
  actor,
}: Context<Person>): Promise<{ reminders: WireReminder[] }> {
  return { reminders: (await listReminders(reader, realm.id, actor.user.id)).map(reminderWire) };
}

/**
 * Creates a reminder of a message that the actor may read; answers its id. Notification Bot
 * delivers it. Event: reminders add, to the actor. Refuses a message that is missing or not
 * readable, a time that is not in the future, and a note that is too long. The list names the place
 * of the message but none of its text, because the right to read it may end.
 */
export async function createReminder(
  ctx: Context<Person>,
  { messageId, scheduledDeliveryTimestamp: deliverAt, note = "" }: Input<typeof CreateReminder>,
): Promise<{ reminder_id: number }> {
  requireToCome("The time to be reminded at", deliverAt, ctx.now);
  if (isLonger(note, lengthsMax.reminderNote)) {
    throw badRequest(`A note has at most ${lengthsMax.reminderNote} characters.`);
  }
  return write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const { realm, actor } = current;
    const message = await loadReadableMessage(tx, current, messageId);
    const existing = await listReminders(tx, realm.id, actor.user.id);
    if (existing.length >= remindersMax)
      throw badRequest(`You can have at most ${remindersMax} reminders: delete some.`);
    const content = await reminderContent(tx, realm.id, message, note);
    const { html: renderedContent } = await renderNotice(tx, realm.id, content, []);
    const bytes = bytesOfTexts(
      ...existing.flatMap((one) => [one.note, one.content, one.renderedContent]),
    );
    requireRoomForTexts("reminders", { bytes, more: bytesOfTexts(note, content, renderedContent) });
    const { reminders } = tx.t;
    const columns = {
      realmId: realm.id,
      userId: actor.user.id,
      messageId,
      note,
      content,
      renderedContent,
      deliverAt,
    };
    const row = onlyRow(await tx.db.insert(reminders).values(columns).returning());
    await deliverReminder.enqueue(
      tx,
      ctx,
      { reminderId: row.id },
      { at: deliverAt, key: String(row.id) },
    );
    await tx.emit(
      { to: "users", ids: [row.userId] },
      remindersAdded({ reminders: [reminderWire(row)] }),
    );
    return { reminder_id: row.id };
  });
}

/**
 * Deletes a reminder of the actor's. Event: reminders remove, to the actor. Refuses a missing one
 * (404).
 */
export async function deleteReminder(
  ctx: Context<Person>,
  { reminderId }: Input<typeof DeleteReminder>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const { realm, actor } = await renewContext(tx, ctx);
    const { reminders } = tx.t;
    const isOwn = and(eq(reminders.realmId, realm.id), eq(reminders.userId, actor.user.id));
    const rows = await tx.db
      .delete(reminders)
      .where(and(isOwn, eq(reminders.id, reminderId)))
      .returning({ id: reminders.id });
    if (rows.length === 0) throw noSuchObject("Reminder does not exist.");
    await deliverReminder.cancel(tx, ctx, String(reminderId));
    await tx.emit(
      { to: "users", ids: [actor.user.id] },
      reminderRemoved({ reminder_id: reminderId }),
    );
  });
}
