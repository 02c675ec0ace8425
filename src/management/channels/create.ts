import { eq } from "drizzle-orm";
import { requireOpenFolder } from "../../channels/channel-folders/service";
import { viewersOf } from "../../channels/channel-visibility";
import { announceDefaults } from "../../channels/default-channels";
import { describeChannels } from "../../channels/describe";
import { channelsAppeared } from "../../channels/events";
import {
  type ChannelGroupSettingName,
  channelCreatorSettings,
  channelGroupSettings,
  type GivenChannelSettings,
  holdersOf,
  withChannelSettings,
} from "../../channels/group-settings";
import { requireRoomForChannels } from "../../channels/limits";
import {
  mayChooseDefaults,
  mayCreateChannel,
  requireMayOpenToWeb,
} from "../../channels/permissions";
import { type ChannelRow, channelKey, findChannelByName } from "../../channels/queries";
import type { TopicsPolicy } from "../../channels/topics-policy";
import { accountOf } from "../../core/account";
import type { Context, Tx } from "../../core/context";
import { badRequest, channelExists, channelLooksTaken, refusedFor } from "../../core/errors";
import { hasOpenHistory } from "../../core/reading-right/predicate";
import { readGroupSettingValue, type StoredGroupSetting } from "../../core/rights/group-setting";
import { requireOwner } from "../../core/rights/permission";
import { isLookAlikeTaken, noteName } from "../../core/text/look-alikes";
import { cleanName } from "../../core/text/name";
import { requireMay } from "../../people/user-groups/may";
import { checkGroupSetting } from "../../people/user-groups/setting-value";
import { lengthsMax } from "../../protocol/limits";
import { cleanDescription, describedBy, type RenderedDescriptions } from "../../realm/descriptions";
import { channelFacts } from "./audit";

export interface ChannelToCreate {
  name: string;
  description?: string | undefined;
  /** Private: known to its subscribers and the administrators, and readable for its subscribers. */
  inviteOnly?: boolean | undefined;
  /**
   * Web-public: readable for guests without a subscription, and for people who have not signed in.
   */
  isWebPublic?: boolean | undefined;
  /**
   * Whether new subscribers may read earlier messages. A public channel's history is always open.
   */
  historyPublicToSubscribers?: boolean | undefined;
  isDefault?: boolean | undefined;
  topicsPolicy?: TopicsPolicy | undefined;
  /** The channel's folder. */
  folderId?: number | null | undefined;
  /** Number of days that messages are kept: null for the organization's default, -1 for ever. */
  messageRetentionDays?: number | null | undefined;
  /** Values of permissions as on the wire; others get their default. */
  settings?: GivenChannelSettings | undefined;
}

/** A channel that is ready to be stored. */
export type PreparedChannel = Pick<
  ChannelRow,
  | "name"
  | "nameKey"
  | "description"
  | "inviteOnly"
  | "isWebPublic"
  | "historyPublicToSubscribers"
  | "isDefault"
  | "topicsPolicy"
  | "folderId"
  | "messageRetentionDays"
> & {
  given: GivenChannelSettings;
  /** Its description's HTML, if it was rendered before. */
  rendered: RenderedDescriptions | undefined;
};

/**
 * The stored form of a channel's name. Refuses one that is blank, has control characters or more
 * than 60 code points.
 */
export const cleanChannelName = (name: string): string =>
  cleanName("The channel's name", name, lengthsMax.channelName);

export const closedHistory = () =>
  badRequest("The history of a public channel is open to everybody.");
export const privateOnTheWeb = () =>
  badRequest("A private channel is not open to the web: send is_web_public=false with it.");

/**
 * Whether new subscribers may read earlier messages, if the request does not say so. In public
 * channels they may. In private ones this stays as before; a channel that becomes private closes
 * its history.
 */
export const usualHistory = (
  inviteOnly: boolean,
  before?: Pick<ChannelRow, "inviteOnly" | "historyPublicToSubscribers">,
): boolean => !inviteOnly || (before?.inviteOnly === true && before.historyPublicToSubscribers);

/**
 * The part of creating a channel that needs no database. By default, a private channel hides its
 * history from new subscribers.
 */
export function prepareChannel(
  input: ChannelToCreate,
  rendered?: RenderedDescriptions,
): PreparedChannel {
  const name = cleanChannelName(input.name);
  const inviteOnly = input.inviteOnly ?? false;
  const isDefault = input.isDefault ?? false;
  const isWebPublic = input.isWebPublic ?? false;
  if (inviteOnly && isDefault) throw badRequest("A private channel cannot be a default channel.");
  if (isWebPublic && input.historyPublicToSubscribers === false) throw closedHistory();
  if (isWebPublic && inviteOnly) throw privateOnTheWeb();
  return {
    name,
    nameKey: channelKey(name),
    description: cleanDescription(input.description ?? ""),
    rendered,
    inviteOnly,
    isWebPublic,
    historyPublicToSubscribers:
      !inviteOnly || (input.historyPublicToSubscribers ?? usualHistory(inviteOnly)),
    isDefault,
    topicsPolicy: input.topicsPolicy ?? "inherit",
    folderId: input.folderId ?? null,
    messageRetentionDays: input.messageRetentionDays ?? null,
    given: input.settings ?? new Map(),
  };
}

