import type { MarkdownIt, Token } from "markdown-it";
import {
  costOf,
  formulaCost,
  type HeavyWork,
  noteWork,
  useWorkedOut,
  type WorkedOut,
} from "./heavy-work";
import { type Mentions, mentionsIn } from "./mentions";
import { environmentWith, type Names } from "./names";
import { renderPlain } from "./plain";

/**
 * The version of what `renderMarkdown` makes: whoever changes the HTML of texts that have been sent
 * raises it, so that these are rendered anew.
 */
export const rendererVersion = 5;

/**
 * Greatest length of the HTML of one text, in bytes of UTF-8: of a message, and of a description or
 * a text of a profile. Everybody is sent all descriptions at once.
 */
export const htmlBytesMax = { message: 65_536, description: 8_192 };

/**
 * So many characters are rendered at a time where there are many texts: of nothing but formulas
 * they take some 25 ms.
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
  /** People and groups that it mentions so that they are told. */
  mentions: Mentions;
}

const tabWidth = 4;
const imagePath = /\.(?:avif|bmp|gif|heic|jpe?g|png|webp)(?:[?#]|$)/i;

/**
 * Turns a message's Markdown into the HTML that everybody gets. Pure: the HTML depends on nothing
 * but the source and the names. Raw HTML is shown as text; links lead only to the schemes that
 * `links.ts` lists and carry no `target`. Of a text whose HTML would have more than `bytesMax`
 * bytes the costliest parts are shown plain (`fit.ts`).
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

/** A text that costs less (`costOf`) takes some milliseconds at the most. */
const heavyCost = 1_000;

/** Whether a text may cost so much. Most are told apart by their length alone. */
function mayBeHeavy(source: string): boolean {
  if (!/\$\$|```|~~~/.test(source)) return false;
  return (
    source.length >= heavyCost ||
    source.length + (source.split("$$").length - 1) * (formulaCost / 2) >= heavyCost
  );
}

/**
 * The formulas and the code of a text that take long, to be worked out on another thread; none of
 * most texts. The text is then rendered with what came of them, by `renderWorkedOut`.
 */
export function listHeavyWork(source: string, names?: Names): HeavyWork[] {
  if (!mayBeHeavy(source)) return [];
  const env = environmentWith(names);
  const works = noteWork(env);
  renderIn(env, source, htmlBytesMax.message);
  const list = [...works.values()];
  return list.reduce((sum, work) => sum + costOf(work), 0) < heavyCost ? [] : list;
}

/** Renders a text as `renderMarkdown` does, with work that was done before. */
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

/**
 * The HTML of a description or a text of a profile, which names nobody; empty for an empty text.
 */
export const renderDescription = (source: string): string =>
  source === "" ? "" : renderMarkdown(source, undefined, htmlBytesMax.description).html;

type Loaded = { parser: MarkdownIt } & Pick<typeof import("./parser"), "fitHtml">;
let loaded: Loaded | undefined;

/**
 * The parser is loaded when the first text comes that needs it: with it, the server would start a
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
