import { and, eq, like, sql } from "drizzle-orm";
import { type Reader, statement } from "../../db/reader";

const selectUnwilling = statement((db, t) =>
  db
    .select({ id: t.users.id })
    .from(t.subscriptions)
    .innerJoin(t.users, and(eq(t.users.realmId, t.subscriptions.realmId), eq(t.users.id, t.subscriptions.userId)))
    .where(
      and(
        eq(t.subscriptions.realmId, sql.placeholder("realmId")),
        eq(t.subscriptions.channelId, sql.placeholder("channelId")),
        eq(t.subscriptions.isActive, true),
        // Settings are stored as JSON without blanks, and only where they differ from the default.
        like(t.users.settings, '%"receives_typing_notifications":false%'),
      ),
    ),
);

/** The subscribers of a channel who do not want to hear that others are writing. */
export async function subscribersWithoutTyping(reader: Reader, realmId: number, channelId: number): Promise<number[]> {
  const rows = await selectUnwilling(reader, { realmId, channelId });
  return rows.map(({ id }) => id);
}
