import { type Static, Type } from "@sinclair/typebox";
import type { Reader } from "../../../db/reader";
import { channelGroupSettings } from "../../channels/group-settings";
import { requireRoomForChannels } from "../../channels/limits";
import { readRetention } from "../../channels/parameters";
import { mayAddSubscribers, mayJoinChannel } from "../../channels/permissions";
import {
  type ChannelAccess,
  type ChannelRow,
  defaultChannelIds,
  findAccess,
  findChannelsByIds,
} from "../../channels/queries";
import { findSubscriptions } from "../../channels/subscribers";
import { subscriptionObject } from "../../channels/subscription-wire";
import { topicsPolicies } from "../../channels/topics-policy";
import { isSelf } from "../../core/account";
import type { Context, Person, Tx } from "../../core/context";
import { badRequest, refusedFor } from "../../core/errors";
import { writeMembers } from "../../core/json/long-json";
import type { JsonMembers, JsonPieces } from "../../core/json/raw-json";
import {
  either,
  flag,
  type Input,
  id,
  ids,
  integer,
  optional,
  record,
  text,
  texts,
  word,
} from "../../core/params";
import {
  givenPermissions,
  groupSettingParameter,
  permissionParameters,
} from "../../core/rights/group-setting";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { type RenderedDescriptions, renderDescriptions } from "../../realm/descriptions";
import {
  createChannel,
  type PreparedChannel,
  prepareChannel,
  requireMayCreate,
} from "../channels/create";
import { parseColor } from "./colors";
import { type NoticeWishes, sendNotices } from "./notices";
import { loadOverview } from "./overview";
import { loadPrincipals, type Named, type Principal, requireNoSystemBot } from "./principals";
import { type ChannelsByUser, type SubscribeOutcome, subscribeUsers } from "./subscribe";

export const ListSubscriptions = record({
  includeSubscribers: optional(word("true", "false", "partial")),
});

export const SubscriptionList = record({ subscriptions: Type.Array(subscriptionObject) });

/** The actor's subscriptions, oldest channel first, on request with the other subscribers. */
export async function listSubscriptions(
  ctx: Context<Person>,
  input: Input<typeof ListSubscriptions>,
): Promise<JsonMembers | JsonPieces> {
  const include = input.includeSubscribers ?? "false";
  const { subscriptions } = await loadOverview(ctx, ctx.reader, { include, withArchived: false });
  return writeMembers({ subscriptions });
}

const channelsPerRequestMax = 500;
/**
 * Highest number of subscriptions that one request begins or ends, so that other writes do not wait
 * long.
 */
const subscriptionsPerRequestMax = 50_000;

export const channelsToAdd = Type.Array(
  record({ name: text(), description: optional(text()), color: optional(text()) }),
  {
    maxItems: channelsPerRequestMax,
  },
);
export const principals = either(ids(), texts());

export const AddSubscriptions = record({
  subscriptions: channelsToAdd,
  principals: optional(principals),
  authorizationErrorsFatal: optional(flag()),
  announce: optional(flag()),
  inviteOnly: optional(flag()),
  isWebPublic: optional(flag()),
  isDefaultStream: optional(flag()),
  historyPublicToSubscribers: optional(flag()),
  messageRetentionDays: optional(either(integer(), text())),
  topicsPolicy: optional(word(...topicsPolicies)),
  folderId: optional(Type.Union([id(), Type.Null()])),
  ...permissionParameters(channelGroupSettings, groupSettingParameter),
  sendNewSubscriptionMessages: optional(flag()),
});

/** Names of channels by the ids of users. */
const namesByUserId = Type.Record(Type.String(), Type.Array(Type.String()));

export const AddedSubscriptions = record({
  subscribed: namesByUserId,
  already_subscribed: namesByUserId,
  unauthorized: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Channels that the users could not be subscribed to; only with `authorization_errors_fatal=false`.",
    }),
  ),
  new_subscription_messages_sent: Type.Optional(
    Type.Boolean({
      description:
        "Whether the new subscribers got a message about it, if the request asked for that.",
    }),
  ),
});

export type Added = Static<typeof AddedSubscriptions>;

/**
 * Subscriptions that are ready to be stored: the channels by name, each with the data to create it
 * if it does not exist.
 */
interface PreparedAddition {
  channels: { given: string; prepared: PreparedChannel; color: string | undefined }[];
  /** Empty means the actor. */
  principals: readonly Principal[];
  areRefusalsFatal: boolean;
  notices: NoticeWishes;
}

/**
 * Subscribes the actor, or the named users, to channels by name, and creates missing ones, all with
 * the given settings. Announces the events of `createChannel`, `subscribeUsers` and `sendNotices`.
 * Refuses the system's bots, and channels that the actor may not create or may not subscribe those
 * users to. If refusals of the latter are not fatal, their names are answered as `unauthorized`
 * instead. Source: `test/recorded/api/api-surface.json`, subscribe.
 */
