import { and, eq, gt, ne } from "drizzle-orm";
import { announceChanges } from "../../channels/announce-changes";
import { requireOpenFolder } from "../../channels/channel-folders/service";
import { leaveDefaultGroups } from "../../channels/default-channel-groups/announce";
import { announceDefaults, requireMayBeDefault } from "../../channels/default-channels";
import {
  type ChannelGroupSettingName,
  channelGroupSettings,
  type GivenChannelSettings,
  holdersOf,
  withChannelSettings,
} from "../../channels/group-settings";
import {
  mayChooseDefaults,
  requireMayAdminister,
  requireMayOpenToWeb,
} from "../../channels/permissions";
import { type ChannelRow, channelKey } from "../../channels/queries";
import { storeChannel } from "../../channels/store";
import { isSubscribed } from "../../channels/subscribers";
import type { TopicsPolicy } from "../../channels/topics-policy";
import type { Context, Tx } from "../../core/context";
import { badRequest, channelLooksTaken, refusedFor } from "../../core/errors";
import { mayReadChannel } from "../../core/reading-right/predicate";
import type { StoredGroupSetting } from "../../core/rights/group-setting";
import { isUnbound } from "../../core/rights/role";
import { noteName } from "../../core/text/look-alikes";
import { announceRenamedDefault } from "../../people/bots/announce";
import { checkGroupSettingChange } from "../../people/user-groups/setting-value";
import { requireNotForReports } from "../../realm/channel-settings";
import { cleanDescription, describedBy, type RenderedDescriptions } from "../../realm/descriptions";
import { auditChannel } from "./audit";
import { tellChanges } from "./change-notices";
import {
  cleanChannelName,
  closedHistory,
  isChannelLookTaken,
  privateOnTheWeb,
  requireMaySet,
  requireTopicsFit,
  usualHistory,
} from "./create";

export interface ChannelChange {
  name?: string | undefined;
  description?: string | undefined;
  isDefault?: boolean | undefined;
  isPrivate?: boolean | undefined;
  isWebPublic?: boolean | undefined;
  /** Whether new subscribers may read earlier messages. */
  historyPublicToSubscribers?: boolean | undefined;
  topicsPolicy?: TopicsPolicy | undefined;
  /** The channel's folder, null for none. */
  folderId?: number | null | undefined;
  /** Number of days that messages are kept: null for the organization's default, -1 for ever. */
  messageRetentionDays?: number | null | undefined;
  /** `{"new": …, "old": …}` as on the wire, by the permission's name. */
  settings?: GivenChannelSettings | undefined;
}

type ChangedColumns = Partial<
  Pick<
    ChannelRow,
    | "name"
    | "nameKey"
    | "description"
    | "renderedDescription"
    | "isDefault"
    | "inviteOnly"
    | "isWebPublic"
    | "historyPublicToSubscribers"
    | "topicsPolicy"
    | "folderId"
    | "messageRetentionDays"
  >
>;

/** A change that is ready to be stored; fields that are left out stay unchanged. */
export interface PreparedChange {
  columns: ChangedColumns;
  given: GivenChannelSettings;
}

/**
 * The part of changing a channel that needs no database. Refuses invalid names and descriptions.
 */
export function prepareChange(
  change: ChannelChange,
  rendered?: RenderedDescriptions,
): PreparedChange {
  const name = change.name === undefined ? undefined : cleanChannelName(change.name);
  const {
    isDefault,
    isPrivate: inviteOnly,
    isWebPublic,
    historyPublicToSubscribers,
    topicsPolicy,
    messageRetentionDays,
    folderId,
  } = change;
  const access = { inviteOnly, isWebPublic, historyPublicToSubscribers };
  const plain = { isDefault, ...access, topicsPolicy, messageRetentionDays, folderId };
  if (inviteOnly === false && historyPublicToSubscribers === false) {
    throw closedHistory();
  }
  const columns: ChangedColumns = {
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    ...(name === undefined ? {} : { name, nameKey: channelKey(name) }),
    ...(change.description === undefined
      ? {}
      : describedBy(cleanDescription(change.description), rendered)),
  };
  return { columns, given: change.settings ?? new Map() };
}

/**
 * Changes the given properties of a channel that differ; answers its row. Announces a `stream`
 * update per property to people who may know the channel; `stream` create or delete, and
 * `subscription` peer_add, to people for whom it becomes visible or invisible; `default_streams`,
 * and `default_stream_groups` for a channel that becomes private and so leaves its groups, to all
 * but guests. Notification Bot posts a notice about changes of name, description, access, retention
 * and posting permission, unless the channel is archived. Refuses an actor who does not administer
 * the channel, who may not read in it where the change would let them in, or who may not choose the
 * defaults, the topics policy, the retention or who deletes messages. Refuses a name that is taken
 * or looks like one that is, a public channel for reports, incompatible values, and an `old` that
 * differs from a permission's value (EXPECTATION_MISMATCH).
 */
