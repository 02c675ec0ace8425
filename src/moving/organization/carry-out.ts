import { storeDetails } from "../../bots/details";
import { interfaceTypes } from "../../bots/outgoing";
import { createBotIn } from "../../bots/service";
import { type ChannelRow, channelKey } from "../../channels/queries";
import type { Context, Tx } from "../../core/context";
import { canonicalGroupSetting, type GroupSettingValue } from "../../core/group-setting";
import { isRole } from "../../core/role";
import { createUserIn } from "../../management/accounts/create";
import { reactivateUserIn } from "../../management/accounts/deactivate";
import { renameUserIn, storePasswordIn, updateUserRoleIn } from "../../management/accounts/update";
import {
  type ChannelToCreate,
  createChannel,
  prepareChannel,
} from "../../management/channels/create";
import {
  type ChannelChange,
  prepareChange,
  updateChannelIn,
} from "../../management/channels/update";
import { reactivateGroupIn } from "../../management/groups/activity";
import { createGroupIn } from "../../management/groups/create";
import { changeGroupMembersIn, changeSubgroupsIn } from "../../management/groups/members";
import { updateGroupIn } from "../../management/groups/update";
import { updateRealmSettingsIn } from "../../management/organization/change-settings";
import { subscribeUsers } from "../../management/subscriptions/subscribe";
import { unsubscribeUsers } from "../../management/subscriptions/unsubscribe";
import { announceDetails } from "../../people/bots/announce";
import { botKinds } from "../../people/bots/kinds";
import { updateUserSettingsDefaultsIn } from "../../people/settings/defaults";
import { emailKeyOf, loadUser } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import type { RenderedDescriptions } from "../../realm/descriptions";
import { carryOutThing } from "./carry-out-things";
import { type Change, defaultRole } from "./changes";
import type { DeclaredUser } from "./declaration";
import type { DeclaredBot } from "./declared-bots";
import type { DeclaredChannel } from "./declared-channels";
import type { DeclaredHolders, DeclaredPermissions } from "./declared-permissions";
import { isPictureChange } from "./picture-changes";
import { carryOutPicture, type ReadyPictures } from "./pictures";
import type { Stored } from "./stored";
import { isThingChange } from "./thing-changes";

/** Hashes of passwords by e-mail address, as it is written in the file. */
export type PasswordHashes = ReadonlyMap<string, string>;

/** Data made before the write, because that takes long. */
export interface Prepared {
  hashes: PasswordHashes;
  pictures: ReadyPictures;
  descriptions: RenderedDescriptions;
}

/**
 * Data that changes are carried out with: ids and rows by the names that the changes use, new ones
 * added as they come.
 */
interface Work extends Prepared {
  tx: Tx;
  /** Context as of the last change of the realm. */
  ctx: Context;
  users: Map<string, number>;
  groups: Map<string, number>;
  channels: Map<string, ChannelRow>;
  /** By name in lower case. */
  folders: Map<string, number>;
}

/**
 * Makes changes that were planned against what is stored, with the verbs' parts that run in a
 * write. `before` is told of each, and of how many are done.
 */
export async function carryOut(
  tx: Tx,
  ctx: Context,
  { stored, changes, prepared }: { stored: Stored; changes: readonly Change[]; prepared: Prepared },
  before: (change: Change, done: number) => void,
) {
  const work: Work = {
    tx,
    ctx,
    ...prepared,
    users: new Map(stored.users.map(({ emailKey, id }) => [emailKey, id])),
    groups: new Map(stored.groups.map(({ group }) => [group.name, group.id])),
    channels: new Map(stored.channels.map((channel) => [channel.nameKey, channel])),
    folders: new Map(
      stored.folders
        .filter((one) => !one.isArchived)
        .map(({ name, id }) => [name.toLowerCase(), id]),
    ),
  };
  for (const [index, change] of changes.entries()) {
    before(change, index);
    await carryOutOne(work, change);
  }
}

