import type { MarkdownIt, StateCore, StateInline } from "markdown-it";
import { emojiCode, emojiNames } from "../emoji/table";
import { makeEmojiToken, spendEmoji } from "./emoji-token";
import { escapeAttribute } from "./escape";
import { namesIn } from "./names";
import { type Found, replaceInText } from "./text-tokens";

/** Names of emoji may contain letters of any language, such as `flag_åland_islands`. */
const shortName = /:([\p{L}\p{N}_+-]+):/uy;
/**
 * Whether a text contains characters that may be emoji, and an expression for every possible
 * sequence (UTS 51, section 1.4.9).
 */
const beyondLatin = /[\u00a9-\u{10ffff}]/u;
const sequence =
  /\p{RI}{2}|\p{Emoji}(?:\p{EMod}|\ufe0f\u20e3?|[\u{e0020}-\u{e007e}]+\u{e007f})?(?:\u200d\p{Emoji}(?:\p{EMod}|\ufe0f)?)*/gu;
/** Characters that are emoji by default. Others, such as ©, are text by default. */
const looksLikeEmoji = /\p{EPres}|\p{RI}|\ufe0f/u;
const variationSelector = /\ufe0f/g;

/**
 * Shows `:tada:` as the emoji with that name, and Unicode emoji as emoji. Unknown names stay text.
 */
export function useEmoji(markdown: MarkdownIt) {
  markdown.inline.ruler.after("newline", "emoji", pushShortName);
  markdown.core.ruler.push("unicode_emoji", showSequences);
  const { rules } = markdown.renderer;
  rules["emoji"] = (tokens, index) => {
    const { content: name = "", markup: code = "" } = tokens[index] ?? {};
    const label = name.replaceAll("_", " ");
    return `<span aria-label="${label}" class="emoji emoji-${code}" role="img" title="${label}">:${name}:</span>`;
  };
  rules["custom_emoji"] = (tokens, index) => {
    const { content: name = "", markup: url = "" } = tokens[index] ?? {};
    const [alt, src, title] = [`:${name}:`, url, name.replaceAll("_", " ")].map(escapeAttribute);
    return `<img alt="${alt}" class="emoji" src="${src}" title="${title}">`;
  };
}

function pushShortName(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== ":") return false;
  shortName.lastIndex = state.pos;
  const name = shortName.exec(state.src)?.[1];
  const end = shortName.lastIndex;
  if (name === undefined || end > state.posMax) return false;
  const { emoji, unicodeEmoji } = namesIn(state.env);
  const custom = emoji?.(name);
  const code = custom ? undefined : (unicodeEmoji?.(name) ?? emojiCode(name));
  if (!custom && code === undefined) return false;
  if (!silent) {
    if (!spendEmoji(state.env, name, custom?.url ?? code ?? "")) return false;
    const token = state.push(custom ? "custom_emoji" : "emoji", "", 0);
    token.content = name;
    token.markup = custom?.url ?? code ?? "";
    token.info = `:${name}:`;
  }
  state.pos = end;
  return true;
}

function showSequences(state: StateCore) {
  if (beyondLatin.test(state.src)) replaceInText(state, (text) => findSequences(state, text));
}

/**
 * Finds Unicode emoji that have a name here. Emoji without a name, such as emoji with a skin tone,
 * stay characters.
 */
function findSequences(state: StateCore, text: string): Found[] {
  if (!beyondLatin.test(text)) return [];
  return [...text.matchAll(sequence)].flatMap(({ 0: found, index }) => {
    if (!looksLikeEmoji.test(found)) return [];
    const code = codeOf(found);
    const [name] = emojiNames(code);
    const token = name === undefined ? undefined : makeEmojiToken(state, name, code, found);
    return token ? [{ start: index, end: index + found.length, tokens: [token] }] : [];
  });
}

const codeOf = (found: string) =>
  [...found.replace(variationSelector, "")]
    .map((character) => character.codePointAt(0)?.toString(16).padStart(4, "0") ?? "")
    .join("-");