export async function addSubscriptions(
  ctx: Context,
  input: Input<typeof AddSubscriptions>,
): Promise<Added> {
  const prepared = await prepareAddition(ctx, input);
  return write(ctx, (tx) => addPrepared(tx, ctx, prepared));
}

/**
 * The part outside the write, which renders the descriptions of channels that look new to the
 * actor. Refuses invalid names, descriptions, colors and settings, and more new channels than there
 * may be.
 */
export async function prepareAddition(
  ctx: Context,
  input: Input<typeof AddSubscriptions>,
): Promise<PreparedAddition> {
  const { inviteOnly, isWebPublic, historyPublicToSubscribers, topicsPolicy, folderId } = input;
  const ofAll = {
    inviteOnly,
    isWebPublic,
    historyPublicToSubscribers,
    topicsPolicy,
    folderId,
    isDefault: input.isDefaultStream,
    messageRetentionDays: readRetention(input.messageRetentionDays),
    settings: givenPermissions(channelGroupSettings, input),
  };
  const channels = input.subscriptions.map(({ name, description, color }) => ({
    given: name,
    prepared: prepareChannel({ name, description, ...ofAll }),
    color: color === undefined ? undefined : requireColor(color),
  }));
  const wanted = [
    ...new Map(channels.map((channel) => [channel.prepared.nameKey, channel])).values(),
  ];
  const rendered = await renderNew(ctx, wanted);
  return {
    channels: wanted.map((channel) => ({
      ...channel,
      prepared: { ...channel.prepared, rendered },
    })),
    principals: input.principals ?? [],
    areRefusalsFatal: input.authorizationErrorsFatal ?? true,
    notices: {
      announce: input.announce ?? false,
      tellSubscribed: input.sendNewSubscriptionMessages ?? true,
    },
  };
}

/**
 * Missing channels and hidden ones are treated alike, because the difference would reveal hidden
 * ones.
 */
async function renderNew(
  ctx: Context,
  wanted: PreparedAddition["channels"],
): Promise<RenderedDescriptions> {
  const descriptions: string[] = [];
  for (const channel of wanted) {
    const existing = await findNamed(ctx, ctx.reader, channel);
    if (!existing?.mayKnow) descriptions.push(channel.prepared.description);
  }
  await requireRoomForChannels(ctx.reader, ctx, descriptions.length);
  return renderDescriptions(descriptions);
}

function requireColor(color: string): string {
  const parsed = parseColor(color);
  if (parsed === undefined)
    throw badRequest(`'${color}' is not a color: it must have the form #rrggbb.`);
  return parsed;
}

/** The part of `addSubscriptions` that runs in a write. */
export async function addPrepared(
  tx: Tx,
  outer: Context,
  addition: PreparedAddition,
): Promise<Added> {
  const ctx = await renewContext(tx, outer);
  requireBounded(addition.channels.length, addition.principals.length);
  const targets = await loadTargets(tx, ctx, addition.principals);
  requireNoSystemBot(targets);
  const userIds = targets.map(({ id }) => id);
  const whom = {
    userIds,
    hasActor: userIds.some((userId) => isSelf(ctx.actor, userId)),
    hasOthers: userIds.some((userId) => !isSelf(ctx.actor, userId)),
  };
  const open: ChannelRow[] = [];
  const created: ChannelRow[] = [];
  const refused: Refused[] = [];
  const colors = new Map<number, string>();
  for (const channelToAdd of addition.channels) {
    const { prepared, color } = channelToAdd;
    const existing = await findNamed(ctx, tx, channelToAdd);
    // Only an actor who may create channels learns that the name of a hidden one is taken.
    if (existing && !existing.mayKnow) await requireMayCreate(tx, ctx, prepared);
    const channel = existing?.channel ?? (await createChannel(tx, ctx, prepared));
    if (!existing) created.push(channel);
    if (color !== undefined) colors.set(channel.id, color);
    if (!existing || (await maySubscribe(tx, ctx, existing, whom))) open.push(channel);
    else refused.push({ name: prepared.name, ...existing });
  }
  if (addition.areRefusalsFatal && refused.length > 0) throw mayNotSubscribe(refused);
  const { subscribed, alreadySubscribed } = await subscribeUsers(tx, ctx, open, userIds, {
    colors,
  });
  const areToldSent = await sendNotices(tx, ctx, { created, subscribed }, addition.notices);
  auditAdded(tx, ctx, created, subscribed);
  return {
    subscribed: namesByUser(subscribed),
    already_subscribed: namesByUser(alreadySubscribed),
    ...(addition.areRefusalsFatal ? {} : { unauthorized: refused.map(({ name }) => name) }),
    ...(addition.notices.tellSubscribed ? { new_subscription_messages_sent: areToldSent } : {}),
  };
}

