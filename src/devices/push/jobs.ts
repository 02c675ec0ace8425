import { type Static, Type } from "@sinclair/typebox";
import type { Tx } from "../../core/context";
import { jobEntry } from "../../jobs/define";

/** Reasons for a notification, by priority. */
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
  /** People with a device or browser, and the reason to notify them. */
  recipients: Type.Array(Type.Object({ userId: Type.Integer(), trigger })),
  /** The groups that the message mentions. */
  groups: Type.Array(Type.Integer()),
});

/** A message that some people may get notifications of; checked outside of its send. */
export const considerPush = jobEntry<Static<typeof ConsiderPush>>("consider_push");

export const DeliverPush = Type.Object({
  userId: Type.Integer(),
  /** Target: a device of the protocol, or a subscription. */
  deviceId: Type.Optional(Type.Integer()),
  subscriptionId: Type.Optional(Type.Integer()),
  /** A new message, messages to withdraw, or a test. */
  type: Type.Unsafe<"message" | "remove" | "test">(
    Type.String({ enum: ["message", "remove", "test"] }),
  ),
  messageIds: Type.Array(Type.Integer()),
  /** The group whose mention reached somebody. */
  groupId: Type.Optional(Type.Integer()),
});

export type Delivery = Static<typeof DeliverPush>;

/**
 * Deliveries to devices and to subscriptions are separate background work, so that neither delays
 * the other.
 */
export const deliveryJobs = {
  device: "deliver_through_relay",
  subscription: "deliver_to_subscription",
} as const;

const toDevice = jobEntry<Delivery>(deliveryJobs.device);
const toSubscription = jobEntry<Delivery>(deliveryJobs.subscription);

/**
 * Enqueues a notification for one device or subscription. A test replaces one that still waits,
 * because a receiver that does not answer would otherwise collect as many as its owner asks for.
 * Where too many notifications wait for a person's receivers, only the newest further one is kept
 * for each.
 */
export function enqueueDelivery(tx: Tx, realm: { id: number }, delivery: Delivery): Promise<void> {
  const { type, userId, deviceId, subscriptionId } = delivery;
  const entry = deviceId === undefined ? toSubscription : toDevice;
  const part = String(deviceId ?? subscriptionId);
  const how = type === "test" ? { key: `test:${part}` } : {};
  const holder = { id: userId, part };
  return entry.enqueue(tx, { app: { jobs: tx.jobs }, realm }, delivery, { ...how, holder });
}
