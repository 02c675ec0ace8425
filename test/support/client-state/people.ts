import type { WireEvent } from "../client";
import type { ClientState } from "../client-state";

/**
 * When people were last there is not part of what is compared: who pings again is told to those who
 * ask, not in an event.
 */
export function applyPresence(state: ClientState, event: WireEvent) {
  Object.assign(state.presences, event.presences ?? {});
}

/** An empty field is not kept. */
export function applyStatus(
  state: ClientState,
  { id: _, type: _type, user_id, ...changed }: WireEvent,
) {
  const {
    status_text = "",
    emoji_name = "",
    away = false,
    ...emoji
  } = { ...state.user_status[user_id], ...changed };
  const { [user_id]: _before, ...others } = state.user_status;
  const said = { ...(status_text && { status_text }), ...(emoji_name && { emoji_name, ...emoji }) };
  const status = { ...(away && { away }), ...said };
  state.user_status = Object.keys(status).length === 0 ? others : { ...others, [user_id]: status };
}

/** Of who is deactivated, or is not seen any more, nothing is kept. */
export function forgetStatus(state: ClientState, userId: number) {
  const { [userId]: _, ...others } = state.user_status;
  state.user_status = others;
}

export function applyMutedUsers(state: ClientState, { muted_users }: WireEvent) {
  state.muted_users = muted_users;
}
