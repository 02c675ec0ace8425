import type { Columns } from "./columns";
import { lines, person } from "./traits";

/**
 * Mappings and secrets for the posts of other services, in addition to the services that the server
 * knows.
 */
export function incomingWebhookTables({ table, integer, text, primaryKey }: Columns) {
  /** An organization's own mappings from JSON to a message. */
  const webhookTemplates = table(
    "webhook_templates",
    { of: "administrators", exported: true, holds: { content: lines } },
    {
      realmId: integer("realm_id").notNull(),
      /** The last part of the address that services post to. */
      name: text("name").notNull(),
      topic: text("topic").notNull(),
      content: text("content").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.name)],
  );
  /** Secret with which a sender signs its posts to a bot. */
  const webhookSecrets = table(
    "webhook_secrets",
    {
      of: "bot",
      notExported: "a secret",
      holds: { userId: person },
      onPersonDeleted: { keep: "bots are only deactivated" },
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      integration: text("integration").notNull(),
      /** Sealed under the server's secret. */
      sealedSecret: text("sealed_secret").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.userId, t.integration)],
  );
  return { webhookTemplates, webhookSecrets };
}
