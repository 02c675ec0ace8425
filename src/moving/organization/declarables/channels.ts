import {
  type ChannelGroupSettingName,
  channelGroupSettings,
  holdersOf as storedHolders,
} from "../../../channels/group-settings";
import { readRetention } from "../../../channels/parameters";
import { type ChannelRow, channelKey, listChannels } from "../../../channels/queries";
import { type TopicsPolicy, topicsPolicies } from "../../../channels/topics-policy";
import { badRequest } from "../../../core/errors";
import { archiveChannelIn } from "../../../management/channels/archive";
import {
  cleanChannelName,
  createChannel,
  prepareChannel,
  usualHistory,
} from "../../../management/channels/create";
import { prepareChange, updateChannelIn } from "../../../management/channels/update";
import { cleanDescription } from "../../../realm/descriptions";
import type { Change } from "../change";
import type { Declarable } from "../declarable";
import { type Dumping, dumpPermissions, present } from "../dumping";
import {
  type Item,
  type Node,
  openMapping,
  readFlag,
  readItems,
  readText,
  refuseRepeated,
  requireText,
} from "../file/decode";
import { attempt, type Path, type Problem } from "../file/problems";
import {
  type DeclaredPermissions,
  holdersOf,
  permissionChanges,
  permissionValues,
  planPermissions,
  readPermissions,
} from "../permissions";
import type { Planning } from "../planning";
import { listSubscribers } from "../stored-members";
import { channelNamed, folderId } from "../work";
import {
  type ChannelChanges,
  type ChannelDifference,
  channelTraits,
  describeChannelChange,
} from "./channel-lines";
import { folderNameOf, isSameFolder, requireFolder } from "./folders";
import {
  type DeclaredSubscribers,
  dumpSubscribers,
  planSubscribers,
  readSubscribers,
} from "./subscribers";

export interface DeclaredChannel {
  name: string;
  description: string | undefined;
  private: boolean | undefined;
  webPublic: boolean | undefined;
  sharedHistory: boolean | undefined;
  default: boolean | undefined;
  topicsPolicy: TopicsPolicy | undefined;
  /** Days in stored form: null for the organization's default, -1 for ever. */
  retention: number | null | undefined;
  /** The name of its folder; null for none. */
  folder: string | null | undefined;
  permissions: DeclaredPermissions<ChannelGroupSettingName>;
  subscribers: DeclaredSubscribers | undefined;
}

/** Channels, identified by their names ignoring case, with their subscribers. */
export const channels: Declarable = {
  read: (root) => ({
    channels: readItems(root, "channels").map((item) => readChannel(root.problems, item)),
  }),
  check({ channels: declared }, problems) {
    const names = declared.map(({ name }, index) => ({
      path: ["channels", index, "name"],
      name: channelKey(name),
      shown: `'${name}'`,
    }));
    refuseRepeated(problems, names);
  },
  load: async ({ reader, realm }) => ({
    channels: await listChannels(reader, realm.id),
    subscribers: await listSubscribers(reader, realm.id),
  }),
  plan: planChannels,
  dump: (dumping) => ({ channels: dumpChannels(dumping) }),
  prune: { part: "channels", changes: pruneChannels },
};

const access = ["private", "web_public", "shared_history"];
const keys = ["name", "description", ...access, "default", "topics_policy", "retention", "folder"];
const lists = ["permissions", "subscribers"];

/** Reads a channel; mistakes become problems with their place. */
function readChannel(problems: Problem[], { path, value }: Item): DeclaredChannel {
  const node = openMapping(problems, path, value, "a channel", [...keys, ...lists]);
  const channel = {
    name: requireText(node, "name", cleanChannelName),
    description: readText(node, "description", cleanDescription),
    private: readFlag(node, "private"),
    webPublic: readFlag(node, "web_public"),
    sharedHistory: readFlag(node, "shared_history"),
    default: readFlag(node, "default"),
    topicsPolicy: readTopicsPolicy(node),
    retention: readDays(node),
    folder: node.fields.folder === null ? null : readText(node, "folder", (text) => text.trim()),
    permissions: readPermissions(node, { of: "a channel", table: channelGroupSettings }),
    subscribers: readSubscribers(node),
  };
  refuseOpenHistory(node, channel);
  return channel;
}

const openHistory = "the history of a public channel is open to everybody.";

/**
 * Adds problems for settings of a channel that conflict within the file. Conflicts with stored data
 * are found later.
 */
function refuseOpenHistory({ path, problems }: Node, channel: DeclaredChannel) {
  const {
    private: inviteOnly,
    webPublic: isWebPublic,
    sharedHistory,
    default: isDefault,
  } = channel;
  if (sharedHistory === false && (inviteOnly === false || isWebPublic)) {
    problems.push({ path: [...path, "shared_history"], message: openHistory });
  }
  const key = isWebPublic ? "web_public" : "default";
  attempt(problems, [...path, key], () =>
    prepareChannel({ name: "any", inviteOnly, isWebPublic, isDefault }),
  );
}

function readTopicsPolicy(node: Node): TopicsPolicy | undefined {
  const given = readText(node, "topics_policy", (text) => text.trim());
  if (given === undefined) return undefined;
  return attempt(node.problems, [...node.path, "topics_policy"], () => {
    const policy = topicsPolicies.find((one) => one === given);
    if (policy) return policy;
    throw badRequest(
      `there is no policy '${given}' of topics. There is: ${topicsPolicies.join(", ")}.`,
    );
  });
}

