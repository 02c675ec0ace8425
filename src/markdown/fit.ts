import type { MarkdownIt, RendererRule, Token } from "markdown-it";
import { plainCodeBlock } from "./code";
import { escapeText } from "./escape";
import { labelledLink } from "./links";
import { linkAt } from "./text-tokens";

/*
 * The HTML of one text has a limit in bytes, because it is sent to every reader. If it is larger,
 * parts of the text are shown plain until the rest fits, first the parts that save most.
 */

/**
 * A parsed text. `fitHtml` changes its tokens: a part that is shown plain is no mention or link any
 * more.
 */
interface ParsedText {
  /** Source for the parser. */
  source: string;
  tokens: Token[];
  env: Record<string, unknown>;
}

const bytesOf = (text: string) => Buffer.byteLength(text);

/** A UTF-16 unit has at most three bytes in UTF-8. */
const fits = (html: string, bytesMax: number) =>
  html.length * 3 <= bytesMax || bytesOf(html) <= bytesMax;

/**
 * HTML of a text in at most `bytesMax` bytes, with the tokens that it shows. If the HTML is too
 * large, formulas, highlighted code, emoji, mentions, links and pictures are shown plain first. If
 * that does not suffice, whole blocks are, for example nested quotations.
 */
export function fitHtml(
  parser: MarkdownIt,
  text: ParsedText,
  bytesMax: number,
): { html: string; tokens: Token[] } {
  const { tokens, env } = text;
  const render = (some: Token[]) => parser.renderer.render(some, parser.options, env);
  const whole = render(tokens);
  if (fits(whole, bytesMax)) return { html: whole.trimEnd(), tokens };
  const bytesToSave = bytesOf(whole) - bytesMax;
  const parts = partsIn(parser, tokens, env);
  const bytesSaved = parts.reduce((sum, part) => sum + Math.max(0, part.bytesSaved), 0);
  const goes =
    bytesSaved >= bytesToSave
      ? parts
      : blocksIn(text.source, tokens).map((one) => asPart(one, render));
  showPlain(goes, bytesToSave);
  const html = render(tokens);
  if (fits(html, bytesMax)) return { html: html.trimEnd(), tokens };
  return { html: plainText(text.source, bytesMax), tokens: [] };
}

/** A part of a text, with its plain form. */
interface Part {
  bytesSaved: number;
  showPlain(): void;
}

/**
 * Makes the parts that save most plain until this number of bytes is saved. Of equal parts, the
 * later ones come first.
 */
function showPlain(parts: readonly Part[], bytesToSave: number) {
  let left = bytesToSave;
  const saving = parts.filter(({ bytesSaved }) => bytesSaved > 0);
  for (const part of saving.toReversed().toSorted((a, b) => b.bytesSaved - a.bytesSaved)) {
    if (left <= 0) return;
    part.showPlain();
    left -= part.bytesSaved;
  }
}

/** Parts of paragraphs and blocks that have a plain form, in order. */
function partsIn(parser: MarkdownIt, tokens: readonly Token[], env: ParsedText["env"]): Part[] {
  const htmlOf = (token: Token) =>
    parser.renderer.rules[token.type]?.([token], 0, parser.options, env, parser.renderer) ?? "";
  const htmlOfLine = (line: Token[]) => parser.renderer.renderInline(line, parser.options, env);
  const partOf = (token: Token, plain: Plain | undefined) =>
    plain ? [becoming(token, plain, bytesOf(htmlOf(token)) - bytesOf(plain.html))] : [];
  return tokens.flatMap((token) => {
    if (token.type !== "inline") return partOf(token, plainBlock(token));
    const all = token.children ?? [];
    return all.flatMap((one, index) =>
      one.type === "link_open" ? linkPart(all, index, htmlOfLine) : partOf(one, plainInline(one)),
    );
  });
}

/** The plain form of a token, and its HTML. */
interface Plain {
  type: "text" | "code_block" | typeof nothing;
  content: string;
  html: string;
}

/** The type of tokens without output. */
const nothing = "nothing";

const becoming = (token: Token, { type, content }: Plain, bytesSaved: number): Part => ({
  bytesSaved,
  showPlain: () => Object.assign(token, { type, content, tag: "", attrs: null, markup: "" }),
});

const typed = (content: string): Plain => ({ type: "text", content, html: escapeText(content) });

