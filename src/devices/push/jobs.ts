import { type Static, Type } from "@sinclair/typebox";
import type { Tx } from "../../core/context";
import { jobEntry } from "../../jobs/define";

/** Why somebody is told of a message, the first that holds. */
export const triggers = [
  "direct_message",
  "mentioned",
  "group_mentioned",
  "topic_wildcard_mentioned",
  "stream_wildcard_mentioned",
  "followed_topic",
  "stream_push_notify",
] as const;
export type Trigger = (typeof triggers)[number];

const trigger = Type.Unsafe<Trigger>(Type.String({ enum: [...triggers] }));

export const ConsiderPush = Type.Object({
  messageId: Type.Integer(),
  /** People who have a device or browser to be told on, by why they may be told. */
  recipients: Type.Array(Type.Object({ userId: Type.Integer(), trigger })),
  /** The groups that the message mentions. */
  groups: Type.Array(Type.Integer()),
});

/** A message that some people may have to be told of: looked at outside of its send. */
export const considerPush = jobEntry<Static<typeof ConsiderPush>>("consider_push");

export const DeliverPush = Type.Object({
  userId: Type.Integer(),
  /** Target: a device of the protocol, or what else is registered. */
  deviceId: Type.Optional(Type.Integer()),
  subscriptionId: Type.Optional(Type.Integer()),
  /**
   * A message that is new, messages that are not to be shown any more, or a word to see whether
   * anything arrives.
   */
  type: Type.Unsafe<"message" | "remove" | "test">(
    Type.String({ enum: ["message", "remove", "test"] }),
  ),
  messageIds: Type.Array(Type.Integer()),
  /** The group by whose mention the message reached somebody. */
  groupId: Type.Optional(Type.Integer()),
});

export type Delivery = Static<typeof DeliverPush>;

/**
 * The ways to devices, and to all else: each is background work of its own, so that neither holds
 * up the other.
 */
export const deliveryJobs = {
  device: "deliver_through_relay",
  subscription: "deliver_to_subscription",
} as const;

const toDevice = jobEntry<Delivery>(deliveryJobs.device);
const toSubscription = jobEntry<Delivery>(deliveryJobs.subscription);

/** Puts a notification on its way to one device or subscription. */
export function enqueueDelivery(tx: Tx, realm: { id: number }, delivery: Delivery): Promise<void> {
  const entry = delivery.deviceId === undefined ? toSubscription : toDevice;
  return entry.enqueue(tx, { app: { jobs: tx.jobs }, realm }, delivery);
}
