import type { Context, Person } from "../../core/context";
import {
  type ApiError,
  noActivePushDevice,
  relayFailed,
  relayRefused,
  relayUnreachable,
} from "../../core/errors";
import { type Input, id, optional, record } from "../../core/params";
import { write } from "../../core/write";
import { updateDeviceIn } from "../announce";
import { testPayload } from "../push/payload";
import { notifyThroughRelay, type RelayAnswer, type RelayPush } from "../push/relay";
import { encryptFor } from "../push/secret-box";
import { openPushKey } from "../push-key";
import { type DeviceRow, listDevices } from "../queries";

export const SendTestNotification = record({ deviceId: optional(id()) });

/**
 * Sends a test notification, encrypted for each device, to the actor's devices or to one of them,
 * and waits for the relay's answer. Announces `device` update to the actor's own clients where the
 * relay no longer knows a device. Refuses with NO_ACTIVE_PUSH_DEVICE where no device is registered
 * at the relay, and another person's device like a missing one; ADMIN_ACTION_REQUIRED (403) where
 * the relay refuses this server, FAILED_TO_CONNECT_BOUNCER (502) where it cannot be reached,
 * INTERNAL_SERVER_ERROR_ON_BOUNCER (502) where it fails. Source: `docs/protocol/specification.md`,
 * POST /mobile_push/e2ee/test_notification.
 */
export async function sendTestNotification(
  ctx: Context<Person>,
  { deviceId }: Input<typeof SendTestNotification>,
): Promise<undefined> {
  const { user } = ctx.actor;
  const devices = (await listDevices(ctx.reader, ctx.realm.id, user.id)).filter(
    (device) => device.pushTokenId !== null && (deviceId === undefined || device.id === deviceId),
  );
  const pushes = (await Promise.all(devices.map((device) => pushFor(ctx, device)))).flat();
  if (pushes.length === 0) throw noActivePushDevice();
  const { answer, goneTokenIds } = await notifyThroughRelay(ctx, pushes);
  if (answer.is !== "done") throw refusalFor(answer);
  if (goneTokenIds.size > 0) await forgetTokens(ctx, goneTokenIds);
  if (pushes.every(({ tokenId }) => goneTokenIds.has(tokenId))) throw noActivePushDevice();
}

async function pushFor(ctx: Context<Person>, device: DeviceRow): Promise<RelayPush[]> {
  const { pushTokenId: tokenId, pushKeyId: keyId, pushTokenKind } = device;
  const key = openPushKey(ctx.app.secrets, device);
  if (tokenId === null || keyId === null || key === undefined) return [];
  const encryptedData = await encryptFor(key, testPayload(ctx, device.userId, ctx.now));
  return [{ tokenId, keyId, tokenKind: pushTokenKind ?? "fcm", encryptedData, isShown: true }];
}

function refusalFor({ is }: Exclude<RelayAnswer, { is: "done" }>): ApiError {
  if (is === "refused") return relayRefused();
  return is === "failed" ? relayFailed() : relayUnreachable();
}

async function forgetTokens(ctx: Context<Person>, goneTokenIds: ReadonlySet<string>) {
  await write(ctx, async (tx) => {
    for (const device of await listDevices(tx, ctx.realm.id, ctx.actor.user.id)) {
      const isGone = device.pushTokenId !== null && goneTokenIds.has(device.pushTokenId);
      if (isGone) await updateDeviceIn(tx, device, { pushTokenId: null });
    }
  });
}
