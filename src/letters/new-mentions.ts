import { type Static, Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { type Given, statement } from "../../db/reader";
import type { Context, Tx } from "../core/context";
import { jobEntry } from "../jobs/define";
import { isMailOn } from "./relay";

/** Name and key of the job that checks the new messages of a realm once a minute. */
export const missedMailJobName = "missed-mail";
export const realmJobKey = "realm";

/** Name of the job that mails people whom an edit of a message has newly mentioned. */
export const newMentionsJobName = "mail-of-mentions";

export const NewMentions = Type.Object({
  messageId: Type.Integer(),
  userIds: Type.Array(Type.Integer()),
  /** Time of the edit, in UNIX seconds. */
  at: Type.Integer(),
});

const newMentions = jobEntry<Static<typeof NewMentions>>(newMentionsJobName);

const selectCheck = statement((db, { jobs }, given: Given<{ realmId: number }>) =>
  db
    .select({ payload: jobs.payload })
    .from(jobs)
    .where(
      and(
        eq(jobs.realmId, given.realmId),
        eq(jobs.name, missedMailJobName),
        eq(jobs.key, realmJobKey),
      ),
    ),
);

/**
 * Whether the check of new messages has passed a message. In a write this is certain, because each
 * check ends in a write of the realm too.
 */
async function isChecked(tx: Tx, realmId: number, messageId: number): Promise<boolean> {
  const [check] = await selectCheck(tx, { realmId });
  if (!check) return false;
  const { after }: { after: number } = JSON.parse(check.payload);
  return messageId <= after;
}

/**
 * Enqueues mails to people whom an edit of a message has newly mentioned, if the check of new
 * messages has passed the message, because it does not come by again. Otherwise that check finds
 * the mention.
 */
export async function noteMailOfMentions(
  tx: Tx,
  { app, realm }: Pick<Context, "app" | "realm">,
  messageId: number,
  userIds: ReadonlySet<number>,
): Promise<void> {
  if (userIds.size === 0 || !isMailOn(app.config)) return;
  if (!(await isChecked(tx, realm.id, messageId))) return;
  await newMentions.enqueue(tx, { app, realm }, { messageId, userIds: [...userIds], at: tx.now });
}
