import { type Static, Type } from "@sinclair/typebox";
import type { Tx } from "../../core/context";
import { defineJob } from "../../jobs/define";
import { updateDeviceIn } from "../announce";
import { type RelayAnswer, registerAtRelay } from "../push/relay";
import { type DeviceRow, listDevices } from "../queries";

const Registration = Type.Object({
  userId: Type.Integer(),
  deviceId: Type.Integer(),
  tokenId: Type.String(),
  bouncerPublicKey: Type.String(),
  encryptedPushRegistration: Type.String(),
});

/** Codes by which the relay rejects the device's own data: sending it again is of no use. */
const ofDevice = new Set(["INVALID_BOUNCER_PUBLIC_KEY", "REQUEST_EXPIRED", "BAD_REQUEST"]);

/** The relay has not accepted a device. */
class NotTakenError extends Error {
  constructor(readonly code: string) {
    super(`The push relay has not taken the device: ${code}`);
  }
}

function codeOf(answer: Exclude<RelayAnswer, { is: "done" }>): string {
  if (answer.is === "refused")
    return ofDevice.has(answer.code) ? answer.code : "ADMIN_ACTION_REQUIRED";
  return answer.is === "failed" ? "INTERNAL_SERVER_ERROR_ON_BOUNCER" : "FAILED_TO_CONNECT_BOUNCER";
}

/**
 * Sends a device's token to the relay, repeatedly until the relay accepts or refuses it. Announces
 * `device` update, and `push_device`, to its owner's clients.
 */
export const relayRegistrationJob = defineJob(
  "register_device_at_relay",
  Registration,
  async (ctx, payload, signal) => {
    if (!(await findPending(ctx.reader, ctx.realm.id, payload))) return undefined;
    const answer = await registerAtRelay(ctx, payload, signal);
    if (answer.is !== "done") throw new NotTakenError(codeOf(answer));
    return async (tx) => {
      const device = await findPending(tx, ctx.realm.id, payload);
      const changes = {
        pushTokenId: payload.tokenId,
        pendingPushTokenId: null,
        pushErrorCode: null,
      };
      if (device) await updateDeviceIn(tx, device, changes);
      return undefined;
    };
  },
  {
    isLeased: true,
    isOutside: true,
    isFinal: (error) => error instanceof NotTakenError && ofDevice.has(error.code),
    async onFinalFailure(tx, ctx, payload, error) {
      const device = await findPending(tx, ctx.realm.id, payload);
      const pushErrorCode =
        error instanceof NotTakenError ? error.code : "INTERNAL_SERVER_ERROR_ON_BOUNCER";
      if (device) await updateDeviceIn(tx, device, { pushErrorCode });
    },
  },
);

/** The device, while this token is pending. */
async function findPending(
  reader: Pick<Tx, "db" | "t" | "dialect">,
  realmId: number,
  { userId, deviceId, tokenId }: Static<typeof Registration>,
): Promise<DeviceRow | undefined> {
  const devices = await listDevices(reader, realmId, userId);
  return devices.find(
    ({ id, pendingPushTokenId }) => id === deviceId && pendingPushTokenId === tokenId,
  );
}
