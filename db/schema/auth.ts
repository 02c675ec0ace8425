import type { Columns } from "./columns";
import { idOf, person } from "./traits";

/**
 * Tables for signing in: links that sign somebody in once, failed attempts, sessions of browsers,
 * and links that prove an address.
 */
export const authTables = (columns: Columns) => ({
  loginLinks: loginLinksTable(columns),
  failedSignIns: failedSignInsTable(columns),
  sessions: sessionsTable(columns),
  addressProofs: addressProofsTable(columns),
});

const loginLinksTable = ({ table, integer, text, index, primaryKey }: Columns) =>
  table(
    "login_links",
    {
      of: "person",
      notExported: "a secret",
      holds: { userId: person },
      onPersonDeleted: "end",
      changes: "notLogged",
    },
    {
      realmId: integer("realm_id").notNull(),
      /**
       * HMAC-SHA-256 of the link's token under the server's secret, hexadecimal: the token itself
       * is not stored.
       */
      hash: text("hash").notNull(),
      userId: integer("user_id").notNull(),
      expiresAt: integer("expires_at").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.hash), index("login_links_user").on(t.realmId, t.userId)],
  );

const failedSignInsTable = ({ table, integer, text, primaryKey }: Columns) =>
  table(
    "failed_sign_ins",
    { of: "nobody", notExported: "what people typed", changes: "notLogged" },
    {
      realmId: integer("realm_id").notNull(),
      /**
       * The counted key: an e-mail address as given, whether or not somebody has it, or one source
       * (`sign-in-source.ts`).
       */
      emailKey: text("email_key").notNull(),
      failures: integer("failures").notNull(),
      /** The time of the latest of them. */
      failedAt: integer("failed_at").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.emailKey)],
  );

const sessionsTable = ({ table, integer, index, primaryKey }: Columns) =>
  table(
    "sessions",
    {
      of: "person",
      notExported: "a secret",
      holds: { userId: person, apiKeyId: idOf("api_keys") },
      onPersonDeleted: "end",
    },
    {
      realmId: integer("realm_id").notNull(),
      /** The row of `api_keys` that the session belongs to, and ends with. */
      apiKeyId: integer("api_key_id").notNull(),
      userId: integer("user_id").notNull(),
      expiresAt: integer("expires_at").notNull(),
      /** Approximate, because not every request stores it. */
      lastSeenAt: integer("last_seen_at").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.apiKeyId), index("sessions_user").on(t.realmId, t.userId)],
  );

const addressProofsTable = ({ table, integer, text, index, primaryKey }: Columns) =>
  table(
    "address_proofs",
    { of: "person", notExported: "a secret", holds: { userId: person }, onPersonDeleted: "end" },
    {
      realmId: integer("realm_id").notNull(),
      /**
       * HMAC-SHA-256 of the token in the link that was mailed to the address, under the server's
       * secret, hexadecimal.
       */
      hash: text("hash").notNull(),
      /** Person whose new address it will be; null for somebody who wants to join. */
      userId: integer("user_id"),
      email: text("email").notNull(),
      /** In lower case. */
      emailKey: text("email_key").notNull(),
      expiresAt: integer("expires_at").notNull(),
    },
    (t) => [
      primaryKey(t.realmId, t.hash),
      index("address_proofs_email").on(t.realmId, t.emailKey),
      index("address_proofs_user").on(t.realmId, t.userId),
    ],
  );
