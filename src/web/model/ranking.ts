/** A thing that is looked for by its name. */
export interface Named {
  readonly name: string;
  /** Further words that it is found by. */
  readonly otherWords?: string;
  /** The greater, the more recently it was used. */
  readonly recency: number;
}

const ascii = /^[\x20-\x7e]*$/;

/** A text without case and accents, in which letters are compared. */
export const plainText = (text: string): string =>
  (ascii.test(text) ? text : text.normalize("NFKD").replaceAll(/\p{M}/gu, "")).toLowerCase();

/** Fits of a name to a text, the best first; `loose` where it has the letters in order at most. */
const fits = { prefix: 0, words: 1, otherWords: 2, loose: 3, none: 4 } as const;
type Fit = (typeof fits)[keyof typeof fits];

/**
 * Things that a text finds, the best first: names that begin with it, names with words that begin
 * with its words, names that have its letters in order, all together or from the beginning of a word
 * on; among equals the most recently used.
 */
export const rankedBy = <Thing extends Named>(
  things: readonly Thing[],
  text: string,
  most: number,
): readonly Thing[] => bestOf(things, text, { most, worst: fits.loose });

/** Things with words that begin with the words of a text, the best first. */
export const begunBy = <Thing extends Named>(
  things: readonly Thing[],
  text: string,
  most: number,
): readonly Thing[] => bestOf(things, text, { most, worst: fits.otherWords });

/** Names of a thing as they are compared. */
interface Compared {
  readonly plain: string;
  /** The name with the further words. */
  readonly whole: string;
}

/** Names of lists of things, each made once: an organization has many people. */
const comparedOfLists = new WeakMap<readonly Named[], readonly Compared[]>();

function comparedOf(things: readonly Named[]): readonly Compared[] {
  const kept = comparedOfLists.get(things);
  if (kept) return kept;
  const made = things.map(compare);
  comparedOfLists.set(things, made);
  return made;
}

function compare({ name, otherWords = "" }: Named): Compared {
  const plain = plainText(name);
  return { plain, whole: otherWords === "" ? plain : `${plain} ${plainText(otherWords)}` };
}

interface Ranked<Thing> {
  readonly thing: Thing;
  readonly plain: string;
  readonly fit: Fit;
}

/** The best things; only so many are kept while the list is gone through, because it may be long. */
function bestOf<Thing extends Named>(
  things: readonly Thing[],
  text: string,
  { most, worst }: { most: number; worst: Fit },
): readonly Thing[] {
  const sought = plainText(text.trim());
  const parts = sought.split(/\s+/);
  const best: Ranked<Thing>[] = [];
  // Everything fits where nothing is sought, so that no name has to be read.
  const compared = sought === "" ? undefined : comparedOf(things);
  things.forEach((thing, index) => {
    const names = compared?.[index];
    const fit = names ? fitOf(names, sought, parts) : fits.prefix;
    if (fit > worst) return;
    const ranked = { thing, plain: names?.plain ?? thing.name, fit };
    const last = best.at(-1);
    if (best.length >= most && last && byRank(ranked, last) >= 0) return;
    const place = best.findIndex((one) => byRank(ranked, one) < 0);
    best.splice(place < 0 ? best.length : place, 0, ranked);
    if (best.length > most) best.pop();
  });
  return best.map(({ thing }) => thing);
}

const byRank = (one: Ranked<Named>, other: Ranked<Named>): number =>
  one.fit - other.fit ||
  other.thing.recency - one.thing.recency ||
  one.plain.length - other.plain.length ||
  (one.plain < other.plain ? -1 : Number(one.plain > other.plain));

function fitOf({ plain, whole }: Compared, sought: string, parts: readonly string[]): Fit {
  if (plain.startsWith(sought)) return fits.prefix;
  if (parts.every((part) => hasWord(plain, part))) return fits.words;
  if (whole !== plain && parts.every((part) => hasWord(whole, part))) return fits.otherWords;
  return hasInOrder(plain, parts) ? fits.loose : fits.none;
}

const letter = /[\p{L}\p{N}]/u;

/** Place of the first word of a text from a place on that begins with a part; -1 if there is none. */
function placeOfWord(text: string, part: string, from = 0): number {
  for (let at = text.indexOf(part, from); at >= 0; at = text.indexOf(part, at + 1))
    if (at === 0 || !letter.test(text[at - 1] ?? "")) return at;
  return -1;
}

const hasWord = (text: string, part: string): boolean => placeOfWord(text, part) >= 0;

function hasInOrder(text: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    from = endOfLetters(text, part, from);
    if (from < 0) return false;
  }
  return true;
}

/**
 * Where the letters of a part end in a text, from a place on; -1 where they are not there. Letters
 * that stand apart begin with a word, because a short part would be found in most names otherwise.
 */
function endOfLetters(text: string, part: string, from: number): number {
  const whole = text.indexOf(part, from);
  if (whole >= 0) return whole + part.length;
  const [first = "", ...others] = part;
  let at = placeOfWord(text, first, from);
  if (at < 0) return -1;
  at += first.length;
  for (const one of others) {
    const next = text.indexOf(one, at);
    if (next < 0) return -1;
    at = next + one.length;
  }
  return at;
}
