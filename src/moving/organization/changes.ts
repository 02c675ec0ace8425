import type { ChannelGroupSettingName } from "../../channels/group-settings";
import type { TopicsPolicy } from "../../channels/topics-policy";
import { roleName, roles } from "../../core/role";
import { botKinds } from "../../people/bots/kinds";
import type { UserGroupSettingName } from "../../people/user-groups/group-settings";
import type { RealmSettingName } from "../../realm/settings";
import type { DeclaredGroup, DeclaredUser } from "./declaration";
import { type BotService, botKindName, botServiceKeys, type DeclaredBot } from "./declared-bots";
import type { DeclaredChannel } from "./declared-channels";
import { type DeclaredPermissions, describeHolders } from "./declared-permissions";
import type { DeclaredRealm } from "./declared-realm";
import { describePictureChange, isPictureChange, type PictureChange } from "./picture-changes";
import { describeThingChange, isThingChange, type ThingChange } from "./thing-changes";

/**
 * One thing that is done to make an organization what its file declares. People are named by e-mail
 * address.
 */
export type Change =
  | ThingChange
  | PictureChange
  | { kind: "addRealm"; realm: DeclaredRealm }
  | { kind: "changeRealm"; values: Record<string, unknown> }
  | {
      kind: "nameInRealm";
      permissions: DeclaredPermissions<RealmSettingName>;
      channels: ReadonlyMap<string, string>;
    }
  | { kind: "changeUserDefaults"; values: Record<string, unknown> }
  | { kind: "addUser"; user: DeclaredUser }
  | { kind: "addBot"; bot: DeclaredBot }
  | { kind: "changeBot"; email: string; details: BotService }
  | { kind: "renameUser"; email: string; name: string }
  | { kind: "changeRole"; email: string; role: number }
  | { kind: "reactivateUser"; email: string }
  | { kind: "setPassword"; email: string; password: string }
  | { kind: "addGroup"; group: DeclaredGroup }
  | { kind: "reactivateGroup"; name: string }
  | { kind: "describeGroup"; name: string; description: string }
  | {
      kind: "changeGroupPermissions";
      name: string;
      permissions: DeclaredPermissions<UserGroupSettingName>;
    }
  | { kind: "changeMembers"; group: string; add: string[]; remove: string[] }
  | { kind: "changeSubgroups"; group: string; add: string[]; remove: string[] }
  | { kind: "addChannel"; channel: DeclaredChannel }
  | ({
      kind: "changeChannel";
      name: string;
      permissions: DeclaredPermissions<ChannelGroupSettingName>;
    } & ChannelDifference)
  | { kind: "subscribe"; channel: string; emails: string[] }
  | { kind: "unsubscribe"; channel: string; emails: string[] };

/** Differences of a channel; undefined stays. `folder` is a folder's name, or null for none. */
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

const namesShownMax = 20;

/**
 * A change in lines for a person: `+` what comes, `-` what goes, `~` what becomes different.
 * Passwords are not shown.
 */
export function describeChange(change: Change): string[] {
  if (isThingChange(change)) return [describeThingChange(change)];
  if (isPictureChange(change)) return [describePictureChange(change)];
  switch (change.kind) {
    case "addRealm":
      return [`+ organization ${change.realm.name} (${change.realm.host})`];
    case "changeRealm":
      return Object.entries(change.values).map(
        ([name, value]) => `~ organization: ${name} ${JSON.stringify(value)}`,
      );
    case "nameInRealm":
      return [
        ...describePermissions("organization", change.permissions),
        ...[...change.channels].map(([name, channel]) => `~ organization: ${name} ${channel}`),
      ];
    case "changeUserDefaults":
      return Object.entries(change.values).map(
        ([name, value]) => `~ new users: ${name} ${JSON.stringify(value)}`,
      );
    case "addUser":
      return [`+ user ${change.user.email} (${roleName(change.user.role ?? defaultRole)})`];
    case "addBot":
      return [`+ bot ${change.bot.email} (${botTraits(change.bot)})`];
    case "changeBot":
      return [`~ bot ${change.email}: ${botServiceKeys(change.details).join(", ")}`];
    case "renameUser":
      return [`~ user ${change.email}: name ${change.name}`];
    case "changeRole":
      return [`~ user ${change.email}: role ${roleName(change.role)}`];
    case "reactivateUser":
      return [`~ user ${change.email}: reactivated`];
    case "setPassword":
      return [`~ user ${change.email}: password`];
    case "addChannel":
      return [`+ channel ${change.channel.name}${channelTraits(change.channel)}`];
    case "changeChannel":
      return describeChannelChange(change);
    case "subscribe":
      return [`+ subscription ${change.channel}: ${listNames(change.emails)}`];
    case "unsubscribe":
      return [`- subscription ${change.channel}: ${listNames(change.emails)}`];
    default:
      return describeGroupChange(change);
  }
}

const botTraits = ({ kind, owner }: DeclaredBot) =>
  [...(kind === botKinds.generic ? [] : [botKindName(kind)]), `owner ${owner}`].join(", ");

/** The role of a new user for whom the file names none. */
export const defaultRole = roles.member;

/** A line for each permission, with who is to hold it. */
const describePermissions = (what: string, permissions: DeclaredPermissions<string>) =>
  [...permissions].map(([name, holders]) => `~ ${what}: ${name} ${describeHolders(holders)}`);

type MembersKind = "changeMembers" | "changeSubgroups";
type GroupKind =
  | "addGroup"
  | "reactivateGroup"
  | "describeGroup"
  | "changeGroupPermissions"
  | MembersKind;
type GroupChange = Extract<Change, { kind: GroupKind }>;

function describeGroupChange(change: GroupChange): string[] {
  switch (change.kind) {
    case "addGroup":
      return [
        `+ group ${change.group.name}`,
        ...describeSets(`member of ${change.group.name}`, membersOf(change.group)),
      ];
    case "reactivateGroup":
      return [`~ group ${change.name}: reactivated`];
    case "describeGroup":
      return [`~ group ${change.name}: description ${JSON.stringify(change.description)}`];
    case "changeGroupPermissions":
      return describePermissions(`group ${change.name}`, change.permissions);
    case "changeMembers":
      return describeSets(`member of ${change.group}`, change);
    case "changeSubgroups":
      return describeSets(`subgroup of ${change.group}`, change);
  }
}

const membersOf = ({ members = [] }: DeclaredGroup) => ({ add: members, remove: [] });

function describeSets(
  what: string,
  { add, remove }: { add: string[]; remove: string[] },
): string[] {
  const come = add.length > 0 ? [`+ ${what}: ${listNames(add)}`] : [];
  return remove.length > 0 ? [...come, `- ${what}: ${listNames(remove)}`] : come;
}

function describeChannelChange({
  name,
  permissions,
  ...change
}: Extract<Change, { kind: "changeChannel" }>): string[] {
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

function channelTraits(channel: DeclaredChannel): string {
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

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, namesShownMax).join(", ");
  return names.length > namesShownMax ? `${shown} and ${names.length - namesShownMax} more` : shown;
}
