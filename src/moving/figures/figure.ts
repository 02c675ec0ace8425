/** A number that an operator sees before a change that is hard to undo. */
export interface Figure {
  /** Its name in JSON. */
  name: string;
  count: number;
  /** Text after the number: `messages of the topic are deleted`. */
  what: string;
}

/** A number with the text after it for one thing, and for any other number of things. */
export const figure = (name: string, count: number, one: string, many: string): Figure => ({
  name,
  count,
  what: count === 1 ? one : many,
});
