import { ownRows, type StateLoader } from "../core/state";
import { listDevices } from "./queries";
import { deviceWire, pushStatus } from "./wire";

/** `devices`: the user's devices by id, as far as push notifications go. */
const deviceState: StateLoader = {
  fetchTypes: ["device"],
  own: ownRows((t) => t.devices, { devices: {} }),
  async load({ realm, actor }, reader) {
    const devices = await listDevices(reader, realm.id, actor.user.id);
    return { devices: Object.fromEntries(devices.map((device) => [String(device.id), deviceWire(device)])) };
  },
};

/** `push_devices`: the same in the older form, for who asks for it by name. */
const pushDeviceState: StateLoader = {
  fetchTypes: ["push_device"],
  isOnlyIfNamed: true,
  async load({ realm, actor }, reader) {
    const devices = await listDevices(reader, realm.id, actor.user.id);
    const known = devices.flatMap((device) => {
      const status = pushStatus(device);
      return status && device.pushKeyId !== null ? [[String(device.pushKeyId), status] as const] : [];
    });
    return { push_devices: Object.fromEntries(known) };
  },
};

export const deviceStates: readonly StateLoader[] = [deviceState, pushDeviceState];
