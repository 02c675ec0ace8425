import { Type } from "@sinclair/typebox";
import { event } from "../events/define";
import { subscriptionObject } from "./subscription-wire";

/** Somebody has changed a setting of a subscription of theirs. */
export const subscriptionUpdated = event("subscription", "update", {
  stream_id: Type.Integer(),
  property: Type.String(),
  value: Type.Union([Type.Boolean(), Type.String()]),
});

/** Only in the log: which clients the event is for, see `channels/archived-events.ts`. */
const showsArchived = { shows_archived: Type.Optional(Type.Boolean()) };

const added = { subscriptions: Type.Array(subscriptionObject) };

/** Somebody was subscribed to channels. The other subscribers are added at delivery. */
export const subscriptionsAdded = event(
  "subscription",
  "add",
  { ...added, ...showsArchived },
  added,
);

/** Somebody is no longer subscribed to channels. */
export const subscriptionsRemoved = event("subscription", "remove", {
  subscriptions: Type.Array(Type.Object({ stream_id: Type.Integer(), name: Type.String() })),
});

const peers = { stream_ids: Type.Array(Type.Integer()), user_ids: Type.Array(Type.Integer()) };
const loggedPeers = { ...peers, ...showsArchived };

/** Others were subscribed to channels that the recipient may know. */
export const peersAdded = event("subscription", "peer_add", loggedPeers, peers);

/** Others were unsubscribed from channels that the recipient may know. */
export const peersRemoved = event("subscription", "peer_remove", loggedPeers, peers);
