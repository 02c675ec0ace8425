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

const isAnyLike = (names: readonly string[], patterns: readonly string[]) =>
  patterns.some((pattern) => names.some((name) => fits(name, pattern)));

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
  if (rest.length === 0) return isLike(name, first);
  if (name.length < first.length || !isLike(name.slice(0, first.length), first)) return false;
  const last = rest.pop() ?? "";
  let from = first.length;
  for (const part of rest) {
    let at = from;
    while (at + part.length <= name.length && !isLike(name.slice(at, at + part.length), part))
      at += 1;
    if (at + part.length > name.length) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && isLike(name.slice(name.length - last.length), last);
}

const isLike = (text: string, pattern: string) =>
  text.length === pattern.length &&
  [...pattern].every((sign, index) => sign === "?" || sign === text[index]);
