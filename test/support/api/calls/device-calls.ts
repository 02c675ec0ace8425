import { MobileDevice, PushRelay } from "../../servers/push-relay";
import type { Person } from "../../world";
import { type Calls, people } from "./call";

const bad = "400 BAD_REQUEST";

/** Callers without a sign-in are refused before the missing device matters. */
async function newDevice(caller: Person): Promise<number> {
  const { body } = await caller.post("/register_client_device");
  return body.device_id ?? 0;
}

const relay = new PushRelay();

/** Flags of the server for these calls: the relay for notifications to mobile devices. */
export const pushFlags = relay.flags;

let count = 0;
const subscription = () => ({ kind: "ntfy", endpoint: `https://ntfy.example.com/${++count}` });
const token = () => ({ token: `${++count}`.padStart(8, "0"), appid: "org.example.app" });

async function newToken(caller: Person, path: string) {
  const parameters = token();
  await caller.post(path, parameters);
  return { parameters: { token: parameters.token } };
}

/** Devices that get people's notifications. */
export const deviceCalls: Calls = {
  "POST /register_client_device": { outcomes: people, prepare: () => ({}) },
  "POST /remove_client_device": {
    outcomes: people,
    prepare: async (_, caller) => ({ parameters: { device_id: await newDevice(caller) } }),
  },
  "GET /push_subscriptions": { outcomes: people, prepare: () => ({}) },
  "POST /push_subscriptions": { outcomes: people, prepare: () => ({ parameters: subscription() }) },
  "DELETE /push_subscriptions/{subscription_id}": {
    outcomes: { ...people, outsider: bad },
    prepare: async ({ alice }, caller) => {
      const owner = caller.host === alice.host ? caller : alice;
      const { body } = await owner.post("/push_subscriptions", subscription());
      return { path: { subscription_id: body.id ?? 0 } };
    },
  },
  "POST /mobile_push/register": {
    outcomes: people,
    prepare: async (_, caller) => {
      const device = new MobileDevice(caller, relay);
      const named = { device_id: await newDevice(caller) };
      return { parameters: { ...named, ...device.keyParameters(), ...device.tokenParameters() } };
    },
  },
  "POST /mobile_push/e2ee/test_notification": {
    outcomes: people,
    prepare: async ({ pass }, caller) => {
      const device = new MobileDevice(caller, relay);
      device.deviceId = await newDevice(caller);
      await device.register();
      await pass(0);
      return { parameters: { device_id: device.deviceId } };
    },
  },
  "POST /mobile_push/test_notification": { outcomes: people, prepare: () => ({}) },
  "POST /users/me/apns_device_token": {
    outcomes: people,
    prepare: () => ({ parameters: token() }),
  },
  "DELETE /users/me/apns_device_token": {
    outcomes: people,
    prepare: (_, caller) => newToken(caller, "/users/me/apns_device_token"),
  },
  "POST /users/me/android_gcm_reg_id": {
    outcomes: people,
    prepare: () => ({ parameters: { token: token().token } }),
  },
  "DELETE /users/me/android_gcm_reg_id": {
    outcomes: people,
    prepare: (_, caller) => newToken(caller, "/users/me/android_gcm_reg_id"),
  },
};
