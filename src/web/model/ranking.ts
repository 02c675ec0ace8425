/** A thing that people look up by its name. */
export interface Named {
  readonly name: string;
  /** Other words that find it. */
  readonly otherWords?: string;
  /** A greater value means that it was used more recently. */
  readonly recency: number;
}

const ascii = /^[\x20-\x7e]*$/;

/** A text without case and accents, for comparisons. */
export const plainText = (text: string): string =>
  (ascii.test(text) ? text : text.normalize("NFKD").replaceAll(/\p{M}/gu, "")).toLowerCase();

/**
 * Grades of a match between a name and a text, the best first. `loose` means that the name only
 * contains its letters in order.
 */
const fits = { prefix: 0, words: 1, otherWords: 2, loose: 3, none: 4 } as const;
type Fit = (typeof fits)[keyof typeof fits];

/**
 * Things that match a text, the best first: names that begin with it, names with words that begin
 * with its words, then names that contain its letters in order, either in one piece or from the
 * beginning of a word on. Among equal matches, the most recently used comes first.
 */
export const rankedBy = <Thing extends Named>(
  things: readonly Thing[],
  text: string,
  most: number,
): readonly Thing[] => bestOf(things, text, { most, worst: fits.loose });

/** Things with words that begin with the words of a text, the best match first. */
export const begunBy = <Thing extends Named>(
  things: readonly Thing[],
  text: string,
  most: number,
): readonly Thing[] => bestOf(things, text, { most, worst: fits.otherWords });

/** The names of a thing, prepared for comparisons. */
interface Compared {
  readonly plain: string;
  /** The name together with the other words. */
  readonly whole: string;
}

/**
 * Prepared names of lists of things. They are prepared once per list, because an organization can
 * have many people.
 */
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

/**
 * The best matches. Only as many as wanted are held while the list is searched, because it may be
 * long. Where all are wanted, they are sorted at the end, because to insert each would cost more.
 */
function bestOf<Thing extends Named>(
  things: readonly Thing[],
  text: string,
  { most, worst }: { most: number; worst: Fit },
): readonly Thing[] {
  const sought = plainText(text.trim());
  const parts = sought.split(/\s+/);
  const best: Ranked<Thing>[] = [];
  const areAllWanted = most >= things.length;
  // An empty text matches everything, so no name has to be compared.
  const compared = sought === "" ? undefined : comparedOf(things);
  things.forEach((thing, index) => {
    const names = compared?.[index];
    const fit = names ? fitOf(names, sought, parts) : fits.prefix;
    if (fit > worst) return;
    const ranked = { thing, plain: names?.plain ?? thing.name, fit };
    if (areAllWanted) {
      best.push(ranked);
      return;
    }
    const last = best.at(-1);
    if (best.length >= most && last && byRank(ranked, last) >= 0) return;
    const place = best.findIndex((one) => byRank(ranked, one) < 0);
    best.splice(place < 0 ? best.length : place, 0, ranked);
    if (best.length > most) best.pop();
  });
  if (areAllWanted) best.sort(byRank);
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

/**
 * The position of the first word that begins with a part, starting at a position; -1 if there is
 * none.
 */
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
 * The position at which the letters of a part end in a text, starting at a position; -1 if the text
 * does not contain them in order. Letters that are apart must begin with the beginning of a word,
 * because otherwise most names would match a short part.
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
