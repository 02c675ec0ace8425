const vowel = /[aeiouy]/;

/**
 * The stem of an English word in lower case: equal for its plural, past and participle (apple,
 * apples; edit, edited, editing; study, studies). Deliberately simple: words that merely look alike
 * stay different.
 */
export function stemOf(word: string): string {
  if (word.length < 4) return word;
  return withoutEnd(withoutParticiple(withoutPlural(word)));
}

function withoutPlural(word: string): string {
  if (!word.endsWith("s") || word.endsWith("ss") || word.endsWith("us")) return word;
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (word.endsWith("ies")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  return word.slice(0, -1);
}

function withoutParticiple(word: string): string {
  if (word.endsWith("ied") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith("eed")) return word;
  const rest = word.endsWith("ing")
    ? word.slice(0, -3)
    : word.endsWith("ed")
      ? word.slice(0, -2)
      : word;
  const isShort = rest.length < 3 && !/^[^aeiou][eo]$/.test(rest);
  if (rest === word || isShort || !vowel.test(rest)) return word;
  const last = rest.at(-1) ?? "";
  const isDoubled = rest.at(-2) === last && !"lsz".includes(last) && !vowel.test(last);
  return isDoubled ? rest.slice(0, -1) : rest;
}

function withoutEnd(word: string): string {
  if (word.length < 4) return word;
  if (word.endsWith("e")) return word.slice(0, -1);
  return word.endsWith("y") && !vowel.test(word.at(-2) ?? "") ? `${word.slice(0, -1)}i` : word;
}
