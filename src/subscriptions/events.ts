import { Type } from "@sinclair/typebox";
import { event } from "../events/define";
import type { SubscriptionObject } from "./wire";

/** Somebody was subscribed to channels. Who else is in them is added for the clients that want it, at delivery. */
export const subscriptionsAdded = event("subscription", "add", {
  subscriptions: Type.Array(Type.Unsafe<SubscriptionObject>(Type.Object({ stream_id: Type.Integer() }))),
});

/** Somebody is no longer subscribed to channels. */
export const subscriptionsRemoved = event("subscription", "remove", {
  subscriptions: Type.Array(Type.Object({ stream_id: Type.Integer(), name: Type.String() })),
});

const peers = { stream_ids: Type.Array(Type.Integer()), user_ids: Type.Array(Type.Integer()) };

/** Others were subscribed to channels that one may know. */
export const peersAdded = event("subscription", "peer_add", peers);

/** Others are no longer subscribed to channels that one may know. */
export const peersRemoved = event("subscription", "peer_remove", peers);
