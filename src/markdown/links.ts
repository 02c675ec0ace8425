import type { MarkdownIt, StateInline } from "markdown-it";
import { findAddressAtStart, findAddresses, mayHaveAddresses } from "./bare-addresses";
import { builtInRule } from "./built-in-rule";
import { pushLabel } from "./link-labels";
import { namesIn } from "./names";
import { isUploadedMedia, pushMedia } from "./previews";

/**
 * Allowed schemes of links. An address with another scheme, such as javascript:, data:, vbscript:,
 * file: or an unknown one, becomes no link.
 */
const schemesAllowed = new Set(["http", "https", "mailto", "tel", "sms", "ftp"]);
/**
 * Links with a label, bare addresses, and `![alt](address)`. The latter is a picture if the address
 * is a file of this server, otherwise a link.
 */
export function useLinks(markdown: MarkdownIt) {
  markdown.validateLink = isAllowedAddress;
  markdown.normalizeLink = normalizeAddress;
  markdown.normalizeLinkText = (text) => text;
  useBareAddresses(markdown);
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
        if (token.type === "link_open")
          token.attrSet("href", relativeAddress(String(token.attrGet("href")), sites));
  });
}

/** Links web and mail addresses in running text. None extends beyond the emphasis around it. */
function useBareAddresses(markdown: MarkdownIt) {
  markdown.linkify.test = mayHaveAddresses;
  markdown.linkify.match = findAddresses;
  markdown.linkify.matchAtStart = findAddressAtStart;
  const linkify = builtInRule((lender) => lender.inline.ruler, "linkify");
  markdown.inline.ruler.at("linkify", (state, silent) => {
    if (!state.src.startsWith("://", state.pos)) return false;
    const { src } = state;
    state.src = src.slice(0, state.posMax);
    const isAddress = linkify(state, silent);
    state.src = src;
    return isAddress;
  });
}

