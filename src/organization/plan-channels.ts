import { type ChannelRow, channelKey } from "../channels/queries";
import { roles } from "../core/role";
import type { DeclaredChannel } from "./declaration";
import { folderNameOf, isSameFolder, requireFolder } from "./plan-things";
import { activeEmails, differenceOf, findNamed, type Planning } from "./planning";

/**
 * Channels, and who is in them. `subscribers: all` means every active person but guests, who are only in channels that name
 * them; bots are too. It takes nobody out, while a list is made exact.
 */
export function planChannels(planning: Planning) {
  planning.declaration.channels.forEach((channel, index) => {
    const row = planning.stored.channels.find(({ nameKey }) => nameKey === channelKey(channel.name));
    if (channel.folder && !requireFolder(planning, channel.folder, index)) return;
    if (row) planChannel(planning, channel, row, index);
    else planning.changes.push({ kind: "addChannel", channel });
    planSubscribers(planning, channel, row, index);
  });
}

function planChannel(planning: Planning, channel: DeclaredChannel, row: ChannelRow, index: number) {
  const { changes, problems } = planning;
  const refuse = (key: string, message: string) => problems.push({ path: ["channels", index, key], message });
  const { name, private: isPrivate, sharedHistory } = channel;
  if (row.isArchived) refuse("name", `the channel '${name}' is archived.`);
  if (isPrivate !== undefined && isPrivate !== row.inviteOnly) {
    refuse(
      "private",
      `the channel '${name}' is ${row.inviteOnly ? "private" : "public"}, which cannot be changed here.`,
    );
  } else if (sharedHistory !== undefined && sharedHistory !== row.historyPublicToSubscribers) {
    const now = row.historyPublicToSubscribers ? "shared" : "protected";
    refuse("shared_history", `the history of the channel '${name}' is ${now}, which cannot be changed here.`);
  }
  if (channel.default && row.inviteOnly) refuse("default", "a private channel cannot be a default channel.");
  const description = channel.description === row.description ? undefined : channel.description;
  const isDefault = channel.default === row.isDefault ? undefined : channel.default;
  const isInPlace = channel.folder === undefined || isSameFolder(channel.folder, folderNameOf(planning, row.folderId));
  const difference = { description, isDefault, folder: isInPlace ? undefined : channel.folder };
  if (Object.values(difference).every((value) => value === undefined)) return;
  changes.push({ kind: "changeChannel", name: row.name, ...difference });
}

function planSubscribers(planning: Planning, channel: DeclaredChannel, row: ChannelRow | undefined, index: number) {
  const { accounts, stored, changes } = planning;
  const { subscribers } = channel;
  if (subscribers === undefined) return;
  const current = activeEmails(planning, row && stored.subscribers.get(row.id));
  const wanted =
    subscribers === "all"
      ? [...accounts.values()].filter(({ isActive, isBot, role }) => isActive && !isBot && role !== roles.guest)
      : subscribers.flatMap(
          (email, place) => findNamed(planning, email, ["channels", index, "subscribers", place]) ?? [],
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
