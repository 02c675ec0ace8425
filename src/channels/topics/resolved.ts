import { isResolved, resolvedPrefix } from "../../protocol/topics";

const withoutPrefix = (topic: string) => topic.replace(/^[✔ ]+/u, "");

/**
 * Meaning of a topic's new name if only the prefix changes; undefined for every other name. A name
 * that becomes too long with the prefix is cut like every name: `cut`.
 */
export function resolutionOf(
  before: string,
  after: string,
  cut: (topic: string) => string,
): "resolved" | "unresolved" | undefined {
  if (isResolved(before) === isResolved(after)) return undefined;
  const isOnlyPrefix = withoutPrefix(before) === withoutPrefix(after);
  if (isResolved(before)) return isOnlyPrefix ? "unresolved" : undefined;
  return isOnlyPrefix || cut(resolvedPrefix + before) === after ? "resolved" : undefined;
}

/** Whether a name is only the prefix, or the prefix with a name of the empty topic. */
export const resolvesEmptyTopic = (topic: string, isEmpty: (topic: string) => boolean): boolean =>
  topic.startsWith("✔") && isEmpty(withoutPrefix(topic));
