/**
 * The value of a JSON text; undefined where the text is not JSON, because JSON has no undefined.
 * For texts from outside.
 */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
