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
       * The real address as typed; `emailKey` is what it is found by (lower case, unique in its
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
      /** JSON list of the settings that the user has changed, and no administrator for them. */
      chosenSettings: text("chosen_settings").notNull().default("[]"),
      /** Values of profile fields: JSON, by the field's id, as the protocol shows it. */
      profileData: text("profile_data").notNull().default("{}"),
      passwordHash: text("password_hash"),
      /** Source of their picture: U is uploaded, J made by us, G at Gravatar by their address. */
      avatarSource: text("avatar_source").notNull().default("G"),
      /** Number of changes of the picture, counted from 1. */
      avatarVersion: integer("avatar_version").notNull().default(1),
      /** Name of the files of an uploaded picture: a name that nobody can guess. */
      avatarFile: text("avatar_file"),
      /** Brought along from another system, and not signed in since. */
      isImportedStub: boolean("is_imported_stub").notNull().default(false),
      /** Made by somebody else: they count as having joined when they sign in first. */
      awaitsFirstSignIn: boolean("awaits_first_sign_in").notNull().default(false),
      /** Deactivated for good: what was known of the person is removed. */
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
       * The key itself, sealed under the server's secret: of bots, whose key the protocol shows
       * again; else null.
       */
      sealed: text("sealed"),
      label: text("label").notNull(),
      createdAt: integer("created_at").notNull(),
      /**
       * About the time of its last use: not each request writes. Null for a key that was not used
       * yet, and for a session.
       */
      lastUsedAt: integer("last_used_at"),
      /** Not a key to sign requests with, but what a browser's session stands on. */
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