/** `retention: 30`, `unlimited` or `realm_default`. */
function readDays({ path, fields, problems }: Node): number | null | undefined {
  const { retention } = fields;
  if (retention === undefined) return undefined;
  return attempt(problems, [...path, "retention"], () => {
    if (
      (typeof retention === "number" && Number.isInteger(retention)) ||
      typeof retention === "string"
    ) {
      const isWord = retention === "realm_default" || retention === "unlimited";
      if (isWord || (typeof retention === "number" && retention > 0))
        return readRetention(retention);
    }
    throw badRequest("retention must be a number of days, unlimited or realm_default.");
  });
}

function planChannels(planning: Planning) {
  planning.declaration.channels.forEach((channel, index) => {
    const row = planning.stored.channels.find(
      ({ nameKey }) => nameKey === channelKey(channel.name),
    );
    const folderPath = ["channels", index, "folder"];
    if (channel.folder && !requireFolder(planning, channel.folder, folderPath)) return;
    if (row) planChannel(planning, channel, row, index);
    else planNewChannel(planning, channel, index);
    planSubscribers(planning, channel, row, index);
  });
}

function planNewChannel(planning: Planning, channel: DeclaredChannel, index: number) {
  const permissions = planPermissions(planning, permissionsPath(index), channel.permissions);
  requireFits(planning, channel, undefined, index);
  planning.changes.push(addChannel(["channels", index], { ...channel, permissions }));
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
  changes.push(changeChannel(["channels", index], row.name, { ...difference, permissions }));
}

/** The declared value if it differs from the stored one; otherwise undefined. */
const other = <Value>(declared: Value, stored: unknown): Value | undefined =>
  declared === stored ? undefined : declared;

/**
 * The change of a channel's history. A channel that becomes private gets protected history at that
 * moment, unless the file says otherwise.
 */
function historyDifference(
  { private: isPrivate, sharedHistory }: DeclaredChannel,
  row: ChannelRow,
) {
  const implied = isPrivate && !row.inviteOnly ? usualHistory(true, row) : undefined;
  return other(sharedHistory ?? implied, row.historyPublicToSubscribers);
}

/**
 * Adds problems for settings of a channel that would be incompatible after the plan. The file alone
 * may not show this, because it may leave out settings.
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

const addChannel = (path: Path, channel: DeclaredChannel): Change => ({
  lines: [`+ channel ${channel.name}${channelTraits(channel)}`],
  path,
  description: channel.description ?? "",
  async carryOut(work) {
    const toCreate = {
      name: channel.name,
      description: channel.description,
      inviteOnly: channel.private,
      isWebPublic: channel.webPublic,
      historyPublicToSubscribers: channel.sharedHistory,
      isDefault: channel.default,
      topicsPolicy: channel.topicsPolicy,
      messageRetentionDays: channel.retention,
      folderId: folderId(work, channel.folder),
      settings: new Map(permissionValues(work, channel.permissions)),
    };
    const prepared = prepareChannel(toCreate, work.descriptions);
    const created = await createChannel(work.tx, work.ctx, prepared);
    work.channels.set(created.nameKey, created);
  },
});

const changeChannel = (path: Path, name: string, change: ChannelChanges): Change => ({
  lines: describeChannelChange(name, change),
  path,
  description: change.description,
  async carryOut(work) {
    const difference = {
      description: change.description,
      isPrivate: change.private,
      isWebPublic: change.webPublic,
      historyPublicToSubscribers: change.sharedHistory,
      isDefault: change.isDefault,
      topicsPolicy: change.topicsPolicy,
      messageRetentionDays: change.retention,
      folderId: folderId(work, change.folder),
      settings: permissionChanges(work, change.permissions),
    };
    const before = channelNamed(work, name);
    const prepared = prepareChange(difference, work.descriptions);
    const channel = await updateChannelIn(work.tx, work.ctx, before, prepared);
    work.channels.set(channel.nameKey, channel);
  },
});

const dumpChannels = (dumping: Dumping) =>
  dumping.stored.channels
    .filter(({ isArchived }) => !isArchived)
    .map((row) =>
      present({
        name: row.name,
        description: row.description,
        private: row.inviteOnly,
        web_public: row.isWebPublic || undefined,
        shared_history: row.inviteOnly ? row.historyPublicToSubscribers : undefined,
        default: row.isDefault || undefined,
        topics_policy: row.topicsPolicy === "inherit" ? undefined : row.topicsPolicy,
        retention: dumpRetention(row.messageRetentionDays),
        folder: folderNameOf(dumping, row.folderId) ?? undefined,
        permissions: dumpPermissions(dumping, channelGroupSettings, (name) =>
          storedHolders(row, name),
        ),
        subscribers: dumpSubscribers(dumping, row),
      }),
    );

const dumpRetention = (days: number | null) =>
  days === null ? undefined : days < 0 ? "unlimited" : days;

function pruneChannels({ declaration, stored }: Planning): Change[] {
  const declared = new Set(declaration.channels.map(({ name }) => channelKey(name)));
  return stored.channels
    .filter(({ isArchived, nameKey }) => !isArchived && !declared.has(nameKey))
    .map((row) => ({
      lines: [`- channel ${row.name}: not declared, archived`],
      path: ["channels"],
      prunes: "channels",
      carryOut: ({ tx, ctx }) => archiveChannelIn(tx, ctx, row),
    }));
}
