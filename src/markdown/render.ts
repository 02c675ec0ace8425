import Markdown, { type MarkdownIt } from "markdown-it";
import { useChannelLinks } from "./channel-links";
import { useEmoji } from "./emoji";
import { useEmphasis } from "./emphasis";
import { useLinks } from "./links";
import { environmentWith, type Names, useMentions } from "./mentions";
import { useQuoteFences } from "./quotes";

/** What a message's source becomes. `html` has no newline at its end. */
export interface RenderedMarkdown {
  html: string;
  /** The message is written in the third person: `/me waves`. */
  isMeMessage: boolean;
  hasLink: boolean;
  /** A link leads to a file that clients show as an image. */
  hasImage: boolean;
}

/** Blocks and inlines deeper than this are not taken apart: it bounds the cost, and the depth of a client's DOM. */
const nestingMax = 40;
/** Cells that one table may have, counting every line to the end of its block: rows are filled up to the header's width. */
const tableCellsMax = 5000;
const tabWidth = 4;
const imagePath = /\.(?:avif|bmp|gif|heic|jpe?g|png|webp)(?:[?#]|$)/i;

/**
 * Turns a message's Markdown into the HTML that everybody gets. Pure: the same source and names give the same HTML. Raw
 * HTML is shown as text; links lead only to the schemes that `links.ts` lists and carry no `target`. Spoilers and
 * formulas are text here.
 */
export function renderMarkdown(source: string, names?: Names): RenderedMarkdown {
  const env = environmentWith(names);
  const tokens = parser.parse(expandTabs(source), env);
  const html = parser.renderer.render(tokens, parser.options, env).trimEnd();
  const addresses = tokens
    .flatMap((token) => token.children ?? [])
    .filter((token) => token.type === "link_open")
    .map((token) => String(token.attrGet("href")));
  return {
    html,
    isMeMessage: isMeMessage(source, html),
    hasLink: addresses.length > 0,
    hasImage: addresses.some((address) => imagePath.test(address)),
  };
}

const isMeMessage = (source: string, html: string) =>
  source.startsWith("/me ") && html.startsWith("<p>") && html.endsWith("</p>");

function expandTabs(source: string): string {
  if (!source.includes("\t")) return source;
  return source.split("\n").map(expandTabsOfLine).join("\n");
}

function expandTabsOfLine(line: string): string {
  const [first = "", ...rest] = line.split("\t");
  let column = first.length;
  let expanded = first;
  for (const part of rest) {
    const width = tabWidth - (column % tabWidth);
    expanded += " ".repeat(width) + part;
    column += width + part.length;
  }
  return expanded;
}

/** In text a quote is a quote, and what the author wrote as an entity stays that entity: neither can open a tag. */
const escapeText = (text: string) =>
  text
    .replace(/&(?!(?:#\d+|#x[0-9a-f]+|[0-9a-z]+);)/gi, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

const escapeCode = (code: string) => code.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function createParser(): MarkdownIt {
  const markdown = new Markdown({
    html: false,
    linkify: true,
    breaks: true,
    typographer: false,
    maxNesting: nestingMax,
  });
  markdown.disable(["lheading", "reference", "autolink", "escape", "entity", "html_block", "html_inline"]);
  useLinks(markdown);
  useEmphasis(markdown);
  useEmoji(markdown);
  useMentions(markdown);
  useChannelLinks(markdown);
  useQuoteFences(markdown);
  useLineBreaks(markdown);
  useCodeSpans(markdown);
  useLists(markdown);
  useTables(markdown);
  useHtmlOfTheProtocol(markdown);
  return markdown;
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

/** The HTML that clients of the protocol style, where it differs from CommonMark's. */
function useHtmlOfTheProtocol(markdown: MarkdownIt) {
  const { rules } = markdown.renderer;
  rules.text = (tokens, index) => escapeText(tokens[index]?.content ?? "");
  rules.code_inline = (tokens, index) => `<code>${escapeCode(tokens[index]?.content ?? "")}</code>`;
  rules.s_open = () => "<del>";
  rules.s_close = () => "</del>";
  rules.fence = (tokens, index) => {
    const language = (tokens[index]?.info ?? "").trim().split(/\s/)[0] ?? "";
    return codeBlock(tokens[index]?.content ?? "", language);
  };
  rules.code_block = (tokens, index) => codeBlock(tokens[index]?.content ?? "", "");
  rules.bullet_list_open = rules.ordered_list_open = (tokens, index, options, _env, renderer) =>
    renderer.renderToken(tokens, index, options).trimStart();
  rules.th_open = rules.td_open = (tokens, index, options, _env, renderer) => {
    const alignment = tokens[index]?.attrGet("style");
    if (alignment) tokens[index]?.attrSet("style", `${String(alignment).replace(":", ": ")};`);
    return renderer.renderToken(tokens, index, options);
  };
}

function codeBlock(code: string, language: string): string {
  const attribute = language === "" ? "" : ` data-code-language="${parser.utils.escapeHtml(language)}"`;
  const lines = code.endsWith("\n") ? code : `${code}\n`;
  return `<div class="codehilite"${attribute}><pre><span></span><code>${escapeCode(lines)}</code></pre></div>\n`;
}

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

const parser = createParser();
