import type { Columns } from "./columns";

/**
 * Mails that have become messages. A mail that its sender sends again, because the sender did not
 * receive our answer, is then not posted twice.
 */
export function mailInTables({ table, integer, text, index, primaryKey }: Columns) {
  const receivedMails = table(
    "received_mails",
    { of: "nobody", notExported: "of the mail that came to the server" },
    {
      realmId: integer("realm_id").notNull(),
      /** A hash of the mail and of its recipient's address. */
      digest: text("digest").notNull(),
      /** UNIX seconds. */
      receivedAt: integer("received_at").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.digest), index("received_mails_age").on(t.receivedAt)],
  );
  return { receivedMails };
}
