import type { Channel } from "../model/channels";
import { patch, post, remove } from "../net/api";
import { saveUntilTold } from "./saving";
import { channels, me } from "./state";

/** The person's settings for a channel, under their names in the protocol. */
type OwnChannelSetting =
  | "color"
  | "is_muted"
  | "pin_to_top"
  | "desktop_notifications"
  | "audible_notifications"
  | "push_notifications"
  | "email_notifications"
  | "wildcard_mentions_notify";

/** The name of the control of a channel's setting. The state of saving is kept under it. */
export const controlOf = (channelId: number, setting: string): string =>
  `channel ${channelId} ${setting}`;

/** Changes one of the person's own settings of a channel. */
export const setOfChannel = (
  channelId: number,
  property: OwnChannelSetting,
  value: boolean | string,
): Promise<boolean> =>
  saveUntilTold(
    controlOf(channelId, property),
    () =>
      post("/users/me/subscriptions/properties", {
        subscription_data: [{ stream_id: channelId, property, value }],
      }),
    () => channels.value.get(channelId)?.[property] === value,
  );

/** Puts a channel into a folder for everybody; null removes it from its folder. */
export const setFolder = (channelId: number, folderId: number | null): Promise<boolean> =>
  saveUntilTold(
    controlOf(channelId, "folder"),
    () => patch("/streams/{stream_id}", { stream_id: channelId, folder_id: folderId ?? "null" }),
    () => channels.value.get(channelId)?.folder_id === folderId,
  );

/** Subscribes the person to a channel. Throws a `Refusal`. */
export const joinChannel = (channel: Channel): Promise<unknown> => subscribe(channel, {});

/** Ends the person's subscription to a channel. Throws a `Refusal`. */
export const leaveChannel = (channel: Channel): Promise<unknown> =>
  remove("/users/me/subscriptions", { subscriptions: [nameNow(channel)] });

/** Subscribes somebody to a channel. Throws a `Refusal`. */
export const addToChannel = (channel: Channel, userId: number): Promise<unknown> =>
  subscribe(channel, { principals: [userId] });

/**
 * Subscribes with the present name of a channel, which may have been renamed since the person saw
 * it, because a subscription to an unknown name would create a channel.
 */
async function subscribe(
  { stream_id: id }: Channel,
  whom: { principals: readonly number[] } | Record<never, never>,
): Promise<void> {
  const name = channels.peek().get(id)?.name;
  if (name !== undefined)
    await post("/users/me/subscriptions", { subscriptions: [{ name }], ...whom });
}

/** Ends somebody's subscription to a channel. Throws a `Refusal`. */
export const removeFromChannel = (channel: Channel, userId: number): Promise<unknown> =>
  remove("/users/me/subscriptions", { subscriptions: [nameNow(channel)], principals: [userId] });

const nameNow = ({ stream_id: id, name }: Channel): string => channels.peek().get(id)?.name ?? name;

/** A channel to create. */
export interface NewChannel {
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly folderId: number | undefined;
  readonly isAnnounced: boolean;
}

/** Creates a channel and subscribes the person to it. Returns its id. Throws a `Refusal`. */
export async function createChannel(channel: NewChannel): Promise<number> {
  const { name, description, isPrivate, folderId, isAnnounced } = channel;
  const { id } = await post("/channels/create", {
    name: name.trim(),
    description,
    subscribers: [me.peek()],
    invite_only: isPrivate,
    announce: isAnnounced,
    ...(folderId === undefined ? {} : { folder_id: folderId }),
  });
  return id;
}
