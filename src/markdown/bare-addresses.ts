import { isTopLevelDomain } from "./top-level-domains";

/**
 * Addresses without brackets. The search stops at a word that contains a point, or that is followed
 * by `://` or `@`. It reads the address there to its end and continues after it, so its time grows
 * linearly with the text. If an address is invalid as a whole, no part of it becomes a link,
 * because half an address leads to a wrong place. A separator between two addresses ends the first
 * one.
 */

/** Length limit of an address, because browsers allow no longer ones. */
const addressLengthMax = 2_000;
const authorityLengthMax = 500;
const mailboxLengthMax = 64;
/**
 * Highest depth of brackets in an address. An address ends before deeper brackets, because the
 * search continues after the first bracket that stays open.
 */
const bracketDepthMax = 16;

/**
 * Whether a text may contain an address. A more precise check would take a third of the time in
 * which a short text is rendered.
 */
export const mayHaveAddresses = (text: string): boolean => /[.@]|:\/\//.test(text);

/** A name of a host or a mailbox: words joined by points. */
const word = /[\p{L}\p{M}\p{N}_%+-]+(?:\.[\p{L}\p{M}\p{N}_%+-]+)*/gu;
const webScheme = /(?<![\p{L}\p{M}\p{N}_])https?$/iu;
/** The host with user and port, up to the path. */
const authority = new RegExp(`[^\\s/?#\\\\<>"\`]{1,${authorityLengthMax}}`, "y");
/** Characters that separate addresses, and are not part of a user's name. */
const betweenAddresses = /[,;()|｜]|(?!\p{ASCII})\p{P}/u;
const userAndPassword = /^[\p{L}\p{M}\p{N}_.~%!$&*+=:-]+$/u;
const host =
  /(?:[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]*(?:\.[\p{L}\p{M}\p{N}_-]+)*|\[[\da-f:.]+\])(?::\d{1,5})?/iuy;