/** The plain form of a token that has a source; undefined for a token that is plain already. */
function plainInline({ type, content, info }: Token): Plain | undefined {
  if (type === "math") return typed(`$$${content}$$`);
  return typesWithSource.has(type) ? typed(info) : undefined;
}

/** Types of tokens whose `info` is their source. */
const typesWithSource = new Set([
  "emoji",
  "custom_emoji",
  "mention",
  "channel_link",
  "media",
  "timestamp",
]);

/**
 * The plain form of a block: code without highlighting, and a formula as code. A preview is
 * removed, because the link to its file stays.
 */
function plainBlock({ type, content, info }: Token): Plain | undefined {
  if (type === "fence") return { type: "code_block", content, html: plainCodeBlock(content, info) };
  return type === "preview" ? { type: nothing, content: "", html: "" } : undefined;
}

/**
 * A link with its source as its plain form. Bare addresses and matches of linkifiers are links too.
 */
function linkPart(
  tokens: readonly Token[],
  index: number,
  htmlOf: (tokens: Token[]) => string,
): Part[] {
  const link = linkAt(tokens, index);
  const [open, text, ...others] = link;
  if (!open || !text || others.length === 0) return [];
  const source = open.markup === labelledLink ? open.info : text.content;
  return [
    {
      bytesSaved: bytesOf(htmlOf(link)) - bytesOf(escapeText(source)),
      showPlain() {
        Object.assign(text, { type: "text", content: source, tag: "", markup: "" });
        for (const token of [open, ...others]) Object.assign(token, { type: nothing, attrs: null });
      },
    },
  ];
}

/** A block at the top level, with its lines of source. */
interface Block {
  tokens: Token[];
  lines: string;
}

function blocksIn(source: string, tokens: readonly Token[]): Block[] {
  const lines = source.split(/\r\n?|\n/);
  const all = topBlocks(tokens);
  return all.map((block, index) => {
    const start = block[0]?.map?.[0];
    if (start === undefined) return { tokens: block, lines: "" };
    const end = all.slice(index + 1).find((next) => next[0]?.map)?.[0]?.map?.[0] ?? lines.length;
    return { tokens: block, lines: lines.slice(start, end).join("\n").trimEnd() };
  });
}

function topBlocks(tokens: readonly Token[]): Token[][] {
  const blocks: Token[][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) blocks.push([]);
    blocks.at(-1)?.push(token);
    depth += token.nesting;
  }
  return blocks;
}

function asPart({ tokens, lines }: Block, render: (tokens: Token[]) => string): Part {
  const content = lines === "" ? "" : `${paragraph(lines)}\n`;
  return {
    bytesSaved: bytesOf(render(tokens)) - bytesOf(content),
    showPlain() {
      for (const [index, token] of tokens.entries())
        Object.assign(token, index === 0 ? { type: "html_block", content } : { type: nothing }, {
          children: null,
        });
    },
  };
}

const paragraph = (text: string) => `<p>${escapeText(text).replaceAll("\n", "<br>\n")}</p>`;

/**
 * The escaped source in at most `bytesMax` bytes. The longest allowed message fits, whatever
 * characters it has.
 */
function plainText(source: string, bytesMax: number): string {
  let html = paragraph(source);
  let length = source.length;
  while (bytesOf(html) > bytesMax) {
    length = Math.floor((length * bytesMax) / bytesOf(html)) - 1;
    html = paragraph(`${source.slice(0, length).toWellFormed()}…`);
  }
  return html;
}

/**
 * Prepares a parser for `fitHtml`. Rendered formulas and code are cached, because a text that does
 * not fit is rendered several times.
 */
export function useFitting(markdown: MarkdownIt) {
  const { rules } = markdown.renderer;
  for (const type of ["math", "fence"]) {
    const rule = rules[type];
    if (rule) rules[type] = caching(rule);
  }
  rules[nothing] = () => "";
}

function caching(rule: RendererRule): RendererRule {
  const htmlByToken = new WeakMap<Token, string>();
  return (tokens, index, ...rest) => {
    const token = tokens[index];
    const cached = token && htmlByToken.get(token);
    if (cached !== undefined) return cached;
    const html = rule(tokens, index, ...rest);
    if (token) htmlByToken.set(token, html);
    return html;
  };
}
