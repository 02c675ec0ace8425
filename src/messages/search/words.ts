import { stemOf } from "./stem";

/** A word of a text: its place, and its search term. */
export interface Word {
  start: number;
  end: number;
  key: string;
}

/** Longer words, such as addresses, are found by their beginning. In code units. */
export const keyLengthMax = 80;

/** Scripts without spaces between words: each letter counts as a word. */
const unspaced = [
  ..."\\p{scx=Han} \\p{scx=Hiragana} \\p{scx=Katakana} \\p{scx=Hangul} \\p{scx=Thai} \\p{scx=Lao}".split(
    " ",
  ),
  ..."\\p{scx=Khmer} \\p{scx=Myanmar} \\p{scx=Tibetan}".split(" "),
].join("");
const letters = "\\p{L}\\p{N}";
const marks = "\\p{M}";
const wordSource = `[[${letters}]&&[${unspaced}]]${marks}*|[[${letters}${marks}]--[${unspaced}]]+`;
const words = new RegExp(wordSource, "gv");
/** Words in HTML; an entity such as `&amp;` is not a word. */
const wordsOfHtml = new RegExp(`&(?:#\\d+|#x[\\da-fA-F]+|[\\da-zA-Z]+);|${wordSource}`, "gv");

const asciiWord = /^[\da-zA-Z]+$/;
const asciiLetters = /^[a-z]+$/;
/** Optional marks of a language: accents, and the points of Hebrew and Arabic. */
const diacritics =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;
const notWord = new RegExp(`[^${letters}${marks}]+`, "gv");
const undecomposed: Record<string, string> = {
  ß: "ss",
  ø: "o",
  đ: "d",
  ł: "l",
  æ: "ae",
  œ: "oe",
  ı: "i",
  ħ: "h",
};
const undecomposedLetters = new RegExp(`[${Object.keys(undecomposed).join("")}]`, "g");

/** Without case, accents and width. */
export function fold(word: string): string {
  const bare = word
    .normalize("NFKD")
    .replace(diacritics, "")
    .toLowerCase()
    .replace(diacritics, "")
    .replace(notWord, "");
  return bare
    .replace(undecomposedLetters, (letter) => undecomposed[letter] ?? letter)
    .normalize("NFC");
}

const keysMax = 20_000;
const keys = new Map<string, string>();

/** People use few words repeatedly, so the terms of the latest words are cached. */
function keyOf(word: string): string {
  if (word.length === 1 && isFolded(word.charCodeAt(0))) return word;
  const cached = keys.get(word);
  if (cached !== undefined) return cached;
  const key = makeKey(word);
  if (keys.size >= keysMax) keys.clear();
  if (word.length <= keyLengthMax) keys.set(word, key);
  return key;
}

/** Kana, Chinese characters and syllables of Hangul: each is its own term. */
const isFolded = (code: number) =>
  (code >= 0x4e00 && code <= 0x9fff) ||
  (code >= 0xac00 && code <= 0xd7a3) ||
  (code >= 0x3400 && code <= 0x4dbf) ||
  (code >= 0x3041 && code <= 0x3096) ||
  (code >= 0x30a1 && code <= 0x30fa);

function makeKey(word: string): string {
  const folded = asciiWord.test(word) ? word.toLowerCase() : fold(word);
  return (asciiLetters.test(folded) ? stemOf(folded) : folded)
    .slice(0, keyLengthMax)
    .toWellFormed();
}

function* wordsBy(pattern: RegExp, text: string): Generator<Word> {
  for (const match of text.matchAll(pattern)) {
    const [found] = match;
    if (found.startsWith("&")) continue;
    const key = keyOf(found);
    if (key !== "") yield { start: match.index, end: match.index + found.length, key };
  }
}

/** Adds the search terms of a text to a list, in half the time of words with their places. */
function addKeys(all: string[], pattern: RegExp, text: string, termOf: (word: string) => string) {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [found] = match;
    const key = found.startsWith("&") ? "" : termOf(found);
    if (key !== "") all.push(key);
  }
}

/** Adds the search terms of a text to a list: keys, or what `termOf` makes of each word. */
export const addKeysOf = (all: string[], text: string, termOf = keyOf) =>
  addKeys(all, words, text, termOf);

/** The words of a text. */
export const wordsOf = (text: string) => wordsBy(words, text);

const tagOrText = /<(?:"[^"]*"|[^"<>])*>|[^<]+|</g;

/** A part of HTML: a tag, or the text between two tags. */
interface HtmlPart {
  html: string;
  words: Word[];
}

/** HTML in parts, with their visible words, each found when it is asked for. */
export function* partsOfHtml(html: string): Generator<HtmlPart> {
  for (const [part] of html.matchAll(tagOrText))
    yield { html: part, words: part.startsWith("<") ? [] : [...wordsBy(wordsOfHtml, part)] };
}

/** See `addKeysOf`, for the visible words of HTML. */
export function addKeysOfHtml(all: string[], html: string, termOf = keyOf) {
  tagOrText.lastIndex = 0;
  for (let match = tagOrText.exec(html); match; match = tagOrText.exec(html))
    if (!match[0].startsWith("<")) addKeys(all, wordsOfHtml, match[0], termOf);
}

/** UTF-16 units of HTML whose words are looked for in one turn of the event loop. */
export const htmlPerTurn = 4_096;
