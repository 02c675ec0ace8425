import type { Columns } from "./columns";
import { picture } from "./traits";

/**
 * Organizations. Settings that differ from their defaults are one JSON object; times are UNIX
 * seconds.
 */
export function realmTables({ table, identity, integer, text, boolean, uniqueIndex }: Columns) {
  const realms = table(
    "realms",
    {
      of: "realm",
      exported: true,
      holds: {
        settings: { is: "realmSettings" },
        iconFile: picture("realm"),
        logoFile: picture("realm"),
        nightLogoFile: picture("realm"),
      },
    },
    {
      id: identity(),
      host: text("host").notNull(),
      uuid: text("uuid").notNull(),
      name: text("name").notNull(),
      settings: text("settings").notNull().default("{}"),
      /** Initial settings of new users that differ from the protocol's defaults: a JSON object. */
      userDefaults: text("user_defaults").notNull().default("{}"),
      isActive: boolean("is_active").notNull().default(true),
      /**
       * Time when the data of a deactivated realm is deleted: null if it is kept, 0 once the
       * deletion has begun.
       */
      deletionAt: integer("deletion_at"),
      createdAt: integer("created_at").notNull(),
      /** The size of all its attachments together. */
      uploadedBytes: integer("uploaded_bytes").notNull().default(0),
      /**
       * Whether anybody has ever had alert words, and whether there were ever linkifiers: if not, a
       * send skips their queries.
       */
      hasAlertWords: boolean("has_alert_words").notNull().default(false),
      hasLinkifiers: boolean("has_linkifiers").notNull().default(false),
      /**
       * Names of the files of uploaded pictures: of the icon, and of the logos for light and dark
       * screens.
       */
      iconFile: text("icon_file"),
      logoFile: text("logo_file"),
      nightLogoFile: text("night_logo_file"),
      /** Digests of the files that the pictures were made from, to recognize these files. */
      iconDigest: text("icon_digest"),
      logoDigest: text("logo_digest"),
      nightLogoDigest: text("night_logo_digest"),
    },
    (t) => [uniqueIndex("realms_id").on(t.id), uniqueIndex("realms_host").on(t.host)],
  );
  return { realms };
}