/**
 * Creates a channel without subscribers. Announces `stream` create to people who may know it (for a
 * private one, administrators and its own administrators; its subscribers get it when they are
 * subscribed), and `default_streams` for a default channel. Refuses an actor who may not create
 * such a channel or has made too many, a name that is taken or looks like one that is, a missing
 * folder, and values that a permission may not have.
 */
export async function createChannel(
  tx: Tx,
  ctx: Context,
  prepared: PreparedChannel,
): Promise<ChannelRow> {
  const { realm, actor } = ctx;
  await requireMayCreate(tx, ctx, prepared);
  await requireRoomForChannels(tx, ctx, 1);
  const creatorId = accountOf(actor)?.id ?? null;
  const { given, rendered, ...others } = prepared;
  const columns = { ...others, ...describedBy(prepared.description, rendered) };
  await requireOpenFolder(tx, realm.id, columns.folderId);
  const settings = await settingsOfNewChannel(tx, ctx, creatorId, given);
  requireTopicsFit({ ...columns, settings });
  const looksTaken = await isChannelLookTaken(tx, realm.id, prepared.name);
  if (looksTaken && !(await findChannelByName(tx, realm.id, prepared.name)))
    throw channelLooksTaken(prepared.name);
  const [channel] = await tx.db
    .insert(tx.t.channels)
    .values({ ...columns, realmId: realm.id, creatorId, settings, createdAt: tx.now })
    .onConflictDoNothing()
    .returning();
  if (!channel) throw channelExists(prepared.name);
  noteName(tx, "channels", channel);
  const streams = await describeChannels(tx, realm.id, [channel], new Map());
  await tx.emit(await viewersOf(tx, ctx, channel), channelsAppeared({ streams }));
  if (channel.isDefault) await announceDefaults(tx, realm.id);
  const after = channelFacts(channel);
  tx.audit(ctx, { action: "channel.create", kind: "channel", ids: [channel.id], after });
  return channel;
}

/**
 * Whether another channel of the realm has a name that looks like this one, including archived
 * channels.
 */
export const isChannelLookTaken = (
  tx: Tx,
  realmId: number,
  name: string,
  exceptId?: number,
): Promise<boolean> =>
  isLookAlikeTaken(tx, "channels", { name, exceptId }, async () => {
    const { channels } = tx.t;
    const names = tx.db.select({ id: channels.id, name: channels.name }).from(channels);
    return names.where(eq(channels.realmId, realmId));
  });

/** Refuses (BAD_REQUEST) an actor who may not make such a channel. */
export async function requireMayCreate(tx: Tx, ctx: Context, prepared: PreparedChannel) {
  if (!(await mayCreateChannel(tx, ctx, prepared.inviteOnly))) {
    throw refusedFor(
      "channel-create",
      `You may not create ${prepared.inviteOnly ? "private" : "public"} channels.`,
    );
  }
  if (prepared.isWebPublic) await requireMayOpenToWeb(tx, ctx);
  if (prepared.isDefault && !mayChooseDefaults(ctx)) {
    throw badRequest("Only administrators may create default channels.");
  }
  await requireMaySet(tx, ctx, {
    topicsPolicy: prepared.topicsPolicy !== "inherit",
    retention: prepared.messageRetentionDays !== null,
    settings: [...prepared.given.keys()],
  });
}

const deletionSettings: readonly string[] = [
  "can_delete_any_message_group",
  "can_delete_own_message_group",
];

/**
 * Checks settings that need more rights than administering a channel: its topics policy, its
 * retention, and who deletes messages.
 */
export async function requireMaySet(
  tx: Tx,
  ctx: Context,
  what: { topicsPolicy: boolean; retention: boolean; settings: readonly ChannelGroupSettingName[] },
) {
  if (what.retention) requireOwner(ctx.actor);
  if (what.topicsPolicy) {
    const refusal = () =>
      badRequest("You do not have permission to change the topics policy of channels.");
    await requireMay(tx, ctx, refusal, { realm: "can_set_topics_policy_group" });
  }
  if (what.settings.some((name) => deletionSettings.includes(name))) {
    const refusal = () =>
      badRequest("You do not have permission to change who may delete messages in channels.");
    await requireMay(tx, ctx, refusal, { realm: "can_set_delete_message_policy_group" });
  }
}

async function settingsOfNewChannel(
  tx: Tx,
  { realm }: Context,
  creatorId: number | null,
  given: GivenChannelSettings,
): Promise<string> {
  const stored = JSON.stringify(creatorId === null ? {} : channelCreatorSettings(creatorId));
  const values = new Map<ChannelGroupSettingName, StoredGroupSetting>();
  for (const [name, value] of given) {
    const setting = { name, permission: channelGroupSettings[name] };
    values.set(
      name,
      await checkGroupSetting(tx, realm.id, setting, readGroupSettingValue(name, value)),
    );
  }
  return withChannelSettings(stored, values);
}

/**
 * Refuses incompatible settings: where subscribers read only a part of the history of a private
 * channel, all of them must be allowed to begin topics, because they cannot tell whether a topic
 * exists. Source: `docs/protocol/specification.md`, can_create_topic_group.
 */
export function requireTopicsFit(
  channel: Pick<ChannelRow, "inviteOnly" | "historyPublicToSubscribers" | "settings">,
): void {
  if (hasOpenHistory(channel)) return;
  if (holdersOf(channel, "can_create_topic_group") === "role:everyone") return;
  throw refusedFor(
    "protected-topics",
    "In a private channel with protected history everybody must be allowed to begin topics: can_create_topic_group must be role:everyone.",
  );
}
