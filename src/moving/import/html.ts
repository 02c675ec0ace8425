import { allowedTags, isAllowedAttribute, selfClosingTags, voidTags } from "./allowed-html";
import { type HtmlAttribute, type HtmlToken, readHtmlTokens } from "./html-tokens";
import { mapAttribute, type TextMap } from "./texts";

/**
 * Rendered HTML with mapped ids; undefined where it contains anything that our renderer does not
 * write. The output is written from the parsed tags, values and texts, because a browser may parse
 * the original text differently.
 */
export function mapHtml(map: TextMap, html: string): string | undefined {
  // Browsers drop NUL characters in some places, and replace them in others.
  if (html.includes("\0")) return undefined;
  const parts: string[] = [];
  const open: string[] = [];
  const isTaken = readHtmlTokens(html, (token) => {
    const part = writeToken(map, open, token);
    if (part !== undefined) parts.push(part);
    return part !== undefined;
  });
  return isTaken && open.length === 0 ? parts.join("") : undefined;
}

/**
 * The output for a token; undefined if the token is refused. `open` has the elements around it, and
 * is updated.
 */
function writeToken(map: TextMap, open: string[], token: HtmlToken): string | undefined {
  switch (token.is) {
    case "text":
      return escapeText(token.text);
    case "start":
      if (!allowedTags.has(token.name)) return undefined;
      if (token.closesItself && !selfClosingTags.has(token.name)) return undefined;
      if (!token.closesItself && !voidTags.has(token.name)) open.push(token.name);
      return writeStart(map, token);
    case "end":
      return open.pop() === token.name ? `</${token.name}>` : undefined;
    case "other":
      return undefined;
  }
}

function writeStart(
  map: TextMap,
  { name, attributes, closesItself }: Extract<HtmlToken, { is: "start" }>,
): string | undefined {
  const written = new Map<string, string>();
  for (const attribute of attributes) {
    const key = attribute.name.toLowerCase();
    const part = writeAttribute(map, key, attribute);
    if (part === undefined || written.has(key)) return undefined;
    written.set(key, part);
  }
  return `<${name}${[...written.values()].join("")}${closesItself ? "/" : ""}>`;
}

/** `key` is the name in lower case; the output keeps the original case, as in `viewBox`. */
function writeAttribute(
  map: TextMap,
  key: string,
  { name, value, quote }: HtmlAttribute,
): string | undefined {
  const mapped = mapAttribute(map, key, value);
  if (quote === "other" || !isAllowedAttribute(key, mapped)) return undefined;
  return quote === "noValue" ? ` ${name}` : ` ${name}="${escapeValue(mapped)}"`;
}

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

const escapeText = (text: string) => text.replace(/[&<>]/g, (sign) => references[sign] ?? sign);
const escapeValue = (text: string) => text.replace(/[&<>"]/g, (sign) => references[sign] ?? sign);
