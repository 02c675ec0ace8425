/** A condition on a message's entry in the search index. */
export type Match =
  | { kind: "phrase"; keys: readonly string[] }
  | { kind: "all" | "any"; of: readonly Match[] }
  | { kind: "not"; of: Match };

export const phrase = (...keys: string[]): Match => ({ kind: "phrase", keys });
export const allOf = (of: readonly Match[]): Match => ({ kind: "all", of });
export const anyOf = (of: readonly Match[]): Match => ({ kind: "any", of });
