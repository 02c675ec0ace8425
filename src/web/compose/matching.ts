/** Fit of a name to what was typed: rank 0 where it begins so, 1 where one of its words does. */
export interface Match {
  readonly rank: 0 | 1;
  /** The part of the name that fits. */
  readonly start: number;
  readonly end: number;
}

/** Letters as they are compared, once for each, because the names of an organization have many. */
const foldedLetters = new Map<string, string>();

/** A text as it is compared: without accents, in lower case. A letter may become none or several. */
function foldLetter(letter: string): string {
  const before = foldedLetters.get(letter);
  if (before !== undefined) return before;
  const folded = letter.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  foldedLetters.set(letter, folded);
  return folded;
}

/** A text as it is compared. */
export const fold = (text: string): string => [...text].map(foldLetter).join("");

const betweenWords = /[\s\-_./(),&:>]/u;

/** The best fit of a name to what was typed; undefined where it does not fit. */
export function matchOf(name: string, typed: string): Match | undefined {
  const wanted = fold(typed);
  const whole = fitAt(name, 0, wanted);
  if (whole !== undefined) return { rank: 0, start: 0, end: whole };
  for (let at = 1; at < name.length; at += 1) {
    if (!betweenWords.test(name[at - 1] ?? "") || betweenWords.test(name[at] ?? "")) continue;
    const end = fitAt(name, at, wanted);
    if (end !== undefined) return { rank: 1, start: at, end };
  }
  return undefined;
}

/** End of the part of a name, from a place on, that is equal to what is wanted. */
function fitAt(name: string, start: number, wanted: string): number | undefined {
  let [at, done] = [start, 0];
  while (done < wanted.length) {
    const letter = String.fromCodePoint(name.codePointAt(at) ?? 0);
    if (at >= name.length) return undefined;
    const folded = foldLetter(letter);
    const rest = wanted.slice(done);
    if (!rest.startsWith(folded) && !folded.startsWith(rest)) return undefined;
    done += folded.length;
    at += letter.length;
  }
  return at;
}
