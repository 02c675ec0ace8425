import { botKinds } from "../bots/kinds";
import { roleName, roles } from "../core/role";
import type { DeclaredChannel, DeclaredGroup, DeclaredRealm, DeclaredUser } from "./declaration";
import { type BotService, botKindName, botServiceKeys, type DeclaredBot } from "./declared-bots";

import { describeThingChange, isThingChange, type ThingChange } from "./thing-changes";

/** One thing that is done to make an organization what its file declares. People are named by e-mail address. */
export type Change =
  | ThingChange
  | { kind: "addRealm"; realm: DeclaredRealm }
  | { kind: "changeRealm"; values: Record<string, unknown> }
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
  | { kind: "changeMembers"; group: string; add: string[]; remove: string[] }
  | { kind: "changeSubgroups"; group: string; add: string[]; remove: string[] }
  | { kind: "addChannel"; channel: DeclaredChannel }
  | ({ kind: "changeChannel"; name: string } & ChannelDifference)
  | { kind: "subscribe"; channel: string; emails: string[] }
  | { kind: "unsubscribe"; channel: string; emails: string[] };

/** What becomes different of a channel; undefined stays. `folder` is a folder's name, or null for none. */
export interface ChannelDifference {
  description?: string | undefined;
  isDefault?: boolean | undefined;
  folder?: string | null | undefined;
}

const namesShownMax = 20;

/** A change in lines for a person: `+` what comes, `-` what goes, `~` what becomes different. Passwords are not shown. */
export function describeChange(change: Change): string[] {
  if (isThingChange(change)) return [describeThingChange(change)];
  switch (change.kind) {
    case "addRealm":
      return [`+ organization ${change.realm.name} (${change.realm.host})`];
    case "changeRealm":
      return Object.entries(change.values).map(([name, value]) => `~ organization: ${name} ${JSON.stringify(value)}`);
    case "changeUserDefaults":
      return Object.entries(change.values).map(([name, value]) => `~ new users: ${name} ${JSON.stringify(value)}`);
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

type GroupKind = "addGroup" | "reactivateGroup" | "describeGroup" | "changeMembers" | "changeSubgroups";
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
    case "changeMembers":
      return describeSets(`member of ${change.group}`, change);
    case "changeSubgroups":
      return describeSets(`subgroup of ${change.group}`, change);
  }
}

const membersOf = ({ members = [] }: DeclaredGroup) => ({ add: members, remove: [] });

function describeSets(what: string, { add, remove }: { add: string[]; remove: string[] }): string[] {
  const come = add.length > 0 ? [`+ ${what}: ${listNames(add)}`] : [];
  return remove.length > 0 ? [...come, `- ${what}: ${listNames(remove)}`] : come;
}

function describeChannelChange({ name, ...change }: Extract<Change, { kind: "changeChannel" }>): string[] {
  const { description, isDefault, folder } = change;
  return [
    ...(description === undefined ? [] : [`~ channel ${name}: description ${JSON.stringify(description)}`]),
    ...(isDefault === undefined ? [] : [`~ channel ${name}: default ${isDefault}`]),
    ...(folder === undefined ? [] : [`~ channel ${name}: ${folder === null ? "in no folder" : `folder ${folder}`}`]),
  ];
}

function channelTraits(channel: DeclaredChannel): string {
  const traits = [
    channel.private ? "private" : "public",
    ...(channel.private ? [channel.sharedHistory ? "shared history" : "protected history"] : []),
    ...(channel.default ? ["default"] : []),
    ...(channel.folder ? [`folder ${channel.folder}`] : []),
  ];
  return ` (${traits.join(", ")})`;
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, namesShownMax).join(", ");
  return names.length > namesShownMax ? `${shown} and ${names.length - namesShownMax} more` : shown;
}
