import type { Context, Person, Tx } from "../../core/context";
import { badRequest, pushNotConfigured } from "../../core/errors";
import { type Input, id, integer, optional, record, text, word } from "../../core/params";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { updateDeviceIn } from "../announce";
import { hasRelay, type RelayRegistration } from "../push/relay";
import { requirePushKey } from "../push/secret-box";
import { openPushKey, sealPushKey } from "../push-key";
import { type DeviceRow, loadDevice } from "../queries";
import { relayRegistrationJob } from "./relay-registration";

const keyIdMax = 2 ** 32 - 1;
const tokenIdBytes = 8;
const bouncerKeyLengthMax = 200;
const registrationLengthMax = 10_000;

export const RegisterPush = record({
  deviceId: id(),
  pushKey: optional(text()),
  pushKeyId: optional(integer({ minimum: 0, maximum: keyIdMax })),
  tokenKind: optional(word("fcm", "apns")),
  tokenId: optional(text()),
  bouncerPublicKey: optional(text()),
  encryptedPushRegistration: optional(text()),
});

interface PushKey {
  pushKey: string;
  pushKeyId: number;
}

type Token = RelayRegistration & { tokenKind: "fcm" | "apns" };

/**
 * Registers a device for push notifications, or gives it another key or another token. The key
 * encrypts its notifications; background work sends the token to the relay. A repeated registration
 * changes nothing. Events, to the actor's own clients: device update and push_device, now and when
 * the relay has accepted or refused the device. Refuses (BAD_REQUEST) a device that is not the
 * actor's, an incomplete group of parameters, another key or token for a device that was never
 * registered, and a token while another is pending; PUSH_SERVICE_NOT_CONFIGURED without a relay.
 * Source: `test/recorded/api/api-surface.json`, register-push-device, in the form of level 468.
 */
export async function registerPush(
  ctx: Context<Person>,
  input: Input<typeof RegisterPush>,
): Promise<undefined> {
  if (!hasRelay(ctx.app)) throw pushNotConfigured();
  const key = readKey(input);
  const token = readToken(input);
  if (!key && !token) throw incomplete();
  await write(ctx, async (tx) => {
    const { realm, actor } = await renewContext(tx, ctx);
    const device = await loadDevice(tx, realm.id, actor.user.id, input.deviceId);
    if (!token) await changeKey(tx, ctx, device, key);
    else await changeToken(tx, ctx, device, token, key);
  });
}

const incomplete = () =>
  badRequest("Missing parameters: send all of the push key, all of the token, or both.");

/** A group that is given in part is an error and does not mean "leave unchanged". */
const isLeftOut = (...group: unknown[]) => group.every((one) => one === undefined);

function readKey({ pushKey, pushKeyId }: Input<typeof RegisterPush>): PushKey | undefined {
  if (isLeftOut(pushKey, pushKeyId)) return undefined;
  if (pushKey === undefined || pushKeyId === undefined) throw incomplete();
  return { pushKey: requirePushKey(pushKey), pushKeyId };
}

function readToken(input: Input<typeof RegisterPush>): Token | undefined {
  const { tokenKind, tokenId, bouncerPublicKey, encryptedPushRegistration } = input;
  if (isLeftOut(tokenKind, tokenId, bouncerPublicKey, encryptedPushRegistration)) return undefined;
  if (tokenKind === undefined || tokenId === undefined) throw incomplete();
  if (bouncerPublicKey === undefined || encryptedPushRegistration === undefined) throw incomplete();
  const bytes = Buffer.from(tokenId, "base64");
  if (bytes.length !== tokenIdBytes || bytes.toString("base64") !== tokenId) {
    throw badRequest("Invalid `token_id`: it is 8 bytes in base64.");
  }
  if (
    bouncerPublicKey.length > bouncerKeyLengthMax ||
    encryptedPushRegistration.length > registrationLengthMax
  ) {
    throw badRequest("The registration is too long.");
  }
  return { tokenKind, tokenId, bouncerPublicKey, encryptedPushRegistration };
}

async function changeKey(tx: Tx, ctx: Context, device: DeviceRow, key: PushKey | undefined) {
  if (device.pushKeyId === null)
    throw badRequest("No push registration exists to rotate the key of.");
  if (!key || hasKey(ctx, device, key)) return;
  await updateDeviceIn(tx, device, keyColumns(ctx, device, key));
}

const hasKey = ({ app }: Context, device: DeviceRow, { pushKey, pushKeyId }: PushKey) =>
  device.pushKeyId === pushKeyId && openPushKey(app.secrets, device) === pushKey;

const keyColumns = (
  { app }: Context,
  { id: deviceId }: DeviceRow,
  { pushKey, pushKeyId }: PushKey,
) => ({
  sealedPushKey: sealPushKey(app.secrets, deviceId, pushKey),
  pushKeyId,
});

async function changeToken(
  tx: Tx,
  ctx: Context,
  device: DeviceRow,
  token: Token,
  key: PushKey | undefined,
) {
  const { tokenKind, ...registration } = token;
  const { pushErrorCode, pendingPushTokenId, pushTokenId, pushTokenKind, pushKeyId } = device;
  if (!key && pushKeyId === null)
    throw badRequest("No push registration exists to rotate the token of.");
  const hasToken =
    pushErrorCode === null && pushTokenId === token.tokenId && pushTokenKind === tokenKind;
  if (hasToken && pendingPushTokenId === null && (!key || hasKey(ctx, device, key))) return;
  if (pushErrorCode === null && pendingPushTokenId !== null) {
    throw badRequest("A registration of this device is in progress already.");
  }
  await updateDeviceIn(tx, device, {
    ...(key ? keyColumns(ctx, device, key) : {}),
    pendingPushTokenId: token.tokenId,
    pushTokenKind: tokenKind,
    pushTokenUpdatedAt: tx.now,
    pushErrorCode: null,
  });
  const payload = { userId: device.userId, deviceId: device.id, ...registration };
  await relayRegistrationJob.enqueue(tx, ctx, payload, { key: String(device.id) });
}