async function carryOutOne(work: Work, change: Change): Promise<void> {
  const { tx, ctx } = work;
  if (isThingChange(change)) return carryOutThing(work, change);
  if (isPictureChange(change)) return carryOutPicture(tx, ctx, change, work.pictures);
  switch (change.kind) {
    case "addRealm":
      return;
    case "changeRealm":
      return changeRealm(work, change.values);
    case "nameInRealm":
      return changeRealm(work, namedInRealm(work, change));
    case "changeUserDefaults":
      return updateUserSettingsDefaultsIn(tx, ctx, change.values);
    case "addUser":
    case "addBot":
    case "changeBot":
    case "renameUser":
    case "changeRole":
    case "reactivateUser":
    case "setPassword":
      return changeAccount(work, change);
    case "addGroup":
    case "reactivateGroup":
    case "describeGroup":
    case "changeGroupPermissions":
    case "changeMembers":
    case "changeSubgroups":
      return changeGroup(work, change);
    default:
      return changeChannel(work, change);
  }
}

async function changeRealm(work: Work, values: Record<string, unknown>): Promise<void> {
  const { tx, ctx } = work;
  await updateRealmSettingsIn(tx, ctx, values);
  work.ctx = { ...(await renewContext(tx, ctx)), reader: tx };
}

/** The settings that name somebody or a channel, as on the wire. */
const namedInRealm = (
  work: Work,
  { permissions, channels }: Extract<Change, { kind: "nameInRealm" }>,
) => ({
  ...Object.fromEntries(permissionValues(work, permissions)),
  ...Object.fromEntries(
    [...channels].map(([setting, name]) => [setting, channelNamed(work, name).id]),
  ),
});

type AccountKind =
  | "addUser"
  | "addBot"
  | "changeBot"
  | "renameUser"
  | "changeRole"
  | "reactivateUser"
  | "setPassword";

async function changeAccount(
  work: Work,
  change: Extract<Change, { kind: AccountKind }>,
): Promise<void> {
  const { tx, ctx, hashes, users } = work;
  switch (change.kind) {
    case "addUser": {
      const { id, emailKey } = await createUserIn(tx, ctx, preparedUser(change.user, hashes));
      users.set(emailKey, id);
      return;
    }
    case "addBot": {
      const { email, name, owner, kind } = change.bot;
      const bot = {
        email,
        fullName: name,
        ownerId: userId(work, owner),
        kind,
        details: newDetails(change.bot),
      };
      const { id, emailKey } = await createBotIn(tx, ctx, bot);
      users.set(emailKey, id);
      return;
    }
    case "changeBot": {
      const bot = await loadUser(tx, ctx.realm.id, userId(work, change.email));
      await storeDetails(tx, bot, change.details);
      return announceDetails(tx, bot, ["services"]);
    }
    case "renameUser":
      return renameUserIn(tx, ctx, userId(work, change.email), change.name);
    case "changeRole":
      if (!isRole(change.role)) throw new Error(`${change.role} is not a role.`);
      return updateUserRoleIn(tx, ctx, userId(work, change.email), change.role);
    case "reactivateUser":
      return reactivateUserIn(tx, ctx, userId(work, change.email));
    case "setPassword":
      return storePasswordIn(tx, ctx, userId(work, change.email), hashes.get(change.email) ?? "");
  }
}

/** An outgoing webhook is posted to in chatd's own form, and nowhere unless the file says where. */
const newDetails = ({ kind, details }: DeclaredBot) =>
  kind === botKinds.outgoingWebhook
    ? { payloadUrl: "", interfaceType: interfaceTypes.own, ...details }
    : details;

const preparedUser = ({ email, name, role }: DeclaredUser, hashes: PasswordHashes) => ({
  email,
  fullName: name,
  role: role ?? defaultRole,
  passwordHash: hashes.get(email) ?? null,
});

type MembersKind = "changeMembers" | "changeSubgroups";
type GroupKind =
  | "addGroup"
  | "reactivateGroup"
  | "describeGroup"
  | "changeGroupPermissions"
  | MembersKind;

async function changeGroup(
  work: Work,
  change: Extract<Change, { kind: GroupKind }>,
): Promise<void> {
  const { tx, ctx, groups } = work;
  switch (change.kind) {
    case "addGroup": {
      const { name, description = "", members = [] } = change.group;
      const group = { name, description, memberIds: userIds(work, members), subgroupIds: [] };
      groups.set(name, (await createGroupIn(tx, ctx, group)).id);
      return;
    }
    case "reactivateGroup":
      return reactivateGroupIn(tx, ctx, groupId(work, change.name));
    case "describeGroup":
      await updateGroupIn(tx, ctx, groupId(work, change.name), { description: change.description });
      return;
    case "changeGroupPermissions":
      await updateGroupIn(tx, ctx, groupId(work, change.name), {
        settings: changes(work, change.permissions),
      });
      return;
    case "changeMembers": {
      const members = { add: userIds(work, change.add), remove: userIds(work, change.remove) };
      return changeGroupMembersIn(tx, ctx, groupId(work, change.group), members);
    }
    case "changeSubgroups": {
      const idsOf = (names: string[]) => names.map((name) => groupId(work, name));
      const subgroups = { add: idsOf(change.add), remove: idsOf(change.remove) };
      return changeSubgroupsIn(tx, ctx, groupId(work, change.group), subgroups);
    }
  }
}

