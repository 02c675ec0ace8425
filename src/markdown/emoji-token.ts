import type { StateCore, Token } from "markdown-it";
import { makeBudget } from "./budget";

/**
 * Limit for the HTML of one text's emoji, in characters, because each takes up to 40 times its
 * source. Further ones stay text.
 */
const spendLength = makeBudget(80_000);
/** Bytes of the HTML of an emoji without its code and its three copies of its name. */
const emojiLength = 75;

/** Whether a text may have one more emoji, with that name and code or picture address. */
export const spendEmoji = (env: object, name: string, code: string): boolean =>
  spendLength(env, emojiLength + 3 * name.length + code.length);

/** Replaces a text by a Unicode emoji; undefined where the text already has too many. */
export function makeEmojiToken(
  state: StateCore,
  name: string,
  code: string,
  typed: string,
): Token | undefined {
  if (!spendEmoji(state.env, name, code)) return undefined;
  const token = new state.Token("emoji", "", 0);
  token.content = name;
  token.markup = code;
  token.info = typed;
  return token;
}
