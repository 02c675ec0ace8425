import type { ClientState } from "../client-state";

type Row = ClientState;

/** A direct message makes its conversation the most recent one. */
export function applyDirectMessage(state: ClientState, { id, type, display_recipient }: Row) {
  if (type !== "private") return;
  const others: number[] = display_recipient
    .map((one: Row) => one.id)
    .filter((one: number) => one !== state.user_id);
  const user_ids = others.sort((a, b) => a - b);
  const rest = state.recent_private_conversations.filter(
    (row: Row) => row.user_ids.join() !== user_ids.join(),
  );
  state.recent_private_conversations = [{ max_message_id: id, user_ids }, ...rest];
}