export async function updateChannelIn(
  tx: Tx,
  ctx: Context,
  channel: ChannelRow,
  { columns: asked, given }: PreparedChange,
): Promise<ChannelRow> {
  const columns = differences(channel, asked);
  await requireMayChange(tx, ctx, channel, asked, given);
  const values = await changedSettings(tx, channel, given);
  if (Object.keys(columns).length === 0 && values.size === 0) return channel;
  await requireOpenFolder(tx, channel.realmId, columns.folderId);
  if (columns.name !== undefined) await requireNameFree(tx, channel, columns.name);
  const settings = withChannelSettings(channel.settings, values);
  await requireFits(tx, channel, { ...channel, ...columns, settings });
  const updated = await storeChannel(tx, channel, { ...columns, settings });
  noteName(tx, "channels", updated);
  await announceChanges(tx, ctx, channel, updated, values);
  if (updated.isDefault !== channel.isDefault) await announceDefaults(tx, channel.realmId);
  if (updated.inviteOnly && !channel.inviteOnly)
    await leaveDefaultGroups(tx, channel.realmId, channel.id);
  if (updated.name !== channel.name) await announceRenamedDefault(tx, updated.realmId, updated.id);
  if (!updated.isArchived) await tellChanges(tx, ctx, channel, updated);
  auditChannel(tx, ctx, "channel.update", channel, updated);
  return updated;
}

/**
 * The columns that change. A channel that becomes public or private opens or closes its history
 * with that.
 */
function differences(channel: ChannelRow, asked: ChangedColumns): ChangedColumns {
  const { inviteOnly } = asked;
  const implied =
    inviteOnly === undefined
      ? {}
      : { historyPublicToSubscribers: usualHistory(inviteOnly, channel) };
  const before = new Map<string, unknown>(Object.entries(channel));
  return Object.fromEntries(
    Object.entries({ ...implied, ...asked }).filter(([name, value]) => before.get(name) !== value),
  );
}

const accessNames = ["inviteOnly", "isWebPublic", "historyPublicToSubscribers"] as const;

/**
 * Permissions whose holders read in a private channel, or let others in: only actors who may read
 * there may change them.
 */
const contentSettings: readonly ChannelGroupSettingName[] = [
  "can_add_subscribers_group",
  "can_subscribe_group",
];

async function requireMayChange(
  tx: Tx,
  ctx: Context,
  channel: ChannelRow,
  asked: ChangedColumns,
  given: GivenChannelSettings,
) {
  await requireMayAdminister(tx, ctx, channel);
  const changesAccess = accessNames.some((name) => asked[name] !== undefined);
  if (asked.isWebPublic && !channel.isWebPublic) await requireMayOpenToWeb(tx, ctx);
  if (changesAccess || contentSettings.some((name) => given.has(name)))
    await requireContentAccess(tx, ctx, channel);
  if (asked.isDefault !== undefined && !mayChooseDefaults(ctx)) {
    throw badRequest("Only administrators may choose the default channels.");
  }
  await requireMaySet(tx, ctx, {
    topicsPolicy: asked.topicsPolicy !== undefined,
    retention: asked.messageRetentionDays !== undefined,
    settings: [...given.keys()],
  });
}

/** An administrator's role alone neither opens a private channel nor lets others in (A19, D8). */
async function requireContentAccess(tx: Tx, ctx: Context, channel: ChannelRow) {
  const { actor } = ctx;
  if (isUnbound(actor)) return;
  const isIn =
    "user" in actor && (await isSubscribed(tx, channel.realmId, actor.user.id, channel.id));
  if ("user" in actor && mayReadChannel(actor.user.role, channel, isIn)) return;
  throw refusedFor(
    "channel-access",
    `Only subscribers of the channel '${channel.name}' may change its access.`,
    channel.name,
  );
}

async function changedSettings(tx: Tx, channel: ChannelRow, given: GivenChannelSettings) {
  const values = new Map<ChannelGroupSettingName, StoredGroupSetting>();
  for (const [name, change] of given) {
    const setting = {
      name,
      permission: channelGroupSettings[name],
      current: holdersOf(channel, name),
    };
    const value = await checkGroupSettingChange(tx, channel.realmId, setting, change);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

/** Refuses incompatible settings of one channel. */
async function requireFits(tx: Tx, before: ChannelRow, after: ChannelRow) {
  if (after.isDefault) requireMayBeDefault(after);
  if (!after.inviteOnly && !after.historyPublicToSubscribers) {
    throw closedHistory();
  }
  if (after.inviteOnly && after.isWebPublic) throw privateOnTheWeb();
  if (before.inviteOnly && !after.inviteOnly)
    await requireNotForReports(tx, after.realmId, after.id);
  requireTopicsFit(after);
  const becomesTopicless =
    after.topicsPolicy === "empty_topic_only" && after.topicsPolicy !== before.topicsPolicy;
  if (becomesTopicless && (await hasNamedTopics(tx, after))) {
    throw badRequest(
      `The channel '${after.name}' has topics: move or delete their messages first.`,
    );
  }
}

async function hasNamedTopics(tx: Tx, { realmId, id }: ChannelRow): Promise<boolean> {
  const { messages } = tx.t;
  const isInChannel = and(eq(messages.realmId, realmId), eq(messages.channelId, id));
  const rows = await tx.db
    .select({ id: messages.id })
    .from(messages)
    .where(and(isInChannel, gt(messages.topicKey, "")))
    .limit(1);
  return rows.length > 0;
}

async function requireNameFree(tx: Tx, channel: ChannelRow, name: string) {
  const { channels } = tx.t;
  const isNamedSo = and(
    eq(channels.realmId, channel.realmId),
    eq(channels.nameKey, channelKey(name)),
  );
  const others = await tx.db
    .select({ id: channels.id })
    .from(channels)
    .where(and(isNamedSo, ne(channels.id, channel.id)));
  if (others.length > 0)
    throw refusedFor("channel-exists", `Channel '${name}' already exists.`, name);
  if (await isChannelLookTaken(tx, channel.realmId, name, channel.id))
    throw channelLooksTaken(name);
}
