const topicWildcard = "topic_wildcard_mentioned";

/**
 * Adds the flags of wildcards to somebody's stored flags: `isAll` means that the message mentions
 * everybody who received it.
 */
export function withWildcards(flags: string[], isAll: boolean): string[] {
  if (isAll) flags.push("stream_wildcard_mentioned");
  // One name for both wildcards, for clients that do not know the others.
  if (isAll || flags.includes(topicWildcard)) flags.push("wildcard_mentioned");
  return flags;
}
