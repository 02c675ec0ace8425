import type { WireEvent } from "../client";
import type { ClientState } from "./client-state";

/** A device before any registration. */
const unregistered = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

export function applyDevice(state: ClientState, event: WireEvent) {
  const { id: _, type: _type, op, device_id, ...fields } = event;
  if (op === "remove") delete state.devices[device_id];
  else
    state.devices[device_id] = {
      ...(op === "add" ? unregistered : state.devices[device_id]),
      ...fields,
    };
}
