import type { MarkdownIt, StateCore, Token } from "markdown-it";
import { emojiCode } from "../emoji/table";
import { makeEmojiToken } from "./emoji-token";
import { namesIn } from "./names";
import { type Found, replaceInText } from "./text-tokens";

/** Emoticons with the names of their emoji. Source: `test/recorded/api/emoji.tsv`. */
const emoticons: ReadonlyMap<string, string> = new Map([
  [":)", "smile"],
  ["(:", "smile"],
  [":(", "frown"],
  ["<3", "heart"],
  [":|", "neutral"],
  [":/", "confused"],
  [";)", "wink"],
  [":D", "grinning"],
  [":o", "open_mouth"],
  [":O", "open_mouth"],
  [":p", "stuck_out_tongue"],
  [":P", "stuck_out_tongue"],
]);

const anyEmoticon = /\(:|<3|;\)|:[()|/DoOpP]/;
/** An emoticon that stands alone: between the ends of the text, spaces or punctuation. */
const loneEmoticon =
  /(?<![^,.;?!()[\] "'\n\t])(?:\(:|<3|;\)|:[()|/DoOpP])(?![^,.;?!()[\] "'\n\t])/g;

/** Whether a text may contain emoticons; most do not. */
export const mayHaveEmoticons = (source: string): boolean => anyEmoticon.test(source);

/**
 * Replaces `:)` by `:smile:` if the author's setting says so. It runs after the rules that replace
 * other emoji.
 */
export function useEmoticons(markdown: MarkdownIt) {
  markdown.core.ruler.push("emoticons", (state) => {
    if (namesIn(state.env).translatesEmoticons && mayHaveEmoticons(state.src))
      replaceInText(state, (text, before, after) => findEmoticons(state, text, before, after));
  });
}

function findEmoticons(state: StateCore, text: string, before?: Token, after?: Token): Found[] {
  const shift = isEnd(before, 1) ? 0 : 1;
  const bounded = `${shift === 0 ? "" : "x"}${text}${isEnd(after, -1) ? "" : "x"}`;
  return [...bounded.matchAll(loneEmoticon)].flatMap(({ 0: emoticon, index }) => {
    const name = emoticons.get(emoticon) ?? "";
    const token = makeEmojiToken(state, name, emojiCode(name) ?? "", emoticon);
    const start = index - shift;
    return token ? [{ start, end: start + emoticon.length, tokens: [token] }] : [];
  });
}

/**
 * Whether a text ends at the token beside it: that token ends a line, or begins or ends emphasis.
 */
const isEnd = (token: Token | undefined, nesting: 1 | -1) =>
  token === undefined ||
  token.nesting === nesting ||
  token.type === "softbreak" ||
  token.type === "hardbreak";
