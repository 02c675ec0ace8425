/**
 * The value that a text is in JSON; undefined where it is none, as no value in JSON is. For texts
 * that others have written.
 */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
