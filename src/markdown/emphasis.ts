import type { MarkdownIt, StateInline } from "markdown-it";

const strongEmphasis = /\*\*\*(?!\s)([^*\n`[\]]+)(?<!\s)\*\*\*(?!\*)/y;
const strong = /\*\*([^*\n`[\]]+)\*\*(?!\*)/y;
const strike = /~~([^~\n`[\]]+)~~(?!~)/y;
const tildes = /~+/y;

/**
 * Emphasis. Only `*` marks emphasis, so that snake_case is not changed. `**` and `~~` may stand
 * within words. `***` means strong, with emphasis in it. No emphasis continues on the next line.
 * Single and triple tildes are text.
 */
export function useEmphasis(markdown: MarkdownIt) {
  markdown.inline.ruler.at("emphasis", (state, silent) => {
    if (silent || state.src[state.pos] !== "*") return false;
    return pushBoth(state) || pushPair(state, strong, ["strong"]) || pushDelimiters(state);
  });
  markdown.inline.ruler.before("strikethrough", "tildes", (state, silent) => {
    if (silent || state.src[state.pos] !== "~") return false;
    tildes.lastIndex = state.pos;
    const run = tildes.exec(state.src)?.[0] ?? "";
    if (run.length === 2) return pushPair(state, strike, ["s"]);
    state.pending += run;
    state.pos += run.length;
    return true;
  });
}

type PushText = (text: string, state: StateInline) => void;

const pushMarkdown: PushText = (_, state) => state.md.inline.tokenize(state);

/** Text that is both strong and emphasized, between `***` and `***`. */
export const pushBoth = (state: StateInline, pushText = pushMarkdown): boolean =>
  pushPair(state, strongEmphasis, ["strong", "em"], pushText);

/** The simple case: text between two equal markers on one line. */
function pushPair(
  state: StateInline,
  pattern: RegExp,
  tags: string[],
  pushText = pushMarkdown,
): boolean {
  pattern.lastIndex = state.pos;
  const text = pattern.exec(state.src)?.[1];
  const end = pattern.lastIndex;
  if (text === undefined || end > state.posMax) return false;
  const textStart = state.pos + tags.length + 1;
  const { posMax } = state;
  for (const tag of tags) state.push(`${tag}_open`, tag, 1);
  state.pos = textStart;
  state.posMax = textStart + text.length;
  pushText(text, state);
  for (const tag of tags.toReversed()) state.push(`${tag}_close`, tag, -1);
  state.pos = end;
  state.posMax = posMax;
  return true;
}

/** Handles all other cases, in which markdown-it pairs the markers later. */
function pushDelimiters(state: StateInline): boolean {
  const { length, can_open, can_close } = state.scanDelims(state.pos, true);
  for (let i = 0; i < length; i++) {
    state.push("text", "", 0).content = "*";
    const token = state.tokens.length - 1;
    state.delimiters.push({
      marker: 0x2a,
      length,
      token,
      end: -1,
      open: can_open,
      close: can_close,
    });
  }
  state.pos += length;
  return true;
}

/** Pairs the markers of a line with each other at the end of the line. */
export function endEmphasis(state: StateInline) {
  if (state.delimiters.length === 0) return;
  state.tokens_meta[state.tokens.length - 1] = { delimiters: state.delimiters };
  state.delimiters = [];
}
