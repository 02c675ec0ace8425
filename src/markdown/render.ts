import type { MarkdownIt, Token } from "markdown-it";
import {
  costOf,
  formulaCost,
  formulaFactor,
  type HeavyWork,
  noteWork,
  useWorkedOut,
  type WorkedOut,
} from "./heavy-work";
import { type Mentions, mentionsIn } from "./mentions";
import { environmentWith, type Names } from "./names";
import { renderPlain } from "./plain";

/**
 * The version of `renderMarkdown`'s output. Raise it with every change of the HTML, so that sent
 * texts are rendered again.
 */
export const rendererVersion = 5;

/**
 * Size limit of the HTML of one text, in bytes of UTF-8: of a message, and of a description or a
 * profile text. Everybody gets all descriptions at once.
 */
export const htmlBytesMax = { message: 65_536, description: 8_192 };

/**
 * Number of characters that are rendered in one turn where there are many texts: as formulas they
 * take some 25 ms.
 */
export const charactersPerTurn = 2_000;

/** Rendering of a message's source. `html` has no newline at its end. */
export interface RenderedMarkdown {
  html: string;
  /** The message is written in the third person: `/me waves`. */
  isMeMessage: boolean;
  hasLink: boolean;
  /** A link leads to a file that clients show as an image. */
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

/** A text that costs less (`costOf`) takes some milliseconds at most. */
const heavyCost = 1_000;

/**
 * Whether a text may cost more. Most texts have neither formulas nor fences; a formula that a text
 * repeats is worked out once.
 */
function mayBeHeavy(source: string): boolean {
  const mathCost = (formula: string) => formulaFactor * (formula.length + formulaCost);
  if (/```|~~~/.test(source)) return mathCost(source) >= heavyCost;
  if (!source.includes("$$")) return false;
  const formulas = new Set(source.split("$$"));
  return [...formulas].reduce((cost, formula) => cost + mathCost(formula), 0) >= heavyCost;
}

/**
 * The formulas and the code of a text that take long, to be done on another thread; none for most
 * texts. The text is then rendered with the results, by `renderWorkedOut`.
 */
export function listHeavyWork(source: string, names?: Names): HeavyWork[] {
  if (!mayBeHeavy(source)) return [];
  const env = environmentWith(names);
  const works = noteWork(env);
  const { parser } = loadParser();
  parser.renderer.render(parser.parse(expandTabs(source), env), parser.options, env);
  const list = [...works.values()];
  return list.reduce((sum, work) => sum + costOf(work), 0) < heavyCost ? [] : list;
}

/** Renders a text as `renderMarkdown` does, with finished results. */
export function renderWorkedOut(
  source: string,
  names: Names | undefined,
  results: WorkedOut,
): RenderedMarkdown {
  const env = environmentWith(names);
  useWorkedOut(env, results);
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

/** The HTML of a description or a profile text, without names; empty for an empty text. */
export const renderDescription = (source: string): string =>
  source === "" ? "" : renderMarkdown(source, undefined, htmlBytesMax.description).html;

type Loaded = { parser: MarkdownIt } & Pick<typeof import("./parser"), "fitHtml">;
let loaded: Loaded | undefined;

/**
 * The parser is loaded with the first text that needs it, because loading it would make a start a
 * fifth slower.
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
