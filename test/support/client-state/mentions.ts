import type { ClientState } from "../client-state";

type Row = ClientState;

/**
 * Whether a message that has come counts as a mention: by a wildcard not where its channel or topic
 * is muted.
 */
export function isMention(state: ClientState, message: Row, flags: readonly string[]): boolean {
  if (flags.includes("mentioned")) return true;
  return flags.includes("wildcard_mentioned") && !isMuted(state, message);
}

function isMuted(
  { subscriptions, user_topics }: ClientState,
  { stream_id, subject }: Row,
): boolean {
  const isOf = (row: Row) =>
    row.stream_id === stream_id && row.topic_name.toLowerCase() === subject.toLowerCase();
  const policy = user_topics.find(isOf)?.visibility_policy ?? 0;
  if (policy !== 0) return policy === 1;
  return subscriptions.find((row: Row) => row.stream_id === stream_id)?.is_muted ?? false;
}
