import { and, eq, inArray } from "drizzle-orm";
import { holdersOf } from "../../channels/group-settings";
import type { ChannelRow } from "../../channels/queries";
import type { Context, Tx } from "../../core/context";
import { namedInNotice, silentMention } from "../../core/notice-actor";
import type { StoredGroupSetting } from "../../core/rights/group-setting";
import { findUsersByIds } from "../../people/users/queries";
import { parseRealmSettings } from "../../realm/settings";
import { accessName, quoteDescription, tellChannel } from "./notices";

/** Number of users and groups that a notice names. */
const holdersNamedMax = 50;

/**
 * Posts a notice in a channel about changes of its name, description, access, retention or posting
 * permission, with the name of the actor. Source: recorded behaviour of the reference server.
 */
export async function tellChanges(tx: Tx, ctx: Context, before: ChannelRow, after: ChannelRow) {
  const who = namedInNotice(ctx);
  const contents = [
    renamed(who, before, after),
    redescribed(who, before, after),
    accessChanged(who, before, after),
    retentionChanged(who, ctx, before, after),
    await postingChanged(tx, who, before, after),
  ];
  for (const content of contents)
    if (content !== undefined) await tellChannel(tx, ctx, after, content);
}

function renamed(who: string, before: ChannelRow, after: ChannelRow) {
  if (after.name === before.name) return undefined;
  return `${who} renamed channel **${before.name}** to **${after.name}**.`;
}

function redescribed(who: string, before: ChannelRow, after: ChannelRow) {
  if (after.description === before.description) return undefined;
  const [old, current] = [
    quoteDescription(before.description),
    quoteDescription(after.description),
  ];
  const changed = `${who} changed the description for this channel.`;
  return `${changed}\n\n* **Old description:**\n\n${old}\n\n* **New description:**\n\n${current}`;
}

function accessChanged(who: string, before: ChannelRow, after: ChannelRow) {
  const [old, current] = [accessName(before), accessName(after)];
  if (current === old) return undefined;
  const changed = `${who} changed the [access permissions](/help/channel-permissions) for this channel`;
  return `${changed} from **${old}** to **${current}**.`;
}

function retentionChanged(who: string, { realm }: Context, before: ChannelRow, after: ChannelRow) {
  if (after.messageRetentionDays === before.messageRetentionDays) return undefined;
  const { message_retention_days: ofRealm } = parseRealmSettings(realm.settings);
  const [old, current] = [before, after].map(({ messageRetentionDays: days }) =>
    periodOf(days ?? ofRealm),
  );
  const changed = `${who} has changed the [message retention period](/help/message-retention-policy) for this channel:`;
  const effect =
    current === forever
      ? "Messages in this channel will now be retained forever."
      : `Messages in this channel will now be automatically deleted ${current} after they are sent.`;
  return `${changed}\n\n* **Old retention period**: ${old}\n* **New retention period**: ${current}\n\n${effect}`;
}

const forever = "Forever";

function periodOf(days: number | null): string {
  if (days === null || days < 0) return forever;
  return days === 1 ? "1 day" : `${days} days`;
}

async function postingChanged(tx: Tx, who: string, before: ChannelRow, after: ChannelRow) {
  const [old, current] = [before, after].map((channel) =>
    holdersOf(channel, "can_send_message_group"),
  );
  if (old === undefined || current === undefined || Bun.deepEquals(old, current)) return undefined;
  const changed = `${who} changed the [posting permissions](/help/channel-posting-policy) for this channel:`;
  const { realmId } = after;
  return `${changed}\n\n* **Old**: ${await nameHolders(tx, realmId, old)}\n* **New**: ${await nameHolders(tx, realmId, current)}`;
}

/** Holders of a permission, as silent mentions: groups before users. */
async function nameHolders(tx: Tx, realmId: number, value: StoredGroupSetting): Promise<string> {
  if (typeof value === "string") return `@_*${value}*`;
  const { direct_members: userIds, direct_subgroups: groupIds } =
    typeof value === "number" ? { direct_members: [], direct_subgroups: [value] } : value;
  const names = [
    ...(await groupMentions(tx, realmId, groupIds.slice(0, holdersNamedMax))),
    ...(await userMentions(tx, realmId, userIds.slice(0, holdersNamedMax))),
  ];
  const others = userIds.length + groupIds.length - names.length;
  return [...names, ...(others > 0 ? [`and ${others} more`] : [])].join(", ");
}

async function groupMentions(tx: Tx, realmId: number, ids: number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { userGroups } = tx.t;
  const groups = await tx.db
    .select({ id: userGroups.id, name: userGroups.name })
    .from(userGroups)
    .where(and(eq(userGroups.realmId, realmId), inArray(userGroups.id, ids)));
  const nameOf = new Map(groups.map(({ id, name }) => [id, name]));
  return ids.flatMap((id) => (nameOf.has(id) ? [`@_*${nameOf.get(id)}*`] : []));
}

async function userMentions(tx: Tx, realmId: number, ids: number[]): Promise<string[]> {
  const users = await findUsersByIds(tx, realmId, ids);
  const mentions = new Map(users.map((user) => [user.id, silentMention(user)]));
  return ids.flatMap((id) => mentions.get(id) ?? []);
}
