import type { MarkdownIt, StateBlock } from "markdown-it";
import { builtInRule } from "./built-in-rule";
import { codeBlock, languageIn, plainCodeBlock } from "./code";
import { useCodeSpans, usePipesInCode } from "./code-spans";
import { endEmphasis } from "./emphasis";
import { escapeCode, escapeText } from "./escape";
import { useLists } from "./lists";
import { mathBlock } from "./math";

/**
 * Limit for the cells of one table. Every line to the end of its block counts, because rows are
 * filled up to the width of the header.
 */
const tableCellsMax = 5000;

/**
 * Lines, lists, tables and code in the form that clients of the protocol expect, where it differs
 * from CommonMark.
 */
export function useBlocks(markdown: MarkdownIt) {
  useLineBreaks(markdown);
  useCodeSpans(markdown);
  useLists(markdown);
  useSignsAlone(markdown);
  useFences(markdown);
  useTables(markdown);
  usePipesInCode(markdown);
  useHtmlOfTheProtocol(markdown);
}

/** Makes every newline within a paragraph a line break. Spaces around it are kept. */
function useLineBreaks(markdown: MarkdownIt) {
  markdown.inline.ruler.at("newline", (state, silent) => {
    if (state.src[state.pos] !== "\n") return false;
    if (!silent) {
      state.push("hardbreak", "br", 0);
      endEmphasis(state);
    }
    state.pos += 1;
    return true;
  });
}

/** Makes lines that contain only hash signs, or only quotation marks (`>`), text. */
function useSignsAlone(markdown: MarkdownIt) {
  const heading = builtInRule((lender) => lender.block.ruler, "heading");
  const blockquote = builtInRule((lender) => lender.block.ruler, "blockquote");
  markdown.block.ruler.at(
    "heading",
    (state, startLine, endLine, silent) =>
      !/^[# ]*$/.test(lineAt(state, startLine)) && heading(state, startLine, endLine, silent),
    { alt: ["paragraph", "reference", "blockquote"] },
  );
  markdown.block.ruler.at(
    "blockquote",
    (state, startLine, endLine, silent) =>
      !isEmptyQuotation(state, startLine, endLine) && blockquote(state, startLine, endLine, silent),
    { alt: ["paragraph", "reference", "blockquote", "list"] },
  );
}

const lineAt = ({ src, bMarks, tShift, eMarks }: StateBlock, line: number) =>
  src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);

/** Number of empty lines that a quotation may begin with. */
const emptyLinesMax = 20;

function isEmptyQuotation(state: StateBlock, startLine: number, endLine: number): boolean {
  for (let line = startLine; line < Math.min(endLine, startLine + emptyLinesMax); line++) {
    const text = lineAt(state, line);
    if (!text.startsWith(">")) break;
    if (text.slice(1).trim() !== "") return false;
  }
  return true;
}

/**
 * Removes blank lines at both ends of fenced code. A line with further tildes after a fence of
 * tildes is text and begins no code.
 */
function useFences(markdown: MarkdownIt) {
  const fence = builtInRule((lender) => lender.block.ruler, "fence");
  markdown.block.ruler.at(
    "fence",
    (state, startLine, endLine, silent) => {
      if (/^~+[^~]+~/.test(lineAt(state, startLine)) || !fence(state, startLine, endLine, silent))
        return false;
      const token = state.tokens.at(-1);
      if (!silent && token?.type === "fence") token.content = withoutBlankEnds(token.content);
      return true;
    },
    { alt: ["paragraph", "reference", "blockquote", "list"] },
  );
}

function withoutBlankEnds(code: string): string {
  const lines = code.split("\n");
  const hasText = (line: string) => line.trim() !== "";
  const start = lines.findIndex(hasText);
  return start < 0 ? "" : `${lines.slice(start, lines.findLastIndex(hasText) + 1).join("\n")}\n`;
}

/**
 * Shows a table with too many cells as text, because 10 KB of source could become a megabyte of
 * empty cells.
 */
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

/** Writes HTML in the form for which clients of the protocol have styles. */
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
  rules.code_block = (tokens, index) =>
    plainCodeBlock(tokens[index]?.content ?? "", tokens[index]?.info ?? "");
  rules.bullet_list_open = rules.ordered_list_open = (tokens, index, options, _env, renderer) =>
    renderer.renderToken(tokens, index, options).trimStart();
  rules.th_open = rules.td_open = (tokens, index, options, _env, renderer) => {
    const alignment = tokens[index]?.attrGet("style");
    if (alignment) tokens[index]?.attrSet("style", alignmentStyle(String(alignment)));
    return renderer.renderToken(tokens, index, options);
  };
}

/** The style of an alignment in the form `text-align: right;`. */
const alignmentStyle = (style: string) => style.replace(/:\s?([a-z]+);?$/, ": $1;");
