import { escapeHtml } from "../../core/html";
import { turn } from "../../core/turn";
import type { SearchWords } from "./query";
import { htmlPerTurn, partsOfHtml, type Word, wordsOf } from "./words";

/**
 * Highlighted texts become JSON. A text is escaped once, for any number of matches, and the marks
 * are inserted unescaped.
 */

const before = '<span class=\\"highlight\\">';
const after = "</span>";

/** A text as the content of a JSON string, with its words. */
interface Text {
  json: string;
  /** In the order of the text, with an empty one after each part, so that no phrase spans parts. */
  keys: string[];
  /** Places of each of them in the JSON: beginning and end, in code units. */
  ends: number[];
  /** The places of each word in `keys`. */
  places: Map<string, number[]>;
}

const emptyText = (): Text => ({ json: "", keys: [], ends: [], places: new Map() });
const asItIs = (text: string) => text;
const samePlace = (at: number) => at;

/** `write`: makes the HTML of the part, character by character. */
function addPart(text: Text, part: string, words: Iterable<Word>, write = asItIs) {
  const json = JSON.stringify(write(part)).slice(1, -1);
  const placeOf = json.length === part.length ? samePlace : placesIn(part, write);
  const from = text.json.length;
  for (const { start, end, key } of words)
    addWord(text, key, from + placeOf(start), from + placeOf(end));
  text.json += json;
  text.keys.push("");
  text.ends.push(0, 0);
}

/**
 * Places of a part's characters in its JSON, to be called in ascending order. A part is written as
 * a whole, because writing each of its words takes ten times as long.
 */
function placesIn(part: string, write: (text: string) => string): (at: number) => number {
  const jsonLengthOf = (from: number, to: number) =>
    JSON.stringify(write(part.slice(from, to))).length - 2;
  let [seen, place] = [0, 0];
  return (at) => {
    while (seen < at) {
      const code = part.charCodeAt(seen);
      if (isWrittenAsItIs(code)) {
        seen += 1;
        place += 1;
      } else {
        const next = seen + ((part.codePointAt(seen) ?? 0) > 0xffff ? 2 : 1);
        place += jsonLengthOf(seen, next);
        seen = next;
      }
    }
    return place;
  };
}

/** Spaces, letters, digits and characters outside ASCII, without surrogates. */
const isWrittenAsItIs = (code: number) =>
  code === 0x20 ||
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x41 && code <= 0x5a) ||
  isLowerOrBeyond(code);

const isLowerOrBeyond = (code: number) =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x80 && (code < 0xd800 || code > 0xdfff));

function addWord(text: Text, key: string, start: number, end: number) {
  const places = text.places.get(key);
  if (places) places.push(text.keys.length);
  else text.places.set(key, [text.keys.length]);
  text.keys.push(key);
  text.ends.push(start, end);
}

function textOfHtml(html: string): Text {
  const text = emptyText();
  for (const part of partsOfHtml(html)) addPart(text, part.html, part.words);
  return text;
}

/** Lets other work run between parts. */
async function textOfLongHtml(html: string): Promise<Text> {
  const text = emptyText();
  let length = 0;
  for (const part of partsOfHtml(html)) {
    addPart(text, part.html, part.words);
    length += part.html.length;
    if (length < htmlPerTurn) continue;
    length = 0;
    await turn();
  }
  return text;
}

function textOfPlain(plain: string): Text {
  const text = emptyText();
  addPart(text, plain, wordsOf(plain), escapeHtml);
  return text;
}

/** Bytes of the most recently searched texts that are cached: of messages, and of topics. */
const rememberedBytesMax = 4 * 1024 * 1024;
const rememberedLengthMax = 4_000;
/** Bytes of a word with its places, without its letters. */
const wordBytes = 100;

const sizeBytesOf = ({ json, keys }: Text) => 2 * json.length + wordBytes * keys.length;

/**
 * The words of the last texts are cached, because a search that somebody is still typing finds
 * these texts again.
 */
