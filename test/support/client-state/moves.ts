import type { WireEvent } from "../client";
import type { ClientState } from "../client-state";

type Row = ClientState;

/**
 * Unread messages go along to where they were moved; where one is not subscribed to that, they are
 * unread no more.
 */
export function applyMove(state: ClientState, event: WireEvent) {
  const { message_ids: ids, orig_subject, subject, stream_id, new_stream_id = stream_id } = event;
  if (orig_subject === undefined) return;
  const { unread_msgs: unread } = state;
  const isIn = state.subscriptions.some((row: Row) => row.stream_id === new_stream_id);
  for (const row of [...unread.streams]) {
    const moved = row.unread_message_ids.filter((id: number) => ids.includes(id));
    if (moved.length === 0) continue;
    row.unread_message_ids = row.unread_message_ids.filter((id: number) => !moved.includes(id));
    if (!isIn) unread.mentions = unread.mentions.filter((id: number) => !moved.includes(id));
    else addTo(unread.streams, { stream_id: new_stream_id, topic: subject ?? row.topic }, moved);
  }
  unread.streams = unread.streams.filter(({ unread_message_ids: left }: Row) => left.length > 0);
}

/** Topics that differ by case alone are one, under the name that its newest message has. */
function addTo(rows: Row[], place: { stream_id: number; topic: string }, ids: number[]) {
  const key = place.topic.toLowerCase();
  const row = rows.find(
    ({ stream_id, topic }) => stream_id === place.stream_id && topic.toLowerCase() === key,
  );
  if (!row) return rows.push({ ...place, unread_message_ids: ids });
  if (Math.max(...ids) > Math.max(...row.unread_message_ids)) row.topic = place.topic;
  row.unread_message_ids = [...row.unread_message_ids, ...ids].sort(
    (a: number, b: number) => a - b,
  );
}