const schemeOf = (address: string) => /^([^/?#]*?):/.exec(address)?.[1]?.toLowerCase();

function isAllowedAddress(address: string): boolean {
  const scheme = schemeOf(address);
  return address !== "" && (scheme === undefined || schemesAllowed.has(scheme));
}

/**
 * Browsers accept a web scheme with any number of slashes, forward or backward (URL Standard, 4.4).
 */
const webScheme = /^(https?|ftp):[/\\]*/i;
const otherScheme = /^(?:mailto|tel|sms):/i;
/** Two slashes begin another host. Browsers treat a backslash as a slash. */
const otherHost = /^(?:[/\\]{2,}|\\)/;

/**
 * An address in its stored form. It gets a web scheme if it has none, unless it begins on this
 * server or is an e-mail address. A link to another server gets its scheme in full, because
 * otherwise it would be relative to the page. Schemes become lower case.
 */
function normalizeAddress(address: string): string {
  const encoded = address.trim().replace(/[\p{Cc}\s"]/gu, encodeURIComponent);
  if (webScheme.test(encoded))
    return encoded.replace(webScheme, (_, scheme: string) => `${scheme.toLowerCase()}://`);
  if (otherScheme.test(encoded))
    return encoded.replace(otherScheme, (scheme) => scheme.toLowerCase());
  if (otherHost.test(encoded)) return encoded.replace(otherHost, "http://");
  if (encoded === "" || /^[/#?]|^[^/?#]*:/.test(encoded)) return encoded;
  return /^[^/?#@]+@[^/?#@]+$/.test(encoded) ? `mailto:${encoded}` : `http://${encoded}`;
}

/** Places of this server to which links may be relative. All other links stay complete. */
const ownPlaces = [/^#narrow\//, /^user_uploads\//];

/**
 * An address of this server without the server's own address, so that clients open it themselves.
 * Any other address stays unchanged.
 */
function relativeAddress(address: string, sites: readonly string[] = []): string {
  const site = sites.find((one) => address.startsWith(`${one}/`));
  if (site === undefined) return address;
  const path = address.slice(site.length + 1);
  if (!ownPlaces.some((place) => place.test(path))) return address;
  return path.startsWith("#") ? path : `/${path}`;
}

/** The markup of links whose label the author has chosen. Their `info` is the source. */
export const labelledLink = "labelled";

/** Adds the tokens of `[label](address "title")`. An empty label shows the address. */
function pushLink(state: StateInline, silent: boolean, isMedia = false): boolean {
  if (state.src[state.pos] !== "[") return false;
  const labelEnd = state.md.helpers.parseLinkLabel(state, state.pos, true);
  if (labelEnd < 0) return false;
  const target = readTarget(state, labelEnd + 1);
  if (target === undefined) return false;
  if (!silent) {
    const labelStart = state.pos + 1;
    const label = state.src.slice(labelStart, labelEnd);
    const address = relativeAddress(target.address, namesIn(state.env).sites);
    const typed = (isMedia ? "!" : "") + state.src.slice(state.pos, target.end);
    if (isMedia && isUploadedMedia(state.env, address)) pushMedia(state, { address, label, typed });
    else {
      pushOpening(state, target, typed);
      if (label.trim() === "") state.push("text", "", 0).content = target.address;
      else pushLabel(state, labelStart, labelEnd);
      state.push("link_close", "a", -1);
    }
  }
  state.pos = target.end;
  return true;
}

/** Address of a link, and its end in the source. */
interface Target {
  address: string;
  title: string;
  end: number;
}

function pushOpening(state: StateInline, { address, title }: Target, typed: string) {
  const open = state.push("link_open", "a", 1);
  open.markup = labelledLink;
  open.info = typed;
  open.attrSet("href", address);
  if (title !== "") open.attrSet("title", title);
}

function readTarget(state: StateInline, start: number): Target | undefined {
  const { src, posMax, md } = state;
  if (src[start] !== "(") return undefined;
  const destination = md.helpers.parseLinkDestination(
    src,
    skipSpaces(src, start + 1, posMax),
    posMax,
  );
  if (!destination.ok) return readSpacedTarget(state, start);
  const address = md.normalizeLink(destination.str);
  if (!md.validateLink(address)) return undefined;
  const titleStart = skipSpaces(src, destination.pos, posMax);
  const found =
    titleStart > destination.pos ? md.helpers.parseLinkTitle(src, titleStart, posMax) : undefined;
  const end = found?.ok ? skipSpaces(src, found.pos, posMax) : titleStart;
  if (end >= posMax || src[end] !== ")") return readSpacedTarget(state, start);
  return { address, title: found?.ok ? found.str : "", end: end + 1 };
}

/** Length limit of an address with spaces. */
const spacedLengthMax = 1_000;
/**
 * The beginning of an address that may contain spaces: they must come after its host or scheme.
 * Earlier spaces show that it is a sentence.
 */
const spaced =
  /^(?:(?:https?|ftp):\/\/[^\s/?#\\]+[/?#]|(?:mailto|tel|sms):|[/#][^\s/\\]|[^\s/?#:\\]+\.[^\s/?#:.\\]+\/)[^"<>`]*$/i;

/** Reads `(address with spaces "title")`, which must be on one line. */
function readSpacedTarget({ src, posMax, md }: StateInline, start: number): Target | undefined {
  const end = closingParenthesis(src, start, Math.min(posMax, start + spacedLengthMax));
  if (end === undefined) return undefined;
  const inside = src.slice(start + 1, end).trim();
  const titleStart = inside.endsWith('"') ? inside.lastIndexOf(' "', inside.length - 2) : -1;
  const written = titleStart < 0 ? inside : inside.slice(0, titleStart).trimEnd();
  const destination = md.utils.unescapeAll(written);
  if (!spaced.test(destination)) return undefined;
  const address = md.normalizeLink(destination);
  if (!md.validateLink(address)) return undefined;
  return { address, title: titleStart < 0 ? "" : inside.slice(titleStart + 2, -1), end: end + 1 };
}

function closingParenthesis(src: string, start: number, max: number): number | undefined {
  let depth = 0;
  for (let position = start; position < max; position++) {
    const sign = src[position];
    if (sign === "\n") return undefined;
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if (depth === 0) return position;
  }
  return undefined;
}

function skipSpaces(src: string, start: number, end: number): number {
  let position = start;
  while (position < end && (src[position] === " " || src[position] === "\n")) position += 1;
  return position;
}
