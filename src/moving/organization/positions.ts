/** Place in a YAML document: `["users", 3, "role"]`. */
export type Path = readonly (string | number)[];

/**
 * Stands in for a key or a value, to see where in the parsed document a place of the text ends up.
 */
const marker = "chatd-position-marker";

/**
 * The line, from 1, on which a key (`["users", 3, "role"]`) or an item of a list (`["users", 3]`)
 * begins. Bun's parser tells no positions, so each place of the text that may be it is replaced in
 * turn, until the parsed document has the replacement at the path: right for every form of YAML,
 * and only done when there is an error to report. Where that finds nothing, the line of what holds
 * it.
 */
export function lineOf(text: string, path: Path): number {
  for (let depth = path.length; depth > 0; depth--) {
    const offset = offsetOf(text, path.slice(0, depth));
    if (offset !== undefined) return lineAt(text, offset);
  }
  return 1;
}

/** The line on which a text stops being YAML: the one after the longest beginning that is. */
export function lineOfSyntaxError(text: string): number {
  const lines = text.split("\n");
  for (let count = lines.length - 1; count > 0; count--) {
    if (tryParse(lines.slice(0, count).join("\n")) !== undefined) return count + 1;
  }
  return 1;
}

/** Value of a YAML document, or undefined when the text is none. */
export function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: Bun.YAML.parse(text) };
  } catch {
    return undefined;
  }
}

function offsetOf(text: string, path: Path): number | undefined {
  const last = path.at(-1);
  if (typeof last === "string") return offsetOfKey(text, path.slice(0, -1), last);
  const value = valueAt(tryParse(text)?.value, path);
  if (isMapping(value)) {
    const [first] = Object.keys(value);
    return first === undefined ? undefined : offsetOfKey(text, path, first);
  }
  const isScalar =
    typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isScalar ? offsetOfItem(text, path, String(value)) : undefined;
}

function offsetOfKey(text: string, parent: Path, key: string): number | undefined {
  return placesOf(text, key).find((offset) => {
    if (!/^["']?[ \t]*:/.test(text.slice(offset + key.length))) return false;
    const mapping = valueAt(tryParse(marked(text, offset, key.length))?.value, parent);
    return isMapping(mapping) && marker in mapping;
  });
}

function offsetOfItem(text: string, path: Path, item: string): number | undefined {
  return placesOf(text, item).find(
    (offset) => valueAt(tryParse(marked(text, offset, item.length))?.value, path) === marker,
  );
}

function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  if (part === "") return places;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}

const marked = (text: string, offset: number, length: number) =>
  text.slice(0, offset) + marker + text.slice(offset + length);

const lineAt = (text: string, offset: number) => text.slice(0, offset).split("\n").length;

/** Whether a value of a document is a mapping. */
export const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function valueAt(document: unknown, path: Path): unknown {
  let value = document;
  for (const step of path) {
    if (Array.isArray(value) && typeof step === "number") value = value[step];
    else if (isMapping(value)) value = value[step];
    else return undefined;
  }
  return value;
}
