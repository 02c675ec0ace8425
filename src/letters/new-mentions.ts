import { type Static, Type } from "@sinclair/typebox";
import type { Context, Tx } from "../core/context";
import { jobEntry } from "../jobs/define";
import { isMailOn } from "./relay";

/** Name of the job that mails people whom an edit of a message has newly mentioned. */
export const newMentionsJobName = "mail-of-mentions";

export const NewMentions = Type.Object({
  messageId: Type.Integer(),
  userIds: Type.Array(Type.Integer()),
  /** Time of the edit, in UNIX seconds. */
  at: Type.Integer(),
  /** Whether the look at new messages had passed the message before the edit. */
  isLate: Type.Optional(Type.Boolean()),
});

const newMentions = jobEntry<Static<typeof NewMentions>>(newMentionsJobName);

/**
 * Enqueues the check for mails to people whom an edit of a message has newly mentioned, because the
 * look at new messages does not come by an old one again.
 */
export async function noteMailOfMentions(
  tx: Tx,
  { app, realm }: Pick<Context, "app" | "realm">,
  messageId: number,
  userIds: ReadonlySet<number>,
): Promise<void> {
  if (userIds.size === 0 || !isMailOn(app.config)) return;
  await newMentions.enqueue(tx, { app, realm }, { messageId, userIds: [...userIds], at: tx.now });
}
