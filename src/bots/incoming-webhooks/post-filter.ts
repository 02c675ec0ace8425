import { badRequest } from "../../core/errors";
import type { Composed } from "./compose";

/** Patterns in a list, or in a text with commas between them. */
type Patterns = string | readonly string[];

/** Posts that an address chooses by its parameters, as the addresses that Zulip makes do. */
interface PostFilter {
  onlyEvents?: Patterns;
  excludeEvents?: Patterns;
  /** Branches whose pushes are wanted. */
  branches?: Patterns;
  ignorePrivateRepositories?: boolean;
}

/**
 * Whether an address chooses a post, by its event, by the branches that it pushes to, and by
 * whether its repository is private. Refuses (BAD_REQUEST) too many and too long patterns.
 */
export const passesFilter = (
  { event, zulipNames = [], branches = [], isPrivate = false }: Composed,
  filter: PostFilter,
) =>
  passesEvents(event, zulipNames, filter) &&
  passesBranches(branches, filter.branches) &&
  !(isPrivate && filter.ignorePrivateRepositories === true);

/**
 * Patterns of events, such as `pull_request*`, are matched against the event with and without its
 * specific words, and against its names in Zulip.
 */
function passesEvents(
  event: string | undefined,
  zulipNames: readonly string[],
  { onlyEvents, excludeEvents }: PostFilter,
): boolean {
  if (event === undefined) return true;
  const first = event.split(":", 1)[0] ?? "";
  const names = [event, first, event.replaceAll(":", "_"), ...zulipNames];
  return (
    (onlyEvents === undefined || isAnyLike(names, patternsOf(onlyEvents))) &&
    (excludeEvents === undefined || !isAnyLike(names, patternsOf(excludeEvents)))
  );
}

/** A push to several branches is wanted if one of them is. An empty choice chooses all. */
function passesBranches(pushed: readonly string[], branches: Patterns = []): boolean {
  const patterns = patternsOf(branches).filter((pattern) => pattern !== "");
  return pushed.length === 0 || patterns.length === 0 || isAnyLike(pushed, patterns);
}

/**
 * Names of a post that are compared with patterns: at most so many, of at most so many characters,
 * because the sender of a post writes them, and a comparison takes the product of both lengths.
 * Names that a list contains as they are cost nothing, so they have no limit.
 */
const namesMax = 20;
const nameLengthMax = 250;

function isAnyLike(names: readonly string[], patterns: readonly string[]): boolean {
  const exact = new Set(patterns);
  if (exact.has("*") || names.some((name) => exact.has(name))) return true;
  const compared = names.slice(0, namesMax).filter(({ length }) => length <= nameLengthMax);
  const open = patterns.filter((pattern) => /[*?]/.test(pattern));
  return open.some((pattern) => compared.some((name) => fits(name, pattern)));
}

const patternsMax = 100;
const patternLengthMax = 250;

function patternsOf(given: Patterns): readonly string[] {
  const patterns = typeof given === "string" ? given.split(",").map((one) => one.trim()) : given;
  if (patterns.length > patternsMax || patterns.some(({ length }) => length > patternLengthMax)) {
    throw badRequest(
      `At most ${patternsMax} events or branches of ${patternLengthMax} characters can be named.`,
    );
  }
  return patterns;
}

/**
 * `*` matches any characters, `?` a single one. Matching goes from left to right without
 * backtracking.
 */
function fits(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return name.length === first.length && isLikeAt(name, 0, first);
  if (!isLikeAt(name, 0, first)) return false;
  const last = rest.pop() ?? "";
  let from = first.length;
  for (const part of rest) {
    let at = from;
    while (at + part.length <= name.length && !isLikeAt(name, at, part)) at += 1;
    if (at + part.length > name.length) return false;
    from = at + part.length;
  }
  const end = name.length - last.length;
  return end >= from && isLikeAt(name, end, last);
}

/** Whether a text has at a place the signs of a part of a pattern. */
function isLikeAt(text: string, at: number, part: string): boolean {
  for (let index = 0; index < part.length; index++)
    if (part[index] !== "?" && part[index] !== text[at + index]) return false;
  return at + part.length <= text.length;
}
