import { Type } from "@sinclair/typebox";
import { ownRows, type StateLoader } from "../../core/state";
import { listDevices } from "../queries";
import { deviceObject, deviceWire, pushDeviceObject, pushStatus } from "../wire";

/** `devices`: the user's devices by id, with their facts about push notifications. */
const deviceState = {
  fetchTypes: ["device"],
  keys: { devices: Type.Record(Type.String(), deviceObject, { description: "By their ids." }) },
  own: ownRows((t) => t.devices, { devices: {} }),
  async load({ realm, actor }, reader) {
    const devices = await listDevices(reader, realm.id, actor.user.id);
    return {
      devices: Object.fromEntries(devices.map((device) => [String(device.id), deviceWire(device)])),
    };
  },
} satisfies StateLoader;

/** `push_devices`: the devices in an older form, for clients that ask for it by name. */
const pushDeviceState = {
  fetchTypes: ["push_device"],
  keys: {
    push_devices: Type.Record(Type.String(), pushDeviceObject, {
      description: "By the ids of their keys.",
    }),
  },
  isOnlyIfNamed: true,
  async load({ realm, actor }, reader) {
    const devices = await listDevices(reader, realm.id, actor.user.id);
    const registered = devices.flatMap((device) => {
      const status = pushStatus(device);
      return status && device.pushKeyId !== null
        ? [[String(device.pushKeyId), status] as const]
        : [];
    });
    return { push_devices: Object.fromEntries(registered) };
  },
} satisfies StateLoader;

export const deviceStates = [deviceState, pushDeviceState] satisfies StateLoader[];
