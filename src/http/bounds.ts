/**
 * Bounds of a request whose sender has not signed in: enough for every form and every client's
 * first steps.
 */
export const strangers = { bodyBytesMax: 65_536, parametersMax: 1_000 } as const;

/**
 * Parameters of a request of somebody who has signed in: lists are one parameter each, so that
 * clients send a few dozen.
 */
export const parametersMax = 10_000;

/**
 * Names of unknown parameters that an answer tells of, because a client that sends more does not
 * read them.
 */
const echoedNamesMax = 20;
const echoedNameLengthMax = 100;
/**
 * Characters of each text in a refusal: more than our longest sentence, so that only a request's
 * own text is cut.
 */
const echoedTextLengthMax = 1_000;

/**
 * A text of a request as an answer repeats it: whole, or its beginning. A character of two halves
 * stays whole.
 */
function shortened(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return `${text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Names of a request's parameters as an answer repeats them. */
export const echoedNames = (names: readonly string[]): string[] =>
  names.slice(0, echoedNamesMax).map((name) => shortened(name, echoedNameLengthMax));

/** A sentence, or a part of one, that may hold a request's own text. */
export const echoedText = (text: string): string => shortened(text, echoedTextLengthMax);
