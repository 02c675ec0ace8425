import { asc } from "drizzle-orm";
import { resolveChannelGroupSettings } from "../../channels/group-settings";
import { plainColor } from "../../management/subscriptions/colors";
import { recipientTypes, topicsPolicyCodes } from "../import/reference/codes";
import type { ArchiveRow } from "./archive-file";
import type { PermissionGroups } from "./groups";
import { numbered } from "./numbered";
import { type Conversations, channelRecipient } from "./recipients";
import type { Snapshot } from "./snapshot";

/** Types of entries in the archive's audit log. */
const acts = { realmMade: 215, subscribed: 301, subscribedAgain: 302, unsubscribed: 303 };

/** The tables of folders, channels and subscriptions. */
export async function channelTables(
  snapshot: Snapshot,
  groups: PermissionGroups,
  conversations: Conversations,
): Promise<Record<string, ArchiveRow[]>> {
  const { reader, realm } = snapshot;
  const { db, t } = reader;
  const folders = await db.select().from(t.channelFolders).orderBy(asc(t.channelFolders.position));
  const channels = await db.select().from(t.channels).orderBy(asc(t.channels.id));
  return {
    zerver_channelfolder: folders.map((one, order) => ({
      id: one.id,
      realm: realm.id,
      name: one.name,
      description: one.description,
      rendered_description: one.renderedDescription,
      date_created: one.createdAt,
      creator: one.creatorId,
      is_archived: one.isArchived,
      order,
    })),
    zerver_stream: channels.map((one) => channelRow(snapshot, groups, one)),
    zerver_defaultstream: numbered(
      channels
        .filter(({ isDefault }) => isDefault)
        .map(({ id }) => ({ realm: realm.id, stream: id })),
    ),
    zerver_recipient: [
      ...channels.map(({ id }) => ({
        id: channelRecipient(id),
        type: recipientTypes.channel,
        type_id: id,
      })),
      ...conversations.recipients(),
    ],
    zerver_huddle: conversations.rows(),
    zerver_subscription: await subscriptionRows(snapshot, conversations),
    zerver_realmauditlog: await auditRows(snapshot),
  };
}

type ChannelRow = Snapshot["reader"]["t"]["channels"]["$inferSelect"];

const channelRow = (
  { realm }: Snapshot,
  groups: PermissionGroups,
  one: ChannelRow,
): ArchiveRow => ({
  id: one.id,
  realm: realm.id,
  name: one.name,
  date_created: one.createdAt,
  creator: one.creatorId,
  deactivated: one.isArchived,
  description: one.description,
  rendered_description: one.renderedDescription,
  invite_only: one.inviteOnly,
  history_public_to_subscribers: one.historyPublicToSubscribers,
  is_web_public: one.isWebPublic,
  message_retention_days: one.messageRetentionDays,
  folder: one.folderId,
  is_recently_active: one.isRecentlyActive,
  topics_policy:
    Object.entries(topicsPolicyCodes).find(([name]) => name === one.topicsPolicy)?.[1] ??
    topicsPolicyCodes.inherit,
  ...groups.idsOf(resolveChannelGroupSettings(one.settings, groups.systemGroupIds)),
});

async function subscriptionRows({ reader }: Snapshot, conversations: Conversations) {
  const { db, t } = reader;
  const users = await db.select({ id: t.users.id, isActive: t.users.isActive }).from(t.users);
  const active = new Set(users.filter(({ isActive }) => isActive).map(({ id }) => id));
  const subscriptions = await db.select().from(t.subscriptions);
  return numbered([
    ...subscriptions.map((one) => ({
      user_profile: one.userId,
      recipient: channelRecipient(one.channelId),
      active: one.isActive,
      is_user_active: active.has(one.userId),
      is_muted: one.isMuted,
      color: one.color,
      pin_to_top: one.pinToTop,
      desktop_notifications: one.desktopNotifications,
      audible_notifications: one.audibleNotifications,
      push_notifications: one.pushNotifications,
      email_notifications: one.emailNotifications,
      wildcard_mentions_notify: one.wildcardMentionsNotify,
    })),
    ...conversations.members().map(({ recipient, user_profile }) => ({
      user_profile,
      recipient,
      active: true,
      is_user_active: active.has(user_profile),
      is_muted: false,
      // The form requires a color, but a conversation never shows one.
      color: plainColor,
      pin_to_top: false,
    })),
  ]);
}

/**
 * Entries of the audit log that say who came to which channel or left it, because the importer
 * needs them. chatd does not store the times of these acts, so all have the time at which the
 * organization was made.
 */
async function auditRows({ reader, realm }: Snapshot) {
  const { subscriptionPeriods: p } = reader.t;
  const periods = await reader.db
    .select()
    .from(p)
    .orderBy(asc(p.userId), asc(p.channelId), asc(p.fromLog));
  const seen = new Set<string>();
  const rows: ArchiveRow[] = [{ event_type: acts.realmMade, event_last_message_id: null }];
  for (const { userId, channelId, fromMessage, toMessage, toLog } of periods) {
    const about = { modified_user: userId, modified_stream: channelId };
    const key = `${userId} ${channelId}`;
    const event_type = seen.has(key) ? acts.subscribedAgain : acts.subscribed;
    seen.add(key);
    rows.push({ ...about, event_type, event_last_message_id: fromMessage });
    if (toLog !== null)
      rows.push({ ...about, event_type: acts.unsubscribed, event_last_message_id: toMessage });
  }
  return numbered(
    rows.map((row) => ({
      realm: realm.id,
      event_time: realm.createdAt,
      backfilled: true,
      extra_data: {},
      acting_user: null,
      modified_user: null,
      modified_stream: null,
      modified_user_group: null,
      modified_channel_folder: null,
      ...row,
    })),
  );
}
