import type { MarkdownIt, Token } from "markdown-it";
import { formulaCost, formulaFactor, leaveOutWork } from "./heavy-work";
import { type Mentions, mentionsIn } from "./mentions";
import { environmentWith, type Names } from "./names";
import { renderPlain } from "./plain";

/**
 * Version of `renderMarkdown`'s output. It must grow with every change of the HTML, so that sent
 * texts are rendered again.
 */
export const rendererVersion = 7;

/**
 * Size limits of the HTML of one text, in bytes of UTF-8: of a message, and of a description or a
 * profile text. The latter is lower, because everybody gets all descriptions at once.
 */
export const htmlBytesMax = { message: 65_536, description: 8_192 };

/**
 * Number of characters that are rendered in one turn of the event loop where there are many texts.
 * In formulas they take some 12 ms.
 */
export const charactersPerTurn = 1_000;

/** Result of rendering a message's source. `html` has no newline at its end. */
export interface RenderedMarkdown {
  html: string;
  /** Whether the message is in the third person: `/me waves`. */
  isMeMessage: boolean;
  hasLink: boolean;
  /** Whether a link leads to a file that clients show as an image. */
  hasImage: boolean;
  /** People and groups that it mentions with a notification. */
  mentions: Mentions;
}

const tabWidth = 4;
const imagePath = /\.(?:avif|bmp|gif|heic|jpe?g|png|webp)(?:[?#]|$)/i;

/**
 * Turns a message's Markdown into HTML for everybody. Pure: the HTML depends only on the source and
 * the names. Raw HTML is shown as text; links have only the schemes in `links.ts` and no `target`.
 * If the HTML would exceed `bytesMax` bytes, its most expensive parts are shown plain (`fit.ts`).
 */
export function renderMarkdown(
  source: string,
  names?: Names,
  bytesMax = htmlBytesMax.message,
): RenderedMarkdown {
  const isSpecial = names?.linkifiers?.length || names?.translatesEmoticons;
  const plain = isSpecial ? undefined : renderPlain(source);
  if (plain !== undefined) return { html: plain, ...nothingSpecial() };
  return renderIn(environmentWith(names), source, bytesMax);
}

/** Cost of formulas and code in a text that takes some milliseconds, in characters of code. */
const heavyCost = 1_000;
/** Length of a text that takes some milliseconds if it consists of lists or emoji. */
const heavyLength = 2_000;

/**
 * Whether a text may take so long that it should not be rendered on the event loop. Most texts are
 * short and have neither formulas nor fences. A formula that occurs several times in a text is
 * rendered once.
 */
export function isHeavy(source: string): boolean {
  if (source.length > heavyLength) return true;
  const mathCost = (formula: string) => formulaFactor * (formula.length + formulaCost);
  if (/(?:```|~~~)[^\n]*math/i.test(source)) return mathCost(source) >= heavyCost;
  const fencedCost = /```|~~~/.test(source) ? source.length : 0;
  const formulas = source.includes("$$") ? new Set(source.split("$$")) : [];
  return [...formulas].reduce((cost, formula) => cost + mathCost(formula), fencedCost) >= heavyCost;
}

/** Renders a text as `renderMarkdown` does, but shows the source of its formulas and code. */
export function renderWithoutWork(source: string, names?: Names): RenderedMarkdown {
  const env = environmentWith(names);
  leaveOutWork(env);
  return renderIn(env, source, htmlBytesMax.message);
}

function renderIn(
  env: Record<string, unknown>,
  source: string,
  bytesMax: number,
): RenderedMarkdown {
  const { parser, fitHtml } = loadParser();
  const text = { source: expandTabs(source), env };
  const { html, tokens } = fitHtml(
    parser,
    { ...text, tokens: parser.parse(text.source, env) },
    bytesMax,
  );
  const addresses = addressesIn(tokens);
  return {
    html,
    isMeMessage: isMeMessage(source, html),
    hasLink: addresses.length > 0,
    hasImage: addresses.some((address) => imagePath.test(address)),
    mentions: mentionsIn(tokens),
  };
}

/** The tokens of a text, parsed without the meanings of names. */
export const parseMarkdown = (source: string): Token[] =>
  loadParser().parser.parse(expandTabs(source), environmentWith(undefined));

/**
 * The HTML of a description or a profile text, without the meanings of names; empty for an empty
 * text.
 */
export const renderDescription = (source: string): string =>
  source === "" ? "" : renderMarkdown(source, undefined, htmlBytesMax.description).html;

type Loaded = { parser: MarkdownIt } & Pick<typeof import("./parser"), "fitHtml">;
let loaded: Loaded | undefined;

/**
 * Loads the parser with the first text that needs it, because loading it would make a start a fifth
 * slower.
 */
function loadParser(): Loaded {
  if (loaded) return loaded;
  const { createParser, fitHtml }: typeof import("./parser") = require("./parser");
  loaded = { parser: createParser(), fitHtml };
  return loaded;
}

const nothingSpecial = () => ({
  isMeMessage: false,
  hasLink: false,
  hasImage: false,
  mentions: { people: [], groups: [], channelWildcard: false, topicWildcard: false },
});

/** Addresses of the links, pictures and sounds of a text. */
function addressesIn(tokens: readonly Token[]): string[] {
  const addresses: string[] = [];
  for (const { children } of tokens)
    for (const token of children ?? []) {
      if (token.type === "link_open") addresses.push(String(token.attrGet("href")));
      if (token.type === "media") addresses.push(token.markup);
    }
  return addresses;
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
