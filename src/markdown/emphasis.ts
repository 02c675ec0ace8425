import type { MarkdownIt, StateInline } from "markdown-it";

const strongEmphasis = /\*\*\*(?!\s)([^*\n`[\]]+)(?<!\s)\*\*\*(?!\*)/y;
const strong = /\*\*([^*\n`[\]]+)\*\*(?!\*)/y;

/** Emphasis is `*` only, so that snake_case stays as it is; `**` needs no word at its side; `***` is strong outside. */
export function useEmphasis(markdown: MarkdownIt) {
  markdown.inline.ruler.at("emphasis", (state, silent) => {
    if (silent || state.src[state.pos] !== "*") return false;
    return (
      pushPair(state, strongEmphasis, ["strong", "em"]) || pushPair(state, strong, ["strong"]) || pushDelimiters(state)
    );
  });
}

/** The simple case, text between two equal markers on one line. */
function pushPair(state: StateInline, pattern: RegExp, tags: string[]): boolean {
  pattern.lastIndex = state.pos;
  const text = pattern.exec(state.src)?.[1];
  const end = pattern.lastIndex;
  if (text === undefined || end > state.posMax) return false;
  const textEnd = state.src.lastIndexOf(text, end);
  const { posMax } = state;
  for (const tag of tags) state.push(`${tag}_open`, tag, 1);
  state.pos = textEnd;
  state.posMax = textEnd + text.length;
  state.md.inline.tokenize(state);
  for (const tag of tags.toReversed()) state.push(`${tag}_close`, tag, -1);
  state.pos = end;
  state.posMax = posMax;
  return true;
}

/** Everything else: markdown-it pairs the markers afterwards. */
function pushDelimiters(state: StateInline): boolean {
  const { length, can_open, can_close } = state.scanDelims(state.pos, true);
  for (let i = 0; i < length; i++) {
    state.push("text", "", 0).content = "*";
    const token = state.tokens.length - 1;
    state.delimiters.push({ marker: 0x2a, length, token, end: -1, open: can_open, close: can_close });
  }
  state.pos += length;
  return true;
}
