import type { ChannelGroupSettingName } from "../../../channels/group-settings";
import type { TopicsPolicy } from "../../../channels/topics-policy";
import { type DeclaredPermissions, describeHolders, describePermissions } from "../permissions";
import type { DeclaredChannel } from "./channels";

/**
 * Differences of a channel; undefined means unchanged. `folder` is a folder's name, or null for
 * none.
 */
export interface ChannelDifference {
  description?: string | undefined;
  private?: boolean | undefined;
  webPublic?: boolean | undefined;
  sharedHistory?: boolean | undefined;
  isDefault?: boolean | undefined;
  topicsPolicy?: TopicsPolicy | undefined;
  retention?: number | null | undefined;
  folder?: string | null | undefined;
}

/** Differences of a channel and of its permissions. */
export type ChannelChanges = ChannelDifference & {
  permissions: DeclaredPermissions<ChannelGroupSettingName>;
};

/** Lines for a person about a channel that changes. */
export function describeChannelChange(
  name: string,
  { permissions, ...change }: ChannelChanges,
): string[] {
  const { description, isDefault, folder, topicsPolicy, retention } = change;
  const lines = [
    ...(description === undefined ? [] : [`description ${JSON.stringify(description)}`]),
    ...describeAccess(change),
    ...(isDefault === undefined ? [] : [`default ${isDefault}`]),
    ...(topicsPolicy === undefined ? [] : [`topics_policy ${topicsPolicy}`]),
    ...(retention === undefined ? [] : [`retention ${describeRetention(retention)}`]),
    ...(folder === undefined ? [] : [folder === null ? "in no folder" : `folder ${folder}`]),
  ];
  return [
    ...lines.map((line) => `~ channel ${name}: ${line}`),
    ...describePermissions(`channel ${name}`, permissions),
  ];
}

const describeAccess = ({ private: isPrivate, webPublic, sharedHistory }: ChannelDifference) => [
  ...(isPrivate === undefined ? [] : [isPrivate ? "private" : "public"]),
  ...(webPublic === undefined ? [] : [`web_public ${webPublic}`]),
  ...(sharedHistory === undefined ? [] : [sharedHistory ? "shared history" : "protected history"]),
];

const describeRetention = (days: number | null) =>
  days === null ? "realm_default" : days < 0 ? "unlimited" : `${days} days`;

/** The traits of a new channel, in brackets. */
export function channelTraits(channel: DeclaredChannel): string {
  const { retention, topicsPolicy } = channel;
  const traits = [
    channel.private ? "private" : channel.webPublic ? "web-public" : "public",
    ...(channel.private ? [channel.sharedHistory ? "shared history" : "protected history"] : []),
    ...(channel.default ? ["default"] : []),
    ...(topicsPolicy === undefined ? [] : [topicsPolicy]),
    ...(retention === undefined ? [] : [`retention ${describeRetention(retention)}`]),
    ...(channel.folder ? [`folder ${channel.folder}`] : []),
    ...[...channel.permissions].map(([name, holders]) => `${name} ${describeHolders(holders)}`),
  ];
  return ` (${traits.join(", ")})`;
}
