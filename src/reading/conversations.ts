import { and, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { Tx } from "../core/context";
import { onlyRow } from "../core/write";

const selectConversation = statement((db, t, given: Given<{ realmId: number; userIds: string }>) =>
  db
    .select({ id: t.conversations.id })
    .from(t.conversations)
    .where(
      and(eq(t.conversations.realmId, given.realmId), eq(t.conversations.userIds, given.userIds)),
    ),
);

/**
 * The direct conversation of exactly these people, by ids in ascending order; undefined if there is
 * none.
 */
export async function findConversation(
  reader: Reader,
  realmId: number,
  userIds: number[],
): Promise<number | undefined> {
  const [row] = await selectConversation(reader, { realmId, userIds: userIds.join(",") });
  return row?.id;
}

/** Creates the direct conversation of exactly these people, by ids in ascending order. */
export async function makeConversation(
  tx: Tx,
  realmId: number,
  userIds: number[],
): Promise<number> {
  const { conversations, conversationMembers } = tx.t;
  const rows = await tx.db
    .insert(conversations)
    .values({ realmId, userIds: userIds.join(",") })
    .returning({ id: conversations.id });
  const conversationId = onlyRow(rows).id;
  await tx.db
    .insert(conversationMembers)
    .values(userIds.map((userId) => ({ realmId, userId, conversationId })));
  return conversationId;
}
