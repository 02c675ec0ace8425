import {
  type ChannelGroupSettingName,
  holdersOf as storedHolders,
} from "../../channels/group-settings";
import { type ChannelRow, channelKey } from "../../channels/queries";
import { roles } from "../../core/role";
import { usualHistory } from "../../management/channels/create";
import type { ChannelDifference } from "./changes";
import { type DeclaredChannel, openHistory } from "./declared-channels";
import { holdersOf, planPermissions } from "./plan-permissions";
import { folderNameOf, isSameFolder, requireFolder } from "./plan-things";
import { activeEmails, differenceOf, findNamed, type Planning } from "./planning";

/**
 * Channels, and who is in them. `subscribers: all` means every active person but guests, who are
 * only in channels that name them; bots are too. It takes nobody out, while a list is made exact.
 */
export function planChannels(planning: Planning) {
  planning.declaration.channels.forEach((channel, index) => {
    const row = planning.stored.channels.find(
      ({ nameKey }) => nameKey === channelKey(channel.name),
    );
    if (channel.folder && !requireFolder(planning, channel.folder, index)) return;
    if (row) planChannel(planning, channel, row, index);
    else planNewChannel(planning, channel, index);
    planSubscribers(planning, channel, row, index);
  });
}

function planNewChannel(planning: Planning, channel: DeclaredChannel, index: number) {
  const permissions = planPermissions(planning, permissionsPath(index), channel.permissions);
  requireFits(planning, channel, undefined, index);
  planning.changes.push({ kind: "addChannel", channel: { ...channel, permissions } });
}

const permissionsPath = (index: number) => ["channels", index, "permissions"];

function planChannel(planning: Planning, channel: DeclaredChannel, row: ChannelRow, index: number) {
  const { changes, problems } = planning;
  if (row.isArchived) {
    problems.push({
      path: ["channels", index, "name"],
      message: `the channel '${channel.name}' is archived.`,
    });
  }
  requireFits(planning, channel, row, index);
  const current = (name: ChannelGroupSettingName) => storedHolders(row, name);
  const permissions = planPermissions(
    planning,
    permissionsPath(index),
    channel.permissions,
    current,
  );
  const isInPlace =
    channel.folder === undefined ||
    isSameFolder(channel.folder, folderNameOf(planning, row.folderId));
  const difference: ChannelDifference = {
    description: other(channel.description, row.description),
    private: other(channel.private, row.inviteOnly),
    webPublic: other(channel.webPublic, row.isWebPublic),
    sharedHistory: historyDifference(channel, row),
    isDefault: other(channel.default, row.isDefault),
    topicsPolicy: other(channel.topicsPolicy, row.topicsPolicy),
    retention: other(channel.retention, row.messageRetentionDays),
    folder: isInPlace ? undefined : channel.folder,
  };
  const isSame = Object.values(difference).every((value) => value === undefined);
  if (isSame && permissions.size === 0) return;
  changes.push({ kind: "changeChannel", name: row.name, ...difference, permissions });
}

/** Declared value, where it is not the stored one. */
const other = <Value>(declared: Value, stored: unknown): Value | undefined =>
  declared === stored ? undefined : declared;

/** A channel that becomes private closes its history with that, unless the file says otherwise. */
function historyDifference(
  { private: isPrivate, sharedHistory }: DeclaredChannel,
  row: ChannelRow,
) {
  const implied = isPrivate && !row.inviteOnly ? usualHistory(true, row) : undefined;
  return other(sharedHistory ?? implied, row.historyPublicToSubscribers);
}

/**
 * Notes what would not go together in a channel as the plan leaves it; the file alone may not say
 * all of it.
 */
function requireFits(
  planning: Planning,
  channel: DeclaredChannel,
  row: ChannelRow | undefined,
  index: number,
) {
  const refuse = (key: keyof DeclaredChannel | "web_public" | "shared_history", message: string) =>
    planning.problems.push({ path: ["channels", index, key], message });
  const isPrivate = channel.private ?? row?.inviteOnly ?? false;
  const isWebPublic = channel.webPublic ?? row?.isWebPublic ?? false;
  const sharesHistory = channel.sharedHistory ?? usualHistory(isPrivate, row);
  if (!isPrivate && channel.sharedHistory === false) refuse("shared_history", openHistory);
  const isStated = channel.private !== undefined;
  if (isPrivate && isWebPublic) {
    refuse(
      isStated ? "private" : "web_public",
      "a private channel is not open to the web: declare one of both.",
    );
  }
  if (isPrivate && (channel.default ?? row?.isDefault)) {
    refuse(
      channel.default ? "default" : "private",
      "a private channel cannot be a default channel.",
    );
  }
  if (!isPrivate || sharesHistory || isFreeToBeginTopics(planning, channel, row)) return;
  const message =
    "can_create_topic_group must be role:everyone in a private channel with protected history.";
  refuse(channel.permissions.has("can_create_topic_group") ? "permissions" : "private", message);
}

function isFreeToBeginTopics(
  planning: Planning,
  channel: DeclaredChannel,
  row: ChannelRow | undefined,
): boolean {
  const declared = channel.permissions.get("can_create_topic_group");
  const holders =
    declared ??
    (row ? holdersOf(planning, storedHolders(row, "can_create_topic_group")) : everyone);
  return Bun.deepEquals([...new Set(holders)], everyone);
}

const everyone = ["role:everyone"];

function planSubscribers(
  planning: Planning,
  channel: DeclaredChannel,
  row: ChannelRow | undefined,
  index: number,
) {
  const { accounts, stored, changes } = planning;
  const { subscribers } = channel;
  if (subscribers === undefined) return;
  const current = activeEmails(planning, row && stored.subscribers.get(row.id));
  const wanted =
    subscribers === "all"
      ? [...accounts.values()].filter(
          ({ isActive, isBot, role }) => isActive && !isBot && role !== roles.guest,
        )
      : subscribers.flatMap(
          (email, place) =>
            findNamed(planning, email, ["channels", index, "subscribers", place]) ?? [],
        );
  const { add, remove } = differenceOf(
    wanted.map(({ email }) => email),
    current,
  );
  if (add.length > 0) changes.push({ kind: "subscribe", channel: channel.name, emails: add });
  if (remove.length > 0 && subscribers !== "all") {
    changes.push({ kind: "unsubscribe", channel: channel.name, emails: remove });
  }
}
