import Markdown, { type MarkdownIt, type StateInline } from "markdown-it";
import { useCodeSpans } from "./code-spans";
import { pushBoth } from "./emphasis";

let loadedParser: MarkdownIt | undefined;

/** A parser with only two rules: code spans, and text between `***` and `***`. */
function loadParser(): MarkdownIt {
  if (loadedParser) return loadedParser;
  const parser: MarkdownIt = new Markdown();
  parser.inline.ruler.enableOnly(["text", "backticks", "emphasis"]);
  useCodeSpans(parser);
  parser.inline.ruler.at("emphasis", (state, silent) => {
    if (silent || state.src[state.pos] !== "*") return false;
    return pushBoth(state, (text) => {
      state.push("text", "", 0).content = text;
    });
  });
  loadedParser = parser;
  return parser;
}

/**
 * Adds the tokens of a link's label, from `start` to `end` of the source. As in Zulip, the label
 * may contain code, and text that is both strong and emphasized. Everything else in it is text.
 */
export function pushLabel(state: StateInline, start: number, end: number) {
  const { pos, posMax } = state;
  state.pos = start;
  state.posMax = end;
  loadParser().inline.tokenize(state);
  state.pos = pos;
  state.posMax = posMax;
}
