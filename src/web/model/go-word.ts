/** A message of the service worker to a page: go to a place. */
export interface GoWord {
  readonly kind: "go";
  readonly fragment: string;
}

export const isGoWord = (word: unknown): word is GoWord =>
  typeof word === "object" &&
  word !== null &&
  "kind" in word &&
  word.kind === "go" &&
  "fragment" in word &&
  typeof word.fragment === "string" &&
  word.fragment.startsWith("#");
