import type { MarkdownIt, Token } from "markdown-it";
import { type Mentions, mentionsIn } from "./mentions";
import { environmentWith, type Names } from "./names";
import { renderPlain } from "./plain";

/**
 * The version of what `renderMarkdown` makes: whoever changes the HTML of texts that have been sent raises it, so that these
 * are rendered anew.
 */
export const rendererVersion = 2;

/** What a message's source becomes. `html` has no newline at its end. */
export interface RenderedMarkdown {
  html: string;
  /** The message is written in the third person: `/me waves`. */
  isMeMessage: boolean;
  hasLink: boolean;
  /** A link leads to a file that clients show as an image. */
  hasImage: boolean;
  /** Whom it mentions so that they are told. */
  mentions: Mentions;
}

const tabWidth = 4;
const imagePath = /\.(?:avif|bmp|gif|heic|jpe?g|png|webp)(?:[?#]|$)/i;

/**
 * Turns a message's Markdown into the HTML that everybody gets. Pure: the same source and names give the same HTML. Raw
 * HTML is shown as text; links lead only to the schemes that `links.ts` lists and carry no `target`.
 */
export function renderMarkdown(source: string, names?: Names): RenderedMarkdown {
  const plain = names?.linkifiers?.length ? undefined : renderPlain(source);
  if (plain !== undefined) return { html: plain, ...nothingSpecial() };
  const env = environmentWith(names);
  const parser = loadParser();
  const tokens = parser.parse(expandTabs(source), env);
  const html = parser.renderer.render(tokens, parser.options, env).trimEnd();
  const addresses = addressesIn(tokens);
  return {
    html,
    isMeMessage: isMeMessage(source, html),
    hasLink: addresses.length > 0,
    hasImage: addresses.some((address) => imagePath.test(address)),
    mentions: mentionsIn(tokens),
  };
}

let known: MarkdownIt | undefined;

/** The parser is loaded when the first text comes that needs it: with it, the server would start a fifth slower. */
function loadParser(): MarkdownIt {
  if (known) return known;
  const { createParser }: typeof import("./parser") = require("./parser");
  known = createParser();
  return known;
}

const nothingSpecial = () => ({
  ...{ isMeMessage: false, hasLink: false, hasImage: false },
  mentions: { people: [], groups: [], channelWildcard: false, topicWildcard: false },
});

/** Where the links, pictures and sounds of a text lead. */
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
