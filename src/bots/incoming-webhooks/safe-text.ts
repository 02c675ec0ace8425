import { onOneLine } from "../../core/text/unprintable";
import { markMentions, settleMentions } from "../../markdown/foreign-mentions";
import { quotation } from "../../markdown/quote";
import { truncateContent } from "../../messages/rendering/source";
import { lengthsMax } from "../../protocol/limits";

/** Length limit of one shown value: in a line, and as a block. */
const lineLengthMax = 500;
const blockLengthMax = 3_000;
const ellipsis = "…";

/** Cuts a text that is too long, with an ellipsis; never within a surrogate pair. */
export function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const points = [...text.slice(0, 2 * lengthMax + 2)];
  return points.length <= lengthMax
    ? text
    : `${points
        .slice(0, lengthMax - 1)
        .join("")
        .trimEnd()}${ellipsis}`;
}

/** A foreign text as one plain line: for topics, which have no Markdown. */
export const plainLine = (text: string) =>
  cut(onOneLine(text.toWellFormed()).replace(/ {2,}/g, " ").trim(), lineLengthMax);

/**
 * Characters that begin a Markdown form anywhere in a line, with the entity that only looks like
 * them.
 */
const entities: [RegExp, string][] = [
  [/&(?=#?\w+;)/g, "&amp;"],
  [/\*/g, "&#42;"],
  [/`/g, "&#96;"],
  [/~(?=~)/g, "&#126;"],
  [/\$(?=\$)/g, "&#36;"],
  [/<(?=time:)/g, "&lt;"],
  [/\](?=\()/g, "&#93;"],
  // The text after it could make a mention of it.
  [/@(?=_?$)/g, "&#64;"],
];

/**
 * A foreign text as a line of Markdown that shows exactly that text: it mentions nobody, and cannot
 * end the bold text, the link or the code around it. Unbalanced brackets become entities, too.
 */
export function safeLine(text: string): string {
  const line = entities.reduce(
    (so_far, [pattern, entity]) => so_far.replace(pattern, entity),
    plainLine(text),
  );
  return hasPairs(line) ? line : line.replaceAll("[", "&#91;").replaceAll("]", "&#93;");
}

function hasPairs(line: string): boolean {
  let depth = 0;
  for (const sign of line) {
    if (sign === "[") depth += 1;
    if (sign === "]") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** A foreign name as code in a line. */
export const codeLine = (text: string) =>
  plainLine(text) === "" ? "" : `\`${plainLine(text).replaceAll("`", "'")}\``;

/** A text of several lines with our line breaks, which can be stored. */
const lined = (text: string) =>
  text.toWellFormed().replaceAll("\0", "").replace(/\r\n?/g, "\n").trim();

/** A text for a block: not too long. */
const block = (text: string) => cut(lined(text), blockLengthMax);

/** A foreign text as a quotation with Markdown, for a text whose mentions are settled. */
export const quoteBlock = (text: string) =>
  block(text) === "" ? "" : quotation(markMentions(block(text)));

/** A foreign text as a block of code, which it cannot end. */
export function codeBlock(text: string, language = ""): string {
  const code = block(text);
  if (code === "") return "";
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

const addressLengthMax = 2_000;
const inAddresses: Record<string, string> = {
  "(": "%28",
  ")": "%29",
  "*": "%2A",
  "`": "%60",
  "<": "%3C",
  ">": "%3E",
};

/** A web address for the parentheses of a link; empty if it is invalid. */
export function safeAddress(text: string): string {
  const url = text.length <= addressLengthMax ? URL.parse(text.trim()) : null;
  if (!url || !["http:", "https:"].includes(url.protocol)) return "";
  return url.href.replace(/[()*`<>]/g, (sign) => inAddresses[sign] ?? sign);
}

/** An escaped part of such an address that we build. */
export const safeSegment = (text: string) =>
  encodeURIComponent(plainLine(text)).replace(/[()*]/g, (sign) => inAddresses[sign] ?? sign);

/**
 * Markdown that people have written elsewhere, as long as it is, for a text whose mentions are
 * settled.
 */
export const foreignMarkdown = (markdown: string) => markMentions(lined(markdown));

/** A whole text to send, or its part between blank lines, in which no mention of others is one. */
export const settled = (text: string, lengthMax = lengthsMax.message) =>
  settleMentions(truncateContent(text, lengthMax), lengthMax);

/** Markdown of another program as a whole text, which mentions nobody. */
export const withoutMentions = (markdown: string, lengthMax?: number) =>
  settled(markMentions(markdown), lengthMax);
