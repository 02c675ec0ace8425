import type { MarkdownIt } from "markdown-it";
import { builtInRule } from "./built-in-rule";

/**
 * Parses code spans, which keep the spaces at their ends. An escaped backtick begins no code span.
 */
export function useCodeSpans(markdown: MarkdownIt) {
  const codeSpan = builtInRule((lender) => lender.inline.ruler, "backticks");
  markdown.inline.ruler.at("backticks", (state, silent) => {
    const start = state.pos;
    if (state.src[start] === "`" && isEscaped(state.src, start)) {
      if (!silent) state.pending += "`";
      state.pos += 1;
      return true;
    }
    if (!codeSpan(state, silent)) return false;
    const token = state.tokens.at(-1);
    if (silent || token?.type !== "code_inline" || state.pending !== "") return true;
    const width = token.markup.length;
    token.content = state.src.slice(start + width, state.pos - width).replaceAll("\n", " ");
    return true;
  });
}

/** Whether a character is escaped, by an odd number of backslashes before it. */
function isEscaped(source: string, position: number): boolean {
  let start = position;
  while (source[start - 1] === "\\") start -= 1;
  return (position - start) % 2 === 1;
}

/** A code span on one line. Its pipes are replaced while the text is parsed into blocks. */
const codeSpan = /(?<!`|(?<!\\)(?:\\\\)*\\)(`+)(?!`)[^\n]*?[^`]\1(?!`)/g;
const hiddenPipe = "\ue000";

/** Keeps pipes in code spans from ending a cell, so that `a|b` stays whole in a table too. */
export function usePipesInCode(markdown: MarkdownIt) {
  const sources = new WeakMap<object, string>();
  markdown.core.ruler.before("block", "hide_pipes", (state) => {
    const { src, env } = state;
    if (!src.includes("|") || !src.includes("`") || src.includes(hiddenPipe)) return;
    sources.set(env, src);
    state.src = src.replace(codeSpan, (span) => span.replaceAll("|", hiddenPipe));
  });
  markdown.core.ruler.after("block", "show_pipes", (state) => {
    const source = sources.get(state.env);
    if (source === undefined) return;
    state.src = source;
    for (const token of state.tokens) {
      token.content = token.content.replaceAll(hiddenPipe, "|");
      token.info = token.info.replaceAll(hiddenPipe, "|");
    }
  });
}
