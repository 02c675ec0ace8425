import type { ChannelRow } from "../../channels/queries";
import { type AuditAction, type AuditFacts, changedFacts, storedFacts } from "../../core/audit";
import type { Context, Tx } from "../../core/context";

/** A channel as the audit log describes it, with its permissions. */
export const channelFacts = (channel: ChannelRow): AuditFacts => ({
  name: channel.name,
  description: channel.description,
  is_private: channel.inviteOnly,
  is_web_public: channel.isWebPublic,
  history_public_to_subscribers: channel.historyPublicToSubscribers,
  is_default: channel.isDefault,
  is_archived: channel.isArchived,
  topics_policy: channel.topicsPolicy,
  folder_id: channel.folderId,
  message_retention_days: channel.messageRetentionDays,
  ...storedFacts(channel.settings),
});

/** Notes a change of a channel. */
export const auditChannel = (
  tx: Tx,
  ctx: Context,
  action: AuditAction,
  before: ChannelRow,
  after: ChannelRow,
) =>
  tx.audit(ctx, {
    action,
    kind: "channel",
    ids: [after.id],
    ...changedFacts(channelFacts(before), channelFacts(after)),
  });
