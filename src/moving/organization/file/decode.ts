import { spellingHint } from "../../../core/text/spelling-hint";
import { attempt, type Path, type Problem } from "./problems";

/** A mapping of the file with its place; mistakes in it are added to `problems`. */
export interface Node {
  path: Path;
  fields: Record<string, unknown>;
  problems: Problem[];
}

/** An item of a list of the file with its place. */
export interface Item {
  path: Path;
  value: unknown;
}

/**
 * A mapping with these allowed keys; every other key is a problem. `what` names it in messages: "a
 * user".
 */
export function openMapping(
  problems: Problem[],
  path: Path,
  value: unknown,
  what: string,
  allowedKeys: readonly string[],
): Node {
  if (!isMapping(value)) {
    problems.push({
      path,
      message: `${what} must be a mapping with the keys ${allowedKeys.join(", ")}.`,
    });
    return { path, fields: {}, problems };
  }
  for (const key of Object.keys(value).filter((one) => !allowedKeys.includes(one))) {
    problems.push({
      path: [...path, key],
      message: `unknown key '${key}' in ${what}. Known: ${allowedKeys.join(", ")}.${spellingHint(key, allowedKeys)}`,
    });
  }
  return { path, fields: value, problems };
}

/** Whether a value of the file is a mapping. */
export const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The items of a list; none where the key is left out or empty. */
export function readItems({ path, fields, problems }: Node, key: string): Item[] {
  const value = fields[key] ?? [];
  if (Array.isArray(value))
    return value.map((item: unknown, index) => ({ path: [...path, key, index], value: item }));
  problems.push({ path: [...path, key], message: `${key} must be a list.` });
  return [];
}

/** A text after the check `clean`; undefined where the key is left out. */
export function readText(
  node: Node,
  key: string,
  clean: (text: string) => string,
): string | undefined {
  const value = node.fields[key];
  const path = [...node.path, key];
  if (value === undefined) return undefined;
  if (typeof value === "string") return attempt(node.problems, path, () => clean(value));
  node.problems.push({
    path,
    message: `${key} must be text${isMapping(value) ? "" : ": put it in quotes"}.`,
  });
  return undefined;
}

/** A required text; adds a problem if it is missing. */
export function requireText(node: Node, key: string, clean: (text: string) => string): string {
  const text = readText(node, key, clean);
  if (node.fields[key] === undefined)
    node.problems.push({ path: node.path, message: `'${key}' is missing.` });
  return text ?? "";
}

export function readFlag({ path, fields, problems }: Node, key: string): boolean | undefined {
  const value = fields[key];
  if (value === undefined || typeof value === "boolean") return value;
  problems.push({ path: [...path, key], message: `${key} must be true or false.` });
  return undefined;
}

/** A list of texts after the check `clean`; undefined where the key is left out. */
export function readTexts(
  node: Node,
  key: string,
  clean: (text: string) => string,
): string[] | undefined {
  if (node.fields[key] === undefined) return undefined;
  return readItems(node, key).flatMap(({ path, value }) => {
    if (typeof value === "string") return attempt(node.problems, path, () => clean(value)) ?? [];
    node.problems.push({ path, message: `${key} must be a list of texts.` });
    return [];
  });
}

/** Adds a problem for each repeated name of a list; an empty one already has a problem. */
export function refuseRepeated(
  problems: Problem[],
  names: readonly { path: Path; name: string; shown: string }[],
) {
  const first = new Set<string>();
  for (const { path, name, shown } of names) {
    if (name !== "" && first.has(name))
      problems.push({ path, message: `${shown} is there twice.` });
    first.add(name);
  }
}

/** Adds a problem for each repeated name in a part of the file, ignoring case. */
export const refuseRepeatedTexts = (
  problems: Problem[],
  { part, key }: { part: string; key: string },
  names: readonly string[],
) =>
  refuseRepeated(
    problems,
    names.map((name, index) => ({
      path: [part, index, key],
      name: name.toLowerCase(),
      shown: `'${name}'`,
    })),
  );