/** Notes new channels, or who was subscribed by somebody else. */
function auditAdded(tx: Tx, ctx: Context, created: readonly ChannelRow[], added: ChannelsByUser) {
  const others = [...added].filter(([userId]) => !isSelf(ctx.actor, userId));
  const user_ids = others.map(([userId]) => userId);
  const ids = [...new Set(others.flatMap(([, all]) => all.map((one) => one.id)))];
  if (created.length > 0) {
    const newIds = created.map((one) => one.id);
    const after = { names: created.map(({ name }) => name), subscriber_ids: user_ids };
    tx.audit(ctx, { action: "channel.create", kind: "channel", ids: newIds, after });
  } else if (others.length > 0)
    tx.audit(ctx, { action: "channel.subscribe", kind: "channel", ids, after: { user_ids } });
}

/** An existing channel. An older name may have characters that new names lose. */
async function findNamed(
  ctx: Context,
  reader: Reader,
  { given, prepared }: PreparedAddition["channels"][number],
) {
  return (
    (await findAccess(ctx, reader, { name: given })) ??
    (await findAccess(ctx, reader, { name: prepared.name }))
  );
}

export function requireBounded(channelCount: number, userCount: number) {
  if (channelCount * userCount <= subscriptionsPerRequestMax) return;
  throw badRequest(
    `One request changes at most ${subscriptionsPerRequestMax} subscriptions: name fewer users or channels.`,
  );
}

const namesByUser = (channels: ChannelsByUser): Static<typeof namesByUserId> =>
  Object.fromEntries([...channels].map(([userId, all]) => [userId, all.map(({ name }) => name)]));

/** The users of a request: the named ones, or else the actor. */
export async function loadTargets(
  tx: Tx,
  ctx: Context,
  named: readonly Principal[],
): Promise<Named[]> {
  if (named.length > 0) return loadPrincipals(tx, ctx, named);
  if (!("user" in ctx.actor)) throw badRequest("Name the users whose subscriptions are to change.");
  return [ctx.actor.user];
}

/** A channel that people may not be subscribed to, by its name in the request. */
type Refused = ChannelAccess & { name: string };

function mayNotSubscribe(refused: readonly Refused[]) {
  const archived = refused.find(({ mayKnow, channel }) => mayKnow && channel.isArchived);
  if (archived)
    return refusedFor(
      "channel-archived",
      `The channel '${archived.name}' is archived: nobody can join it.`,
      archived.name,
    );
  const names = refused.map(({ name }) => name).join(", ");
  const message = `You may not subscribe to, or add subscribers to: ${names}.`;
  return refusedFor("channel-subscribe", message, names);
}

/** Users to be subscribed, and whether the actor and others are among them. */
interface NewSubscribers {
  userIds: number[];
  hasActor: boolean;
  hasOthers: boolean;
}

async function maySubscribe(
  tx: Tx,
  ctx: Context,
  access: ChannelAccess,
  { userIds, hasActor, hasOthers }: NewSubscribers,
): Promise<boolean> {
  const { channel, isSubscribed, mayKnow } = access;
  if (!mayKnow) return false;
  if (channel.isArchived) return areAllIn(tx, channel, userIds);
  if (hasActor && !isSubscribed && !(await mayJoinChannel(tx, ctx, channel))) return false;
  return !hasOthers || mayAddSubscribers(tx, ctx, access);
}

/** Nobody is subscribed to an archived channel, but its present subscribers may be named. */
async function areAllIn(tx: Tx, channel: ChannelRow, userIds: number[]): Promise<boolean> {
  const rows = await findSubscriptions(tx, channel.realmId, [channel.id], userIds);
  return rows.filter(({ isActive }) => isActive).length === userIds.length;
}

/**
 * Subscribes a new user to the default channels, and to those that they have chosen. Do not call it
 * for guests, because guests are only in channels that somebody has added them to.
 */
export async function subscribeToDefaults(
  tx: Tx,
  ctx: Context,
  userId: number,
  chosenIds: readonly number[] = [],
): Promise<SubscribeOutcome> {
  const ids = new Set([...(await defaultChannelIds(tx, ctx.realm.id)), ...chosenIds]);
  const channels = await findChannelsByIds(tx, ctx.realm.id, [...ids]);
  return subscribeUsers(tx, ctx, channels, [userId]);
}

export const namesOf = (channels: ChannelsByUser): string[] => [
  ...new Set([...channels.values()].flat().map(({ name }) => name)),
];
