/** Limits for a request without a sign-in: enough for every form and every client's first steps. */
export const strangers = { bodyBytesMax: 65_536, parametersMax: 1_000 } as const;

/**
 * Number of parameters of a request with a sign-in. A list is one parameter, so clients send a few
 * dozen.
 */
export const parametersMax = 10_000;

/**
 * Number of unknown parameters that an answer names, because a client that sends more does not read
 * them.
 */
const echoedNamesMax = 20;
const echoedNameLengthMax = 100;
/**
 * Characters of each text in a refusal: more than chatd's longest sentence, so that only texts of
 * the request are shortened.
 */
const echoedTextLengthMax = 1_000;

/**
 * A text of a request as an answer repeats it: whole, or its beginning. A character of two UTF-16
 * units stays whole.
 */
function shortened(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  return `${text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Names of a request's parameters as an answer repeats them. */
export const echoedNames = (names: readonly string[]): string[] =>
  names.slice(0, echoedNamesMax).map((name) => shortened(name, echoedNameLengthMax));

/** A sentence, or a part of one, that may contain a text of the request. */
export const echoedText = (text: string): string => shortened(text, echoedTextLengthMax);