function remembering(make: (source: string) => Text): (source: string) => Text {
  const remembered = new Map<string, Text>();
  let sizeBytes = 0;
  return (source) => {
    const cached = remembered.get(source);
    if (cached) return cached;
    const text = make(source);
    if (source.length > rememberedLengthMax) return text;
    if (sizeBytes > rememberedBytesMax) {
      remembered.clear();
      sizeBytes = 0;
    }
    remembered.set(source, text);
    sizeBytes += sizeBytesOf(text);
    return text;
  };
}

const knownHtml = remembering(textOfHtml);
const knownPlain = remembering(textOfPlain);

/** Phrases to highlight, by their first word. */
type ByFirst = ReadonlyMap<string | undefined, readonly (readonly string[])[]>;

/** Places in a text of the first words of phrases, in order. */
function startsIn({ places }: Text, byFirst: ByFirst): readonly number[] {
  const found: (readonly number[])[] = [];
  for (const first of byFirst.keys()) {
    const at = places.get(first ?? "");
    if (at) found.push(at);
  }
  const [onlyPlaces] = found;
  return found.length > 1 ? found.flat().sort((a, b) => a - b) : (onlyPlaces ?? nowhere);
}

const nowhere: readonly number[] = [];

/** Number of words of the longest phrase at a place; 0 where there is none. */
function longestAt(
  keys: readonly string[],
  at: number,
  phrases: readonly (readonly string[])[],
): number {
  let longest = 0;
  for (const phrase of phrases) {
    let length = 0;
    while (length < phrase.length && keys[at + length] === phrase[length]) length += 1;
    if (length === phrase.length && length > longest) longest = length;
  }
  return longest;
}

/** Ranges of the JSON with matches; adjacent ones are joined. */
function stretchesIn(text: Text, byFirst: ByFirst): number[] {
  const { keys, ends } = text;
  const found: number[] = [];
  let next = 0;
  for (const at of startsIn(text, byFirst)) {
    if (at < next) continue;
    next = at + longestAt(keys, at, byFirst.get(keys[at]) ?? []);
    for (let i = at; i < next; i++) {
      const [start = 0, end = 0] = [ends[i * 2], ends[i * 2 + 1]];
      if (found[found.length - 1] === start) found[found.length - 1] = end;
      else found.push(start, end);
    }
  }
  return found;
}

/** The JSON of a text with its matches marked. */
function marked(text: Text, byFirst: ByFirst): string {
  const { json } = text;
  const found = stretchesIn(text, byFirst);
  let result = "";
  let from = 0;
  for (let i = 0; i < found.length; i += 2) {
    const [start = 0, end = 0] = [found[i], found[i + 1]];
    result += json.slice(from, start) + before + json.slice(start, end) + after;
    from = end;
  }
  return from === 0 ? json : result + json.slice(from);
}

interface Highlighter {
  byFirst: ByFirst;
  /** The JSON of texts that were already highlighted. */
  texts: Map<string, string>;
}

const highlighters = new WeakMap<SearchWords, Highlighter>();

function highlighterOf(searched: SearchWords): Highlighter {
  let highlighter = highlighters.get(searched);
  if (!highlighter) {
    highlighter = { byFirst: Map.groupBy(searched.shown, ([first]) => first), texts: new Map() };
    highlighters.set(searched, highlighter);
  }
  return highlighter;
}

/** A message's HTML with its matches marked, as JSON. Tags stay unchanged. */
export const highlightHtml = (html: string, searched: SearchWords): string =>
  `"${marked(knownHtml(html), highlighterOf(searched).byFirst)}"`;

/** See `highlightHtml`; of long HTML a part at a time, with turns for other work in between. */
export const highlightInTurns = async (html: string, searched: SearchWords): Promise<string> =>
  html.length <= htmlPerTurn
    ? highlightHtml(html, searched)
    : `"${marked(await textOfLongHtml(html), highlighterOf(searched).byFirst)}"`;

/**
 * HTML of a text with its matches marked. Messages of one search have few topics, so each topic is
 * processed once.
 */
export function highlightText(text: string, searched: SearchWords): string {
  const { byFirst, texts } = highlighterOf(searched);
  let json = texts.get(text);
  if (json === undefined) {
    json = `"${marked(knownPlain(text), byFirst)}"`;
    texts.set(text, json);
  }
  return json;
}
