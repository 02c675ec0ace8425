import { plainText } from "../model/ranking";

/**
 * A match of a name with the typed text. The rank is 0 if the name begins with it, 1 if one of its
 * words does.
 */
export interface Match {
  readonly rank: 0 | 1;
  /** The matching part of the name. */
  readonly start: number;
  readonly end: number;
}

interface Folded {
  readonly text: string;
  /**
   * Whether each letter kept its position, because no letter became longer or shorter by folding.
   */
  readonly isAligned: boolean;
}

/**
 * Folded texts for comparisons. Each is folded once, because each key press compares all names of
 * an organization.
 */
const foldedTexts = new Map<string, Folded>();
/**
 * The greatest number of folded texts. Typed texts are among them, and a tab may stay open for
 * weeks.
 */
const foldedTextsMax = 50_000;

function fold(text: string): Folded {
  const before = foldedTexts.get(text);
  if (before !== undefined) return before;
  const letters = [...text];
  const parts = letters.map(plainText);
  const isAligned = letters.every((letter, at) => letter.length === parts[at]?.length);
  const folded = { text: parts.join(""), isAligned };
  if (foldedTexts.size >= foldedTextsMax) foldedTexts.clear();
  foldedTexts.set(text, folded);
  return folded;
}

const betweenWords = /[\s\-_./(),&:>]/u;

const beginsWord = (name: string, at: number): boolean =>
  betweenWords.test(name[at - 1] ?? "") && !betweenWords.test(name[at] ?? "");

/** The best match of a name with the typed text; undefined if it does not match. */
export function matchOf(name: string, typed: string): Match | undefined {
  const { text, isAligned } = fold(name);
  const wanted = fold(typed).text;
  if (!text.includes(wanted)) return undefined;
  return isAligned ? matchIn(text, wanted, name) : matchByLetters(name, wanted);
}

function matchIn(text: string, wanted: string, name: string): Match | undefined {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    if (at === 0 || beginsWord(name, at))
      return { rank: at === 0 ? 0 : 1, start: at, end: at + wanted.length };
  return undefined;
}

function matchByLetters(name: string, wanted: string): Match | undefined {
  const whole = fitAt(name, 0, wanted);
  if (whole !== undefined) return { rank: 0, start: 0, end: whole };
  for (let at = 1; at < name.length; at += 1) {
    const end = beginsWord(name, at) ? fitAt(name, at, wanted) : undefined;
    if (end !== undefined) return { rank: 1, start: at, end };
  }
  return undefined;
}

/** The end of the part of a name that starts at a position and equals the wanted text. */
function fitAt(name: string, start: number, wanted: string): number | undefined {
  let [at, done] = [start, 0];
  while (done < wanted.length) {
    const letter = String.fromCodePoint(name.codePointAt(at) ?? 0);
    if (at >= name.length) return undefined;
    const folded = plainText(letter);
    const rest = wanted.slice(done);
    if (!rest.startsWith(folded) && !folded.startsWith(rest)) return undefined;
    done += folded.length;
    at += letter.length;
  }
  return at;
}

/** A matching name, and its order among equally good matches: smaller numbers first. */
export interface Fitting {
  readonly name: string;
  readonly match: Match;
  readonly order: number;
}

const byName = new Intl.Collator();

const compared = (one: Fitting, other: Fitting): number =>
  one.match.rank - other.match.rank ||
  one.order - other.order ||
  byName.compare(one.name, other.name);

/** All of them, the best first. */
export const inOrder = <Thing extends Fitting>(things: readonly Thing[]): readonly Thing[] =>
  [...things].sort(compared);

/** The best of them, sorted. Not all are sorted, because an organization can have many people. */
export function bestOf<Thing extends Fitting>(
  things: readonly Thing[],
  most: number,
): readonly Thing[] {
  let first: readonly Thing[] = [];
  for (const thing of things) {
    const last = first[most - 1];
    if (last === undefined || compared(thing, last) < 0)
      first = inOrder([...first, thing]).slice(0, most);
  }
  return first;
}
