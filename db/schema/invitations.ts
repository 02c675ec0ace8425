import type { Columns } from "./columns";
import { noId, person, type Traits } from "./traits";

/**
 * Invitations that can still be accepted or have just expired. Accepted and withdrawn invitations
 * are deleted.
 */
export const invitationTables = (columns: Columns) => ({
  invitations: invitationsTable(columns),
  invitationsSent: invitationsSentTable(columns),
});

const invitationsTraits = {
  of: "administrators",
  notExported: "holds secrets, and addresses of people who never came",
  holds: { inviterId: person, channelIds: noId, groupIds: noId },
  onPersonDeleted: "end",
} as const satisfies Traits;

const invitationsTable = ({
  table,
  identity,
  identityKey,
  integer,
  text,
  boolean,
  index,
  uniqueIndex,
}: Columns) =>
  table(
    "invitations",
    invitationsTraits,
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      inviterId: integer("inviter_id").notNull(),
      /**
       * Address of the invited person, as typed and in lower case for lookups; both null for a
       * reusable link.
       */
      email: text("email"),
      emailKey: text("email_key"),
      /**
       * HMAC-SHA-256 of the link's token under the server's secret, hexadecimal: the token itself
       * is not stored.
       */
      hash: text("hash").notNull(),
      /**
       * The token of a reusable link, sealed under the server's secret, because the link is shown
       * again; else null.
       */
      sealed: text("sealed"),
      role: integer("role").notNull(),
      /** JSON lists of ids. */
      channelIds: text("channel_ids").notNull(),
      groupIds: text("group_ids").notNull(),
      /** Whether new people are also subscribed to the default channels. */
      withDefaults: boolean("with_defaults").notNull(),
      /** Whether the inviter is told when it is accepted. */
      notifiesInviter: boolean("notifies_inviter").notNull(),
      /**
       * Welcome text for the person who accepts; null for the organization's text, empty for none.
       */
      welcomeText: text("welcome_text"),
      invitedAt: integer("invited_at").notNull(),
      /** Null for one that never expires. */
      expiresAt: integer("expires_at"),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("invitations_hash").on(t.realmId, t.hash),
      index("invitations_email").on(t.realmId, t.emailKey),
      index("invitations_inviter").on(t.realmId, t.inviterId),
    ],
  );

/** Each mail to an address, kept for a day, for the daily limits. */
const invitationsSentTable = ({ table, identity, identityKey, integer, index }: Columns) =>
  table(
    "invitations_sent",
    {
      of: "nobody",
      notExported: "counts for a day",
      holds: { inviterId: person },
      onPersonDeleted: { keep: "counts for a day" },
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      inviterId: integer("inviter_id").notNull(),
      sentAt: integer("sent_at").notNull(),
    },
    (t) => [...identityKey(t.realmId, t.id), index("invitations_sent_at").on(t.realmId, t.sentAt)],
  );
