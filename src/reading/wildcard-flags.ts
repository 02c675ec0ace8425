const topicWildcard = "topic_wildcard_mentioned";

/**
 * Adds to the flags that are stored for somebody those of a wildcard: with `isAll` all who received
 * it are mentioned.
 */
export function withWildcards(flags: string[], isAll: boolean): string[] {
  if (isAll) flags.push("stream_wildcard_mentioned");
  // Name of both wildcards for clients that know no other name for them.
  if (isAll || flags.includes(topicWildcard)) flags.push("wildcard_mentioned");
  return flags;
}