const mailHost =
  /[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*(?:\.[\p{L}\p{M}\p{N}_-]+)*\.(?:\p{L}[\p{L}\p{M}]+|xn--[a-z\d-]+)/iuy;

/**
 * Characters after a host which show that the host is invalid: its port is invalid, or more
 * characters of a host follow.
 */
const hostGoesOn = /[.:@_-]*[\p{L}\p{M}\p{N}]|\\/uy;
/**
 * Characters after a mail address which show that it is none. For example,
 * `git@example.com:soup.git` is a repository.
 */
const mailGoesOn = /[/\\@?#=&%+_-]*[\p{L}\p{M}\p{N}]|:[\p{L}\p{N}/\\~.*$_-]/uy;

/** The end of a text that the next word belongs to, so that the word alone is no address. */
const withinAddress = /[\p{L}\p{M}\p{N}_.:/\\@%&#=+-]$|[\p{L}\p{N}]['’]$/u;
const mailScheme = /(?<![\p{L}\p{M}\p{N}_.:/+-])mailto:$/iu;

/** Characters that end the path of an address: spaces, quotes, and punctuation outside of ASCII. */
const endsPath = /[\p{Z}\p{Cc}<>"`｜]|(?!\p{ASCII})\p{P}/u;
const endsSentence = /[.,:;!?'*~]/;
const closers = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const brackets = /[()[\]{}]/;

interface Found {
  /** Scheme for markdown-it: `http:` for all web schemes, `mailto:`, or empty for a bare domain. */
  schema: string;
  index: number;
  lastIndex: number;
  text: string;
  raw: string;
  url: string;
}

/** The web address at the beginning of a text. */
export function findAddressAtStart(text: string): Found | null {
  const start = /^https?:\/\//i.exec(text)?.[0].length;
  const end = start === undefined ? undefined : endOfWebAddress(text, 0, start);
  return end === undefined ? null : foundIn(text, 0, end, "http:");
}

/** The addresses in a text, in order. */
export function findAddresses(text: string): Found[] {
  const all: Found[] = [];
  word.lastIndex = 0;
  for (let match = word.exec(text); match; match = word.exec(text)) {
    const { 0: name, index: start } = match;
    const end = start + name.length;
    if (text.startsWith("://", end)) word.lastIndex = readWeb(text, start, end, all);
    else if (text[end] === "@") word.lastIndex = readMail(text, start, end, all);
    else if (name.includes(".")) word.lastIndex = readDomain(text, start, end, all);
  }
  return all;
}

/**
 * Reads an address that may begin at a word, adds it to `all` if it is valid, and answers the place
 * where the search continues.
 */
type Read = (text: string, start: number, end: number, all: Found[]) => number;

const readWeb: Read = (text, start, end, all) => {
  const scheme = webScheme.exec(text.slice(start, end))?.[0];
  const hostStart = end + "://".length;
  if (scheme === undefined) return hostStart;
  const found = endOfWebAddress(text, end - scheme.length, hostStart);
  if (found !== undefined) all.push(foundIn(text, end - scheme.length, found, "http:"));
  return found ?? hostStart + (matchAt(authority, text, hostStart)?.length ?? 0);
};

const readMail: Read = (text, start, end, all) => {
  const name = matchAt(mailHost, text, end + 1);
  if (name === undefined) return end + 1;
  const hostEnd = end + 1 + name.length;
  const before = text.slice(Math.max(0, start - 8), start);
  const isWhole = mailScheme.test(before) || !withinAddress.test(before);
  if (
    isWhole &&
    end - start <= mailboxLengthMax &&
    matchAt(mailGoesOn, text, hostEnd) === undefined
  )
    all.push(foundIn(text, start, hostEnd, "mailto:"));
  return hostEnd;
};

const readDomain: Read = (text, start, end, all) => {
  const name = text.slice(start, end);
  const isWhole =
    !withinAddress.test(text.slice(Math.max(0, start - 2), start)) &&
    !/[%+]|(?:^|\.)-|-\./.test(name);
  if (!isWhole || !isTopLevelDomain(name.slice(name.lastIndexOf(".") + 1))) return end;
  if (matchAt(hostGoesOn, text, end) !== undefined) return end;
  const found = endOfPath(text, end, start + addressLengthMax);
  all.push(foundIn(text, start, found, ""));
  return found;
};

function foundIn(text: string, index: number, lastIndex: number, schema: string): Found {
  const raw = text.slice(index, lastIndex);
  const prefixes: Readonly<Record<string, string>> = { "": "http://", "mailto:": "mailto:" };
  return { schema, index, lastIndex, text: raw, raw, url: `${prefixes[schema] ?? ""}${raw}` };
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}

/** The end of an address whose authority begins at `start`; undefined if it is invalid. */
function endOfWebAddress(text: string, addressStart: number, start: number): number | undefined {
  const whole = matchAt(authority, text, start) ?? "";
  if (whole.length >= authorityLengthMax) return undefined;
  const [first = ""] = whole.split(betweenAddresses, 1);
  const userLength = first.lastIndexOf("@");
  if (userLength >= 0 && !userAndPassword.test(first.slice(0, userLength))) return undefined;
  const hostStart = start + userLength + 1;
  const name = matchAt(host, text, hostStart);
  if (name === undefined || matchAt(hostGoesOn, text, hostStart + name.length) !== undefined)
    return undefined;
  return endOfPath(text, hostStart + name.length, addressStart + addressLengthMax);
}

/**
 * The end of the part after a host: a path, a query and a fragment, including balanced brackets.
 */
function endOfPath(text: string, start: number, max: number): number {
  if (!/[/?#]/.test(text[start] ?? "")) return start;
  const open: { closer: string; position: number }[] = [];
  let end = start;
  for (; end < Math.min(text.length, max); end++) {
    const sign = text[end] ?? "";
    if (endsPath.test(sign)) break;
    if (!brackets.test(sign)) continue;
    const closer = closers.get(sign);
    if (closer !== undefined) open.push({ closer, position: end });
    else if (open.at(-1)?.closer === sign) open.pop();
    else break;
    if (open.length > bracketDepthMax) break;
  }
  end = Math.min(end, open[0]?.position ?? end);
  while (end > start && endsSentence.test(text[end - 1] ?? "")) end -= 1;
  return /[\ud800-\udbff]/.test(text[end - 1] ?? "") ? end - 1 : end;
}
