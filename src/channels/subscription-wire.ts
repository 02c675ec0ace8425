import { type Static, Type } from "@sinclair/typebox";
import type { Schema } from "../../db/schema";
import { nullable } from "../core/params";
import { type BasicChannel, channelObject } from "./wire";

type Personal = Pick<
  Schema["subscriptions"]["$inferSelect"],
  | "color"
  | "isMuted"
  | "pinToTop"
  | "desktopNotifications"
  | "emailNotifications"
  | "pushNotifications"
  | "audibleNotifications"
  | "wildcardMentionsNotify"
>;

/** Subscribers, under the key that a client wants; nothing if it does not want them. */
type SubscriberList<Ids = readonly number[]> = {
  subscribers?: Ids;
  partial_subscribers?: Ids;
};

const subscriberList = Type.Optional(Type.Array(Type.Integer()));
const subscriberLists = { subscribers: subscriberList, partial_subscribers: subscriberList };

/** On or off; null means the user's setting for all channels. */
const ownSwitch = nullable(Type.Boolean());

/** Personal settings of a subscriber for a channel, as the protocol shows them. */
const personalSettings = Type.Object({
  audible_notifications: ownSwitch,
  color: Type.String(),
  desktop_notifications: ownSwitch,
  email_notifications: ownSwitch,
  in_home_view: Type.Boolean({
    description: "The reverse of `is_muted`, for older clients.",
  }),
  is_muted: Type.Boolean(),
  pin_to_top: Type.Boolean(),
  push_notifications: ownSwitch,
  wildcard_mentions_notify: ownSwitch,
});

/**
 * The protocol's subscription object (`docs/protocol/specification.md`): the channel, its
 * subscriber's settings, and on request the list of subscribers.
 */
export const subscriptionObject = Type.Object(
  {
    ...channelObject.properties,
    ...personalSettings.properties,
    ...subscriberLists,
  },
  { title: "Subscription" },
);

/**
 * A channel that the user has never been subscribed to, on request with the list of subscribers.
 */
export const neverSubscribedObject = Type.Object(
  { ...channelObject.properties, ...subscriberLists },
  { title: "NeverSubscribed" },
);

export const subscriptionWire = (
  channel: BasicChannel,
  personal: Personal,
): Static<typeof subscriptionObject> => ({
  ...channel,
  ...personalWire(personal),
});

/** Personal settings of a subscriber for a channel. */
export function personalWire(personal: Personal): Static<typeof personalSettings> {
  return {
    audible_notifications: personal.audibleNotifications,
    color: personal.color,
    desktop_notifications: personal.desktopNotifications,
    email_notifications: personal.emailNotifications,
    in_home_view: !personal.isMuted,
    is_muted: personal.isMuted,
    pin_to_top: personal.pinToTop,
    push_notifications: personal.pushNotifications,
    wildcard_mentions_notify: personal.wildcardMentionsNotify,
  };
}

/** Whether a client wants lists of subscribers, and in which form. */
export type SubscriberListForm = "true" | "false" | "partial";

/** The list of subscribers in the form that the client wants: a partial one may be complete. */
export function subscriberListWire<Ids>(
  include: SubscriberListForm,
  userIds: Ids,
): SubscriberList<Ids> {
  if (include === "false") return {};
  return include === "true" ? { subscribers: userIds } : { partial_subscribers: userIds };
}
