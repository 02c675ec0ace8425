import { and, eq, type SQL, sql } from "drizzle-orm";
import { newId } from "../../../db/sql/rows";
import { inChunks } from "../../core/chunks";
import type { Context, Person, Tx } from "../../core/context";
import { isAmong } from "../../reading/queries";
import { type ContentEdit, editHistory } from "../content/change";
import { type Move, messagesPerPiece } from "./plan";

/**
 * Stores the old places of messages before they are moved, in a statement for each
 * `messagesPerPiece`. The row of a message whose content changes too has both changes.
 */
export async function storeMoveHistory(
  tx: Tx,
  ctx: Context<Person>,
  move: Move,
  ids: readonly number[],
  edit: ContentEdit | undefined,
) {
  const { messageEdits } = tx.t;
  const { message, from, into, topic, renames, namesChannel } = move;
  const others = edit ? ids.filter((id) => id !== message.id) : ids;
  for (const some of inChunks(others, messagesPerPiece)) {
    await tx.db.insert(messageEdits).select(rowsOf(tx, ctx, move, some));
    await tx.pause?.();
  }
  if (!edit) return;
  await tx.db.insert(messageEdits).values({
    realmId: ctx.realm.id,
    messageId: message.id,
    userId: ctx.actor.user.id,
    editedAt: ctx.now,
    ...(renames ? { prevTopic: message.topic, topic } : {}),
    ...(namesChannel ? { prevChannelId: from.id, channelId: into.id } : {}),
    ...editHistory(edit),
  });
}

/** PostgreSQL needs the type of a selected value. */
const number = (value: number | null) => sql`cast(${value} as bigint)`;
const text = (value: string | null) => sql`cast(${value} as text)`;

/** The rows of `message_edits`, all columns in their order. */
function rowsOf(
  tx: Tx,
  { realm, actor, now }: Context<Person>,
  move: Move,
  ids: readonly number[],
): SQL {
  const { messages } = tx.t;
  const { from, into, topic, renames, namesChannel } = move;
  const columns = [
    newId(tx.dialect, "message_edits"),
    number(realm.id),
    sql`${messages.id}`,
    number(actor.user.id),
    number(now),
    text(null),
    text(null),
    renames ? sql`${messages.topic}` : text(null),
    text(renames ? topic : null),
    number(namesChannel ? from.id : null),
    number(namesChannel ? into.id : null),
  ];
  const isMoved = and(eq(messages.realmId, realm.id), isAmong(tx, messages.id, ids));
  return sql`select ${sql.join(columns, sql`, `)} from ${messages} where ${isMoved}`;
}
