import { escapeHtml } from "../../core/text/html";
import { turn } from "../../core/turns/turn";
import type { SearchWords } from "./query";
import { type Stem, stemIn } from "./stems";
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
  /** Places of each stem in the organization's language, where it has rules of its own. */
  stemPlaces: Map<string, number[]>;
}

const emptyText = (): Text => ({
  json: "",
  keys: [],
  ends: [],
  places: new Map(),
  stemPlaces: new Map(),
});
const asItIs = (text: string) => text;
const samePlace = (at: number) => at;

/** `write`: makes the HTML of the part, character by character. */
function addPart(
  text: Text,
  part: string,
  words: Iterable<Word>,
  stem: Stem | undefined,
  write = asItIs,
) {
  const json = JSON.stringify(write(part)).slice(1, -1);
  const placeOf = json.length === part.length ? samePlace : placesIn(part, write);
  const from = text.json.length;
  for (const { start, end, key } of words) {
    if (stem) addPlace(text.stemPlaces, stem(part.slice(start, end)), text.keys.length);
    addWord(text, key, from + placeOf(start), from + placeOf(end));
  }
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
  addPlace(text.places, key, text.keys.length);
  text.keys.push(key);
  text.ends.push(start, end);
}

function addPlace(places: Map<string, number[]>, key: string, place: number) {
  const before = places.get(key);
  if (before) before.push(place);
  else places.set(key, [place]);
}

function textOfHtml(html: string, language: string): Text {
  const text = emptyText();
  const stem = stemIn(language);
  for (const part of partsOfHtml(html)) addPart(text, part.html, part.words, stem);
  return text;
}

/** Lets other work run between parts. */
async function textOfLongHtml(html: string, language: string): Promise<Text> {
  const text = emptyText();
  const stem = stemIn(language);
  let length = 0;
  for (const part of partsOfHtml(html)) {
    addPart(text, part.html, part.words, stem);
    length += part.html.length;
    if (length < htmlPerTurn) continue;
    length = 0;
    await turn();
  }
  return text;
}

function textOfPlain(plain: string, language: string): Text {
  const text = emptyText();
  addPart(text, plain, wordsOf(plain), stemIn(language), escapeHtml);
  return text;
}

/** Bytes of the most recently searched texts that are cached: of messages, and of topics. */
const cachedBytesMax = 4 * 1024 * 1024;
const cachedLengthMax = 4_000;
/** Bytes of a word with its places, without its letters. */
const wordBytes = 100;

const sizeBytesOf = ({ json, keys, stemPlaces }: Text) =>
  2 * json.length + wordBytes * (keys.length + stemPlaces.size);

type TextIn = (source: string, language: string) => Text;

/**
 * The words of the last texts are cached, because a search that somebody is still typing finds
 * these texts again.
 */
function caching(make: TextIn): TextIn {
  const cache = new Map<string, Text>();
  let sizeBytes = 0;
  return (source, language) => {
    const name = stemIn(language) ? `${language} ${source}` : source;
    const cached = cache.get(name);
    if (cached) return cached;
    const text = make(source, language);
    if (source.length > cachedLengthMax) return text;
    if (sizeBytes > cachedBytesMax) {
      cache.clear();
      sizeBytes = 0;
    }
    cache.set(name, text);
    sizeBytes += sizeBytesOf(text);
    return text;
  };
}

const knownHtml = caching(textOfHtml);
const knownPlain = caching(textOfPlain);

/** Phrases to highlight, by their first word. */
type ByFirst = ReadonlyMap<string | undefined, readonly (readonly string[])[]>;

/** Places in a text of the first words of phrases, and of stems, in order. */
function startsIn(
  { places, stemPlaces }: Text,
  { byFirst, stems }: Highlighter,
): readonly number[] {
  const found: (readonly number[])[] = [];
  for (const stem of stems) {
    const at = stemPlaces.get(stem);
    if (at) found.push(at);
  }
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

/**
 * Number of matches that are marked in one text. A mark takes 43 bytes, so a text that consists of
 * matches would become eight times as long.
 */
const marksMax = 500;

/** The first ranges of the JSON with matches; adjacent ones are joined. */
function stretchesIn(text: Text, highlighter: Highlighter): number[] {
  const { keys, ends } = text;
  const { byFirst } = highlighter;
  const stemmed = stemmedPlaces(text, highlighter);
  const found: number[] = [];
  let next = 0;
  for (const at of startsIn(text, highlighter)) {
    if (at < next) continue;
    if (found.length >= 2 * marksMax) break;
    const length = longestAt(keys, at, byFirst.get(keys[at]) ?? []);
    next = at + (length === 0 && stemmed.has(at) ? 1 : length);
    for (let i = at; i < next; i++) {
      const [start = 0, end = 0] = [ends[i * 2], ends[i * 2 + 1]];
      if (found[found.length - 1] === start) found[found.length - 1] = end;
      else found.push(start, end);
    }
  }
  return found;
}

const noPlaces: ReadonlySet<number> = new Set();

const stemmedPlaces = ({ stemPlaces }: Text, { stems }: Highlighter): ReadonlySet<number> =>
  stems.size === 0 ? noPlaces : new Set([...stems].flatMap((stem) => stemPlaces.get(stem) ?? []));

/** The JSON of a text with its matches marked. */
function marked(text: Text, highlighter: Highlighter): string {
  const { json } = text;
  const found = stretchesIn(text, highlighter);
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
  /** Stems of the search in the organization's language. */
  stems: ReadonlySet<string>;
  /** The JSON of texts that were already highlighted. */
  texts: Map<string, string>;
}

const highlighters = new WeakMap<SearchWords, Highlighter>();

function highlighterOf(searched: SearchWords): Highlighter {
  let highlighter = highlighters.get(searched);
  if (!highlighter) {
    highlighter = {
      byFirst: Map.groupBy(searched.shown, ([first]) => first),
      stems: new Set(searched.stems.values()),
      texts: new Map(),
    };
    highlighters.set(searched, highlighter);
  }
  return highlighter;
}

/** A message's HTML with its matches marked, as JSON. Tags stay unchanged. */
export const highlightHtml = (html: string, searched: SearchWords): string =>
  `"${marked(knownHtml(html, searched.language), highlighterOf(searched))}"`;

/** See `highlightHtml`; of long HTML a part at a time, with turns for other work in between. */
export const highlightInTurns = async (html: string, searched: SearchWords): Promise<string> =>
  html.length <= htmlPerTurn
    ? highlightHtml(html, searched)
    : `"${marked(await textOfLongHtml(html, searched.language), highlighterOf(searched))}"`;

/**
 * HTML of a text with its matches marked. Messages of one search have few topics, so each topic is
 * processed once.
 */
export function highlightText(text: string, searched: SearchWords): string {
  const highlighter = highlighterOf(searched);
  const { texts } = highlighter;
  let json = texts.get(text);
  if (json === undefined) {
    json = `"${marked(knownPlain(text, searched.language), highlighter)}"`;
    texts.set(text, json);
  }
  return json;
}
