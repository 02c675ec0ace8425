import type { Columns } from "./columns";
import { messagePlace, person } from "./traits";

/** People who will get a mail about missed messages. The messages are looked up when it is due. */
export function mailTables({ table, integer, index, primaryKey }: Columns) {
  const missedMail = table(
    "missed_mail",
    {
      of: "person",
      notExported: "mail that is about to be sent",
      holds: { userId: person, fromMessage: messagePlace },
      onPersonDeleted: "remove",
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      /** The first message that the mail may be about. */
      fromMessage: integer("from_message").notNull(),
      dueAt: integer("due_at").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.userId), index("missed_mail_due").on(t.realmId, t.dueAt)],
  );
  return { missedMail };
}