type ChannelKind = "addChannel" | "changeChannel" | "subscribe" | "unsubscribe";

async function changeChannel(
  work: Work,
  change: Extract<Change, { kind: ChannelKind }>,
): Promise<void> {
  const { tx, ctx, channels } = work;
  switch (change.kind) {
    case "addChannel": {
      const channel = await createChannel(tx, ctx, preparedChannel(work, change.channel));
      channels.set(channel.nameKey, channel);
      return;
    }
    case "changeChannel": {
      const before = channelNamed(work, change.name);
      const channel = await updateChannelIn(tx, ctx, before, preparedDifference(work, change));
      channels.set(channel.nameKey, channel);
      return;
    }
    case "subscribe":
      await subscribeUsers(
        tx,
        ctx,
        [channelNamed(work, change.channel)],
        userIds(work, change.emails),
      );
      return;
    case "unsubscribe":
      await unsubscribeUsers(
        tx,
        ctx,
        [channelNamed(work, change.channel)],
        userIds(work, change.emails),
      );
      return;
  }
}

const preparedChannel = (work: Work, channel: DeclaredChannel) =>
  prepareChannel(channelIn(work, channel), work.descriptions);

const channelIn = (work: Work, channel: DeclaredChannel): ChannelToCreate => ({
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
});

type ChannelDifference = Extract<Change, { kind: "changeChannel" }>;

const preparedDifference = (work: Work, change: ChannelDifference) =>
  prepareChange(differenceIn(work, change), work.descriptions);

const differenceIn = (work: Work, change: ChannelDifference): ChannelChange => ({
  description: change.description,
  isPrivate: change.private,
  isWebPublic: change.webPublic,
  historyPublicToSubscribers: change.sharedHistory,
  isDefault: change.isDefault,
  topicsPolicy: change.topicsPolicy,
  messageRetentionDays: change.retention,
  folderId: folderId(work, change.folder),
  settings: changes(work, change.permissions),
});

/** Permissions with their values as on the wire. */
const permissionValues = <Name extends string>(
  work: Work,
  permissions: DeclaredPermissions<Name>,
) =>
  [...permissions].map(([name, holders]): [Name, GroupSettingValue] => [
    name,
    holdersValue(work, holders),
  ]);

/** Permissions in the form of a request that changes them. */
const changes = <Name extends string>(work: Work, permissions: DeclaredPermissions<Name>) =>
  new Map(permissionValues(work, permissions).map(([name, value]) => [name, { new: value }]));

function holdersValue(work: Work, holders: DeclaredHolders): GroupSettingValue {
  const [groups, people] = [
    holders.filter((one) => work.groups.has(one)),
    holders.filter((one) => !work.groups.has(one)),
  ];
  if (holders.length === 0) return groupId(work, "role:nobody");
  const ids = {
    direct_members: userIds(work, people),
    direct_subgroups: groups.map((name) => groupId(work, name)),
  };
  return canonicalGroupSetting(ids);
}

const folderId = ({ folders }: Work, name: string | null | undefined) =>
  name === null || name === undefined ? name : known(folders.get(name.toLowerCase()), name);

/**
 * Value that a plan names. It exists: it was looked up, or is made by an earlier change of the same
 * plan.
 */
function known<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`The plan names '${name}', which is not there.`);
  return value;
}

const userId = ({ users }: Work, email: string) => known(users.get(emailKeyOf(email)), email);
const userIds = (work: Work, emails: readonly string[]) =>
  emails.map((email) => userId(work, email));
const groupId = ({ groups }: Work, name: string) => known(groups.get(name), name);
const channelNamed = ({ channels }: Work, name: string) =>
  known(channels.get(channelKey(name)), name);
