import type { MarkdownIt, StateInline } from "markdown-it";

/** Whatever is not listed is not a link: javascript:, data:, vbscript:, file: and schemes yet unknown. */
const schemesAllowed = new Set(["http", "https", "mailto", "tel", "ftp"]);
/** Top-level domains which in chat are the endings of file names. */
const fileNameEnding = /\.(?:java|md|mov|py|zip)$/i;

/** A bare address ends here: longer ones cost linkify-it 300 ms (measured, 10 KB of `a.com/`). */
const addressLengthMax = 2000;

/** Links with a label, bare addresses, and `![alt](address)` as a link: images belong to the dialect. */
export function useLinks(markdown: MarkdownIt) {
  markdown.validateLink = isAllowedAddress;
  markdown.normalizeLink = normalizeAddress;
  markdown.normalizeLinkText = (text) => text;
  markdown.linkify.set({ fuzzyLink: true, maxLength: addressLengthMax }).add("ftp:", null).add("//", null);
  const findBareAddresses = markdown.linkify.match.bind(markdown.linkify);
  markdown.linkify.match = (text) =>
    findBareAddresses(text)?.filter((found) => found.schema !== "" || !fileNameEnding.test(found.text)) ?? [];
  markdown.inline.ruler.at("link", pushLink);
  markdown.inline.ruler.at("image", (state, silent) => {
    if (state.src[state.pos] !== "!") return false;
    state.pos += 1;
    if (pushLink(state, silent)) return true;
    state.pos -= 1;
    return false;
  });
}

function isAllowedAddress(address: string): boolean {
  const scheme = /^([^/?#]*?):/.exec(address)?.[1];
  return address !== "" && (scheme === undefined || schemesAllowed.has(scheme.toLowerCase()));
}

/** An address without a scheme is one of the web, unless it begins on this server or is an e-mail address. */
function normalizeAddress(address: string): string {
  const encoded = address.trim().replace(/[\p{Cc}\s"]/gu, encodeURIComponent);
  if (encoded === "" || /^[/#?]|^[^/?#]*:/.test(encoded)) return encoded;
  return /^[^/?#@]+@[^/?#@]+$/.test(encoded) ? `mailto:${encoded}` : `http://${encoded}`;
}

/** `[label](address "title")`. The label is text; an empty one shows the address. */
function pushLink(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "[") return false;
  const labelEnd = state.md.helpers.parseLinkLabel(state, state.pos, true);
  if (labelEnd < 0) return false;
  const target = readTarget(state, labelEnd + 1);
  if (target === undefined) return false;
  if (!silent) {
    const open = state.push("link_open", "a", 1);
    open.attrSet("href", target.address);
    if (target.title !== "") open.attrSet("title", target.title);
    state.push("text", "", 0).content = state.src.slice(state.pos + 1, labelEnd) || target.address;
    state.push("link_close", "a", -1);
  }
  state.pos = target.end;
  return true;
}

function readTarget(state: StateInline, start: number) {
  const { src, posMax, md } = state;
  if (src[start] !== "(") return undefined;
  const destination = md.helpers.parseLinkDestination(src, skipSpaces(src, start + 1, posMax), posMax);
  if (!destination.ok) return undefined;
  const address = md.normalizeLink(destination.str);
  if (!md.validateLink(address)) return undefined;
  const titleStart = skipSpaces(src, destination.pos, posMax);
  const found = titleStart > destination.pos ? md.helpers.parseLinkTitle(src, titleStart, posMax) : undefined;
  const end = found?.ok ? skipSpaces(src, found.pos, posMax) : titleStart;
  if (end >= posMax || src[end] !== ")") return undefined;
  return { address, title: found?.ok ? found.str : "", end: end + 1 };
}

function skipSpaces(src: string, start: number, end: number): number {
  let position = start;
  while (position < end && (src[position] === " " || src[position] === "\n")) position += 1;
  return position;
}
