import type { StateCore, Token } from "markdown-it";
import { makeBudget } from "./budget";

/**
 * Limit for the HTML of one text's emoji, in characters, because an emoji takes up to 40 times the
 * length of its source. Further emoji stay text.
 */
const spendLength = makeBudget(80_000);
/** Length of the HTML of an emoji without its code and without the three places of its name. */
const emojiLength = 75;

/**
 * Whether a text may have one more emoji. Takes the length of its HTML from the budget of the text;
 * `code` is the emoji's code or the address of its picture.
 */
export const spendEmoji = (env: object, name: string, code: string): boolean =>
  spendLength(env, emojiLength + 3 * name.length + code.length);

/** Makes the token of a Unicode emoji; undefined where the text already has too many emoji. */
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
