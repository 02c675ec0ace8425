import type { Schema } from "../../db/schema";
import type { BasicChannel } from "../channels/wire";

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

/** Who is subscribed, under the key that a client asked for; nothing if it did not ask. */
export type SubscriberList<Ids = readonly number[]> = { subscribers?: Ids; partial_subscribers?: Ids };

export type SubscriptionObject = ReturnType<typeof subscriptionWire>;

/** The protocol's subscription object (`spec/seed.md`): the channel and what its subscriber has set for it. */
export const subscriptionWire = (channel: BasicChannel, personal: Personal) => ({
  ...channel,
  ...personalWire(personal),
});

/** What a subscriber has set for a channel. */
export function personalWire(personal: Personal) {
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

/** The list of subscribers in the form that the client asked for: a partial one is allowed to be complete. */
export function subscriberListWire<Ids>(include: SubscriberListForm, userIds: Ids): SubscriberList<Ids> {
  if (include === "false") return {};
  return include === "true" ? { subscribers: userIds } : { partial_subscribers: userIds };
}
