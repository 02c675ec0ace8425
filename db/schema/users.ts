import type { Columns } from "./columns";
import { person, personOrNull, picture, secret, type Traits } from "./traits";

const usersTraits = {
  of: "realm",
  exported: true,
  holds: {
    botOwnerId: personOrNull,
    profileData: { is: "profile" },
    passwordHash: secret,
    avatarFile: picture("avatar"),
  },
  onPersonDeleted: { keep: "everything in the row that tells who it was is replaced" },
} as const satisfies Traits;

/** People and bots. */
export function userTables(columns: Columns) {
  const { table, identity, identityKey, integer, text, boolean, index, uniqueIndex } = columns;
  const users = table(
    "users",
    usersTraits,
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      /**
       * The real address as typed; `emailKey` is its key for lookups (lower case, unique in its
       * realm).
       */
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
      /** JSON list of the settings that the user has changed personally. */
      chosenSettings: text("chosen_settings").notNull().default("[]"),
      /** Values of profile fields: JSON, by the field's id, as in the protocol. */
      profileData: text("profile_data").notNull().default("{}"),
      passwordHash: text("password_hash"),
      /** Source of their avatar: U is uploaded, J is generated, G is Gravatar by their address. */
      avatarSource: text("avatar_source").notNull().default("G"),
      /** Number of changes of the avatar, counted from 1. */
      avatarVersion: integer("avatar_version").notNull().default(1),
      /** Name of the files of an uploaded avatar, which cannot be guessed. */
      avatarFile: text("avatar_file"),
      /** Imported from another system, and not signed in since. */
      isImportedStub: boolean("is_imported_stub").notNull().default(false),
      /** Added by somebody else: they count as having joined at their first sign-in. */
      awaitsFirstSignIn: boolean("awaits_first_sign_in").notNull().default(false),
      /** Permanently deactivated, with all personal data removed. */
      isDeleted: boolean("is_deleted").notNull().default(false),
      createdAt: integer("created_at").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("users_email").on(t.realmId, t.emailKey),
      index("users_name").on(t.realmId, t.fullName),
      index("users_role").on(t.realmId, t.role),
    ],
  );
  return { users };
}

/** The keys that people and bots sign their requests with. */
export function keyTables({
  table,
  identity,
  identityKey,
  integer,
  text,
  boolean,
  index,
  uniqueIndex,
}: Columns) {
  const apiKeys = table(
    "api_keys",
    { of: "person", notExported: "a secret", holds: { userId: person }, onPersonDeleted: "end" },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      /**
       * HMAC-SHA-256 of the key, or of a session's token, under the server's secret, hexadecimal:
       * neither itself is stored.
       */
      hash: text("hash").notNull(),
      /**
       * The key of a bot, sealed under the server's secret, because the protocol shows it again;
       * else null.
       */
      sealed: text("sealed"),
      label: text("label").notNull(),
      createdAt: integer("created_at").notNull(),
      /**
       * Approximate time of its last use, because not every request stores it. Null for an unused
       * key, and for a session.
       */
      lastUsedAt: integer("last_used_at"),
      /** A browser's session instead of a key for requests. */
      isSession: boolean("is_session").notNull().default(false),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("api_keys_hash").on(t.realmId, t.hash),
      index("api_keys_user").on(t.realmId, t.userId),
    ],
  );
  return { apiKeys };
}
