import type { MarkdownIt, StateInline } from "markdown-it";
import { namesIn } from "./names";
import { isUploadedMedia, pushMedia } from "./previews";

/** Whatever is not listed is not a link: javascript:, data:, vbscript:, file: and schemes yet unknown. */
const schemesAllowed = new Set(["http", "https", "mailto", "tel", "ftp"]);
/** Top-level domains which in chat are the endings of file names. */
const fileNameEnding = /\.(?:java|md|mov|py|zip)$/i;

/** A bare address ends here: longer ones cost linkify-it 300 ms (measured, 10 KB of `a.com/`). */
const addressLengthMax = 2000;
/** Every bare address has one of these. Looking for more takes a third of the time of a short text. */
const inAddresses = /[.:@/]/;

/** Links with a label, bare addresses, and `![alt](address)`: a picture of the server's own files, else a link. */
export function useLinks(markdown: MarkdownIt) {
  markdown.validateLink = isAllowedAddress;
  markdown.normalizeLink = normalizeAddress;
  markdown.normalizeLinkText = (text) => text;
  markdown.linkify.set({ fuzzyLink: true, maxLength: addressLengthMax }).add("ftp:", null).add("//", null);
  const mayFindAddresses = markdown.linkify.test.bind(markdown.linkify);
  markdown.linkify.test = (text) => inAddresses.test(text) && mayFindAddresses(text);
  const findBareAddresses = markdown.linkify.match.bind(markdown.linkify);
  markdown.linkify.match = (text) =>
    findBareAddresses(text)?.filter((found) => found.schema !== "" || !fileNameEnding.test(found.text)) ?? [];
  markdown.inline.ruler.at("link", (state, silent) => pushLink(state, silent));
  markdown.inline.ruler.at("image", (state, silent) => {
    if (state.src[state.pos] !== "!") return false;
    state.pos += 1;
    if (pushLink(state, silent, true)) return true;
    state.pos -= 1;
    return false;
  });
  markdown.core.ruler.after("linkify", "own_addresses", ({ tokens, env }) => {
    const { sites } = namesIn(env);
    if (!sites) return;
    for (const { children } of tokens)
      for (const token of children ?? [])
        if (token.type === "link_open") token.attrSet("href", relativeAddress(String(token.attrGet("href")), sites));
  });
}

const schemeOf = (address: string) => /^([^/?#]*?):/.exec(address)?.[1]?.toLowerCase();

function isAllowedAddress(address: string): boolean {
  const scheme = schemeOf(address);
  return address !== "" && (scheme === undefined || schemesAllowed.has(scheme));
}

/** Browsers read a scheme of the web with any number of slashes, forward or backward (URL Standard, 4.4). */
const webScheme = /^(https?|ftp):[/\\]*/i;
/** Two slashes begin another host. Browsers take a backslash for a slash. */
const otherHost = /^(?:[/\\]{2,}|\\)/;

/**
 * An address without a scheme is one of the web, unless it begins on this server or is an e-mail address. What leads to
 * another server is written in full, because a browser would complete it from the page that it stands on.
 */
function normalizeAddress(address: string): string {
  const encoded = address.trim().replace(/[\p{Cc}\s"]/gu, encodeURIComponent);
  if (webScheme.test(encoded)) return encoded.replace(webScheme, "$1://");
  if (otherHost.test(encoded)) return encoded.replace(otherHost, "http://");
  if (encoded === "" || /^[/#?]|^[^/?#]*:/.test(encoded)) return encoded;
  return /^[^/?#@]+@[^/?#@]+$/.test(encoded) ? `mailto:${encoded}` : `http://${encoded}`;
}

/** The places below the server's address to which links of people lead: only these become relative. */
const ownPlaces = [/^#narrow\//, /^user_uploads\//];

/** An address of this server without the server, which clients open by themselves; every other one as it is. */
function relativeAddress(address: string, sites: readonly string[] = []): string {
  const site = sites.find((one) => address.startsWith(`${one}/`));
  if (site === undefined) return address;
  const path = address.slice(site.length + 1);
  if (!ownPlaces.some((place) => place.test(path))) return address;
  return path.startsWith("#") ? path : `/${path}`;
}

/** The markup of links whose text was chosen by the person who wrote them. Their `info` is what was typed. */
export const labelledLink = "labelled";

/** `[label](address "title")`. The label is text; an empty one shows the address. */
function pushLink(state: StateInline, silent: boolean, isMedia = false): boolean {
  if (state.src[state.pos] !== "[") return false;
  const labelEnd = state.md.helpers.parseLinkLabel(state, state.pos, true);
  if (labelEnd < 0) return false;
  const target = readTarget(state, labelEnd + 1);
  if (target === undefined) return false;
  if (!silent) {
    const label = state.src.slice(state.pos + 1, labelEnd);
    const address = relativeAddress(target.address, namesIn(state.env).sites);
    const typed = (isMedia ? "!" : "") + state.src.slice(state.pos, target.end);
    if (isMedia && isUploadedMedia(address)) pushMedia(state, { address, label, typed });
    else pushLabelled(state, { ...target, label, typed });
  }
  state.pos = target.end;
  return true;
}

function pushLabelled(
  state: StateInline,
  { address, title, label, typed }: { address: string; title: string; label: string; typed: string },
) {
  const open = state.push("link_open", "a", 1);
  open.markup = labelledLink;
  open.info = typed;
  open.attrSet("href", address);
  if (title !== "") open.attrSet("title", title);
  state.push("text", "", 0).content = label || address;
  state.push("link_close", "a", -1);
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
