import {
  byKey,
  change,
  changeEach,
  changeSome,
  putAll,
  withAll,
  withMembers,
  withoutAll,
  withoutKeys,
} from "./copies";
import type { Model } from "./snapshot";
import { deactivatedBy } from "./users";
import type {
  ChannelFolder,
  Event,
  EventOf,
  Register,
  WireNeverSubscribed,
  WireSubscription,
} from "./wire";

/**
 * Members that are left out, because no event keeps them up to date, or because they only repeat
 * another member.
 */
type Left = "first_message_id" | "in_home_view" | "subscribers" | "partial_subscribers";

type Known = Omit<WireNeverSubscribed, Left>;
type Own = Omit<WireSubscription, keyof WireNeverSubscribed | Left>;

/**
 * A channel that the person may know about. It has the person's own settings if they are or were
 * subscribed.
 */
export interface Channel extends Known, Partial<Own> {
  /** Whether the person is subscribed, was subscribed earlier, or never was. */
  readonly standing: "subscribed" | "unsubscribed" | "never";
  /**
   * Ids of the subscribers, if the lists were fetched. Without the lists, `subscriber_count` does
   * not follow deactivated accounts, because events do not say which channels they were in.
   */
  readonly subscribers: ReadonlySet<number> | undefined;
}

/** Channels by id. */
export type Channels = ReadonlyMap<number, Channel>;

type Row = WireNeverSubscribed & Partial<WireSubscription>;

function channelOf(row: Row, standing: Channel["standing"]): Channel {
  const {
    first_message_id: _,
    in_home_view: _reverse,
    partial_subscribers: partial,
    ...facts
  } = row;
  const listed = row.subscribers ?? partial;
  return { ...facts, standing, subscribers: listed && new Set(listed) };
}

export function channelsFrom(register: Register): Channels {
  const { subscriptions, unsubscribed, never_subscribed } = register;
  return byKey(
    [
      ...subscriptions.map((row) => channelOf(row, "subscribed")),
      ...unsubscribed.map((row) => channelOf(row, "unsubscribed")),
      ...never_subscribed.map((row) => channelOf(row, "never")),
    ],
    ({ stream_id }) => stream_id,
  );
}

export function applyChannels(channels: Channels, event: Event, { me }: Model): Channels {
  if (event.type === "stream") return applyChannel(channels, event);
  if (event.type === "subscription") return applySubscription(channels, event, me);
  const gone = deactivatedBy(event);
  if (gone === undefined) return channels;
  return changeEach(channels, (channel) =>
    channel.subscribers?.has(gone) ? withoutPeers(channel, [gone]) : channel,
  );
}

function applyChannel(channels: Channels, event: EventOf<"stream">): Channels {
  switch (event.op) {
    case "create": {
      const isListed = hasLists(channels);
      return putAll(
        channels,
        event.streams.map((row) => newChannel(row, isListed)),
        ({ stream_id }) => stream_id,
      );
    }
    case "delete":
      return withoutKeys(channels, event.stream_ids);
    case "update":
      return change(channels, event.stream_id, (channel) => withProperty(channel, event));
  }
}

type Appeared = Extract<EventOf<"stream">, { op: "create" }>["streams"][number];

/**
 * A channel that the person can see from now on. The event does not say whether they were
 * subscribed to it before. `isListed` tells whether lists of subscribers were fetched.
 */
function newChannel(row: Appeared, isListed: boolean): Channel {
  return channelOf(isListed ? { ...row, subscribers: [] } : row, "never");
}

/** Whether lists of subscribers were fetched. */
const hasLists = (channels: Channels): boolean =>
  channels.size === 0 || [...channels.values()].some(({ subscribers }) => subscribers);

type Update = Extract<EventOf<"stream">, { op: "update" }>;

function withProperty(channel: Channel, event: Update): Channel {
  const { property, value } = event;
  const alongside = {
    rendered_description: event.rendered_description,
    history_public_to_subscribers: event.history_public_to_subscribers,
    is_web_public: event.is_web_public,
  };
  const given = Object.entries(alongside).filter(([, one]) => one !== undefined);
  return withMembers(channel, {
    ...(property in channel ? { [property]: value } : {}),
    ...Object.fromEntries(given),
  });
}

function applySubscription(
  channels: Channels,
  event: EventOf<"subscription">,
  me: number,
): Channels {
  switch (event.op) {
    case "add": {
      const isListed = hasLists(channels);
      return putAll(
        channels,
        event.subscriptions.map((row) => subscribed(row, isListed)),
        ({ stream_id }) => stream_id,
      );
    }
    case "remove":
      return changeSome(
        channels,
        event.subscriptions.map(({ stream_id }) => stream_id),
        (channel) => left(channel, me),
      );
    case "update":
      return change(channels, event.stream_id, (channel) =>
        channel.standing === "subscribed" && event.property in channel
          ? withMembers(channel, { [event.property]: event.value })
          : channel,
      );
    case "peer_add":
      return changeSome(channels, event.stream_ids, (one) => withPeers(one, event.user_ids));
    case "peer_remove":
      return changeSome(channels, event.stream_ids, (one) => withoutPeers(one, event.user_ids));
  }
}

function subscribed(row: WireSubscription, isListed: boolean): Channel {
  const channel = channelOf(row, "subscribed");
  const subscribers = isListed ? channel.subscribers : undefined;
  return { ...channel, subscribers, subscriber_count: subscribers?.size ?? row.subscriber_count };
}

const left = (channel: Channel, me: number): Channel => ({
  ...withoutPeers(channel, [me]),
  standing: "unsubscribed",
});

function withPeers(channel: Channel, userIds: readonly number[]): Channel {
  if (!channel.subscribers) return withCount(channel, channel.subscriber_count + userIds.length);
  const subscribers = withAll(channel.subscribers, userIds);
  return withMembers(channel, { subscribers, subscriber_count: subscribers.size });
}

function withoutPeers(channel: Channel, userIds: readonly number[]): Channel {
  if (!channel.subscribers) return withCount(channel, channel.subscriber_count - userIds.length);
  const subscribers = withoutAll(channel.subscribers, userIds);
  return withMembers(channel, { subscribers, subscriber_count: subscribers.size });
}

const withCount = (channel: Channel, count: number): Channel =>
  withMembers(channel, { subscriber_count: Math.max(0, count) });

export const isSubscribed = (channels: Channels, channelId: number): boolean =>
  channels.get(channelId)?.standing === "subscribed";

/** Channel folders by id. */
type ChannelFolders = ReadonlyMap<number, ChannelFolder>;

export const channelFoldersFrom = ({ channel_folders }: Register): ChannelFolders =>
  byKey(channel_folders, ({ id }) => id);

export function applyChannelFolders(folders: ChannelFolders, event: Event): ChannelFolders {
  if (event.type !== "channel_folder") return folders;
  if (event.op === "add") return putAll(folders, [event.channel_folder], ({ id }) => id);
  if (event.op === "update")
    return change(folders, event.channel_folder_id, (folder) => withMembers(folder, event.data));
  return changeSome(folders, event.order, (folder, order) => withMembers(folder, { order }));
}

/** Ids of the channels to which new members are subscribed. */
export const defaultChannelsFrom = (register: Register): ReadonlySet<number> =>
  new Set(register.realm_default_streams);

export const applyDefaultChannels = (ids: ReadonlySet<number>, event: Event) =>
  event.type === "default_streams" ? new Set(event.default_streams) : ids;
