import type { StateCore, Token } from "markdown-it";
import { makeBudget } from "./budget";

/**
 * The HTML of the emoji of one text, in characters; the others are text: each takes up to 40 times
 * what was typed.
 */
const spendLength = makeBudget(80_000);
/** Bytes of the HTML of an emoji without its code and its name, which stands in it three times. */
const emojiLength = 75;

/** Whether a text may have one more emoji, of that name and code, or address of its picture. */
export const spendEmoji = (env: object, name: string, code: string): boolean =>
  spendLength(env, emojiLength + 3 * name.length + code.length);

/** A Unicode emoji in the place of what was typed; undefined where the text has too many. */
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
