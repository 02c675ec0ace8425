import type { WireEvent } from "../client";
import type { ClientState } from "../client-state";
import { isMention } from "./mentions";

type Row = ClientState;

/**
 * A new content mentions others than the old one did: the flags of the event say how it is for its
 * recipient now.
 */
export function applyContent(state: ClientState, { message_id: id, content, flags }: WireEvent) {
  if (content === undefined) return;
  const { unread_msgs: unread } = state;
  const row = unread.streams.find(({ unread_message_ids: ids }: Row) => ids.includes(id));
  const message = row && { stream_id: row.stream_id, subject: row.topic };
  const isMentioned =
    !flags.includes("read") && isMention(state, message ?? { subject: "" }, flags);
  const others = unread.mentions.filter((one: number) => one !== id);
  unread.mentions = isMentioned ? [...others, id].sort((a, b) => a - b) : others;
}
