import type { Columns } from "./columns";

/** People and bots, and the keys they sign their requests with. */
export function userTables(columns: Columns) {
  const { table, identity, identityKey, integer, text, boolean, index, uniqueIndex } = columns;
  const users = table(
    "users",
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      /** The real address as typed; `emailKey` is what it is found by (lower case, unique in its realm). */
      email: text("email").notNull(),
      emailKey: text("email_key").notNull(),
      fullName: text("full_name").notNull(),
      /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
      role: integer("role").notNull(),
      isActive: boolean("is_active").notNull().default(true),
      /** Null for a person; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
      botType: integer("bot_type"),
      botOwnerId: integer("bot_owner_id"),
      /** A bot that every realm has from the start and that nobody can sign in as. */
      isSystemBot: boolean("is_system_bot").notNull().default(false),
      timezone: text("timezone").notNull().default(""),
      settings: text("settings").notNull().default("{}"),
      /** A JSON list: the names of settings that the user has changed themself, and no administrator for them. */
      chosenSettings: text("chosen_settings").notNull().default("[]"),
      /** What they told in profile fields: JSON, by the field's id, as the protocol shows it. */
      profileData: text("profile_data").notNull().default("{}"),
      passwordHash: text("password_hash"),
      createdAt: integer("created_at").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("users_email").on(t.realmId, t.emailKey),
      index("users_name").on(t.realmId, t.fullName),
      index("users_role").on(t.realmId, t.role),
    ],
  );
  const apiKeys = table(
    "api_keys",
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      /** HMAC-SHA-256 of the key under the server's secret, hexadecimal: the key itself is not stored. */
      hash: text("hash").notNull(),
      /** The key itself, sealed under the server's secret: of bots, whose key the protocol shows again; else null. */
      sealed: text("sealed"),
      label: text("label").notNull(),
      createdAt: integer("created_at").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("api_keys_hash").on(t.realmId, t.hash),
      index("api_keys_user").on(t.realmId, t.userId),
    ],
  );
  return { users, apiKeys };
}
