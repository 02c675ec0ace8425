import { escapeHtml } from "../core/html";
import type { SearchWords } from "./query";
import { type HtmlPart, partsOfHtml, type Word, wordsOf } from "./words";

const before = '<span class="highlight">';
const after = "</span>";

/** A stretch of a text, in code units. */
type Stretch = { start: number; end: number };

/** What is shown as found, by its first word. */
type ByFirst = ReadonlyMap<string | undefined, readonly (readonly string[])[]>;

const byFirst = new WeakMap<SearchWords, ByFirst>();

function byFirstOf(searched: SearchWords): ByFirst {
  const known = byFirst.get(searched) ?? Map.groupBy(searched.shown, ([first]) => first);
  byFirst.set(searched, known);
  return known;
}

/** Where the words that were looked for stand among those of a text; neighbours without anything between are one. */
function foundIn(words: readonly Word[], byFirst: ByFirst): Stretch[] {
  const found: Stretch[] = [];
  for (let at = 0; at < words.length; ) {
    const candidates = byFirst.get(words[at]?.key);
    if (!candidates) {
      at += 1;
      continue;
    }
    const until = at + longestAt(words, at, candidates);
    for (let i = at; i < until; i++) addStretch(found, words[i]);
    at = Math.max(at + 1, until);
  }
  return found;
}

/** How many words the longest of some phrases has that stands at a place; 0 where none does. */
function longestAt(words: readonly Word[], at: number, phrases: readonly (readonly string[])[]): number {
  let longest = 0;
  for (const keys of phrases) {
    let length = 0;
    while (length < keys.length && words[at + length]?.key === keys[length]) length += 1;
    if (length === keys.length && length > longest) longest = length;
  }
  return longest;
}

function addStretch(found: Stretch[], word: Word | undefined) {
  if (!word) return;
  const last = found[found.length - 1];
  if (last?.end === word.start) last.end = word.end;
  else found.push({ start: word.start, end: word.end });
}

function marked(text: string, found: readonly Stretch[]): string {
  if (found.length === 0) return text;
  let result = "";
  let from = 0;
  for (const { start, end } of found) {
    result += text.slice(from, start) + before + text.slice(start, end) + after;
    from = end;
  }
  return result + text.slice(from);
}

const rememberedMax = 2_000;
const rememberedLengthMax = 4_000;
const remembered = new Map<string, readonly HtmlPart[]>();

/** What was found once is found again, as more of the search is typed: the parts of the last messages are remembered. */
function knownParts(html: string): readonly HtmlPart[] {
  const known = remembered.get(html);
  if (known) return known;
  const parts = partsOfHtml(html);
  if (remembered.size >= rememberedMax) remembered.clear();
  if (html.length <= rememberedLengthMax) remembered.set(html, parts);
  return parts;
}

/** A message's HTML in which what was found stands out. Tags stay as they are. */
export function highlightHtml(html: string, searched: SearchWords): string {
  if (searched.shown.length === 0) return html;
  const byFirst = byFirstOf(searched);
  let result = "";
  for (const { html: part, words } of knownParts(html)) {
    result += words.length === 0 ? part : marked(part, foundIn(words, byFirst));
  }
  return result;
}

const shownTexts = new WeakMap<SearchWords, Map<string, string>>();

/** The same of a text, which becomes HTML. What is found together has few topics: each is looked through once. */
export function highlightText(text: string, searched: SearchWords): string {
  const known = shownTexts.get(searched) ?? new Map<string, string>();
  shownTexts.set(searched, known);
  const html = known.get(text) ?? highlightOneText(text, searched);
  known.set(text, html);
  return html;
}

function highlightOneText(text: string, searched: SearchWords): string {
  let html = "";
  let from = 0;
  for (const { start, end } of foundIn([...wordsOf(text)], byFirstOf(searched))) {
    html += escapeHtml(text.slice(from, start)) + before + escapeHtml(text.slice(start, end)) + after;
    from = end;
  }
  return html + escapeHtml(text.slice(from));
}
