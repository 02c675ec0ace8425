import Markdown, { type MarkdownIt } from "markdown-it";
import { codeBlock, languageIn, plainCodeBlock } from "./code";
import { escapeCode, escapeText } from "./escape";
import { mathBlock } from "./math";

/** Cells that one table may have, counting every line to the end of its block: rows are filled up to the header's width. */
const tableCellsMax = 5000;

/** Lines, lists, tables and code as the protocol's clients know them, where that differs from CommonMark. */
export function useBlocks(markdown: MarkdownIt) {
  useLineBreaks(markdown);
  useCodeSpans(markdown);
  useLists(markdown);
  useTables(markdown);
  usePipesInCode(markdown);
  useHtmlOfTheProtocol(markdown);
}

/** Every newline within a paragraph is a line break, and the spaces around it stay as they were typed. */
function useLineBreaks(markdown: MarkdownIt) {
  markdown.inline.ruler.at("newline", (state, silent) => {
    if (state.src[state.pos] !== "\n") return false;
    if (!silent) state.push("hardbreak", "br", 0);
    state.pos += 1;
    return true;
  });
}

/** Code spans keep the spaces at their ends. */
function useCodeSpans(markdown: MarkdownIt) {
  const codeSpan = builtInRule((lender) => lender.inline.ruler, "backticks");
  markdown.inline.ruler.at("backticks", (state, silent) => {
    const start = state.pos;
    if (!codeSpan(state, silent)) return false;
    const token = state.tokens.at(-1);
    if (silent || token?.type !== "code_inline" || state.pending !== "") return true;
    const width = token.markup.length;
    token.content = state.src.slice(start + width, state.pos - width).replaceAll("\n", " ");
    return true;
  });
}

/** `1.` numbers a list, `1)` is text. */
function useLists(markdown: MarkdownIt) {
  const list = builtInRule((lender) => lender.block.ruler, "list");
  const startsWithParenthesis = /^\d{1,9}\)/;
  markdown.block.ruler.at(
    "list",
    (state, startLine, endLine, silent) => {
      const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
      if (startsWithParenthesis.test(state.src.slice(start, start + 10))) return false;
      return list(state, startLine, endLine, silent);
    },
    { alt: ["paragraph", "reference", "blockquote"] },
  );
}

/** A code span on one line, and what stands for the pipes in it while the text is taken apart into blocks. */
const codeSpan = /(?<!`)(`+)(?!`)[^\n]*?[^`]\1(?!`)/g;
const hiddenPipe = "\ue000";

/** A pipe in a code span ends no cell: `a|b` is one in a table too. */
function usePipesInCode(markdown: MarkdownIt) {
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

/** A table too large for its source stays text: 10 KB could ask for a megabyte of empty cells. */
function useTables(markdown: MarkdownIt) {
  const table = builtInRule((lender) => lender.block.ruler, "table");
  markdown.block.ruler.at(
    "table",
    (state, startLine, endLine, silent) => {
      const header = state.src.slice(state.bMarks[startLine], state.eMarks[startLine]);
      const columns = header.split("|").length;
      if (columns * (endLine - startLine) > tableCellsMax) return false;
      return table(state, startLine, endLine, silent);
    },
    { alt: ["paragraph", "reference"] },
  );
}

/** The HTML that clients of the protocol style. */
function useHtmlOfTheProtocol(markdown: MarkdownIt) {
  const { rules } = markdown.renderer;
  rules.text = (tokens, index) => escapeText(tokens[index]?.content ?? "");
  rules.code_inline = (tokens, index) => `<code>${escapeCode(tokens[index]?.content ?? "")}</code>`;
  rules.s_open = () => "<del>";
  rules.s_close = () => "</del>";
  rules.fence = (tokens, index, _options, env = {}) => {
    const { info = "", content = "" } = tokens[index] ?? {};
    const language = languageIn(info);
    return language === "math" ? mathBlock(content, env) : codeBlock(content, language, env);
  };
  rules.code_block = (tokens, index) => plainCodeBlock(tokens[index]?.content ?? "", tokens[index]?.info ?? "");
  rules.bullet_list_open = rules.ordered_list_open = (tokens, index, options, _env, renderer) =>
    renderer.renderToken(tokens, index, options).trimStart();
  rules.th_open = rules.td_open = (tokens, index, options, _env, renderer) => {
    const alignment = tokens[index]?.attrGet("style");
    if (alignment) tokens[index]?.attrSet("style", alignmentStyle(String(alignment)));
    return renderer.renderToken(tokens, index, options);
  };
}

/** `text-align: right;`, whether the parser wrote it or this did before. */
const alignmentStyle = (style: string) => style.replace(/:\s?([a-z]+);?$/, ": $1;");

/** A rule of markdown-it by its name, to be wrapped: the library offers lists of enabled rules only. */
function builtInRule<Rule>(
  ruler: (lender: MarkdownIt) => { enableOnly(name: string): void; getRules(chain: string): Rule[] },
  name: string,
): Rule {
  const rules = ruler(new Markdown());
  rules.enableOnly(name);
  const [rule] = rules.getRules("");
  if (rule === undefined) throw new Error(`markdown-it has no rule ${name}`);
  return rule;
}
