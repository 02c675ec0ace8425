import { and, eq } from "drizzle-orm";
import type { UserRow } from "../../core/context";
import { serverCounters } from "../../core/counters";
import { type Outbound, outboundRequest } from "../../core/network/outbound";
import type { Finish, JobContext } from "../../jobs/define";
import { findUser } from "../../people/users/queries";
import { findMessages } from "../../reading/queries";
import { updateDeviceIn } from "../announce";
import { openPushKey } from "../push-key";
import { type DeviceRow, listDevices } from "../queries";
import { isNews } from "./consider";
import type { Delivery } from "./jobs";
import { messagePayload, type Payload, removePayload, testPayload } from "./payload";
import { plainRequest, webPushRequest } from "./posted";
import { listSubscriptions, type SubscriptionRow } from "./queries";
import { notifyThroughRelay, type RelayAnswer } from "./relay";
import { encryptFor } from "./secret-box";
import { isEncrypted, isUnserved, openTarget } from "./target";
import { withdrawLate } from "./withdraw";

type Done = Finish<Delivery> | undefined;

/** A push service or the relay has a temporary problem: the delivery is tried again. */
class LaterError extends Error {}

/**
 * Sends one notification to one device. Deletes a device that the other side no longer knows, and
 * drops a notification that it refuses for good. For every other failure it throws, so that it is
 * tried again.
 */
export async function deliver(
  ctx: JobContext,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Done> {
  const { reader, realm } = ctx;
  const { userId, deviceId, subscriptionId } = delivery;
  const device = (await listDevices(reader, realm.id, userId)).find(({ id }) => id === deviceId);
  const subscription = (await listSubscriptions(reader, realm.id, userId)).find(
    ({ id }) => id === subscriptionId,
  );
  const user = await findUser(reader, realm.id, userId);
  if (!user?.isActive || !(device ?? subscription)) return undefined;
  const payload = await compose(ctx, user, delivery);
  if (!payload) return undefined;
  const done = device
    ? await toDevice(ctx, device, payload, signal)
    : subscription && (await toSubscription(ctx, subscription, payload, signal));
  if (payload.type !== "message") return done;
  return async (tx, finishing) => {
    await done?.(tx, finishing);
    await withdrawLate(tx, realm.id, delivery);
    return undefined;
  };
}

/** Notification to send now; undefined where the message was deleted or read meanwhile. */
async function compose(
  ctx: JobContext,
  user: UserRow,
  delivery: Delivery,
): Promise<Payload | undefined> {
  const { type, messageIds, groupId } = delivery;
  if (type === "test") return testPayload(ctx, user.id, ctx.now);
  if (type === "remove") return removePayload(ctx, user.id, messageIds);
  const [message] = await findMessages(ctx.reader, ctx.realm.id, messageIds);
  if (!message || !(await isNews(ctx, user, message))) return undefined;
  return messagePayload(ctx, user, message, groupId);
}

const isShown = ({ type }: Payload) => type !== "remove";

async function toDevice(
  ctx: JobContext,
  device: DeviceRow,
  payload: Payload,
  signal: AbortSignal,
): Promise<Done> {
  const { pushTokenId: tokenId, pushKeyId: keyId, pushTokenKind } = device;
  const key = openPushKey(ctx.app.secrets, device);
  if (tokenId === null || keyId === null || key === undefined) return undefined;
  const encryptedData = await encryptFor(key, payload);
  const push = {
    tokenId,
    keyId,
    tokenKind: pushTokenKind ?? "fcm",
    encryptedData,
    isShown: isShown(payload),
  };
  const { answer, goneTokenIds } = await notifyThroughRelay(ctx, [push], signal);
  countPush(ctx, answer.is === "done" ? "sent" : answer.is === "refused" ? "refused" : "failed");
  requireTaken(ctx, answer);
  if (!goneTokenIds.has(tokenId)) return undefined;
  return async (tx) => {
    const now = (await listDevices(tx, ctx.realm.id, device.userId)).find(
      ({ id }) => id === device.id,
    );
    if (now?.pushTokenId === tokenId) await updateDeviceIn(tx, now, { pushTokenId: null });
    return undefined;
  };
}

/**
 * Drops a notification that the relay refuses, with a warning in the log, because only the operator
 * can fix that.
 */
function requireTaken({ app }: JobContext, answer: RelayAnswer) {
  if (answer.is === "refused")
    app.log.warn("push_relay_refused", { status: answer.status, code: answer.code });
  if (answer.is === "unreachable") throw new LaterError(answer.reason);
  if (answer.is === "failed")
    throw new LaterError(`The push relay answered with ${answer.status}.`);
}

async function toSubscription(
  ctx: JobContext,
  row: SubscriptionRow,
  payload: Payload,
  signal: AbortSignal,
): Promise<Done> {
  const target = openTarget(ctx.app.secrets, row);
  if (isUnserved(ctx.realm, row.kind, target)) return undefined;
  const request = isEncrypted(target)
    ? await webPushRequest(ctx, target, payload)
    : plainRequest(ctx, row.kind, payload);
  if (!request) return undefined;
  const answer = await outboundRequest(ctx, target.to, { method: "POST", ...request, signal });
  countPush(ctx, resultOf(answer));
  if (answer.is === "refused") return forgetting(row);
  // It was delivered; the rest of the answer does not matter.
  if (answer.is === "tooLarge") return undefined;
  if (answer.is !== "answered") throw new LaterError(answer.reason);
  const { status } = answer;
  if (status === 404 || status === 410) return forgetting(row);
  if (status === 429 || status >= 500)
    throw new LaterError(`The push service answered with ${status}.`);
  if (status >= 300)
    ctx.app.log.warn("push_service_refused", { status, host: new URL(target.to).host });
  return undefined;
}

type Result = "sent" | "refused" | "failed";

const countPush = ({ app }: JobContext, result: Result) =>
  serverCounters.of(app).add("pushes", result);

/** Result for the metrics: refused for good, or failed so that it is tried again. */
function resultOf(answer: Outbound): Result {
  if (answer.is === "refused") return "refused";
  if (answer.is === "tooLarge") return "sent";
  if (answer.is !== "answered" || answer.status === 429 || answer.status >= 500) return "failed";
  return answer.status >= 300 ? "refused" : "sent";
}

/** Deletes a subscription that has ended, or whose address is not allowed. */
const forgetting =
  ({ realmId, id }: SubscriptionRow): Finish<Delivery> =>
  async (tx) => {
    const { pushSubscriptions: s } = tx.t;
    await tx.db.delete(s).where(and(eq(s.realmId, realmId), eq(s.id, id)));
    return undefined;
  };
