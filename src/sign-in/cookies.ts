import { csrfFailed } from "../core/errors";

/** Origin of a request, as far as it matters to who may have sent it. */
export interface Origin {
  /** A header of the request; null where there is none. */
  header(name: string): string | null;
  /** The address that the client reached the realm by. */
  url: string;
}

/** Origin of a request, as a verb sees it. */
export const originOf = (
  { url }: Pick<Origin, "url">,
  { header }: Pick<Origin, "header">,
): Origin => ({ header, url });

const isSecure = ({ url }: Pick<Origin, "url">) => url.startsWith("https:");

/**
 * Browsers take a cookie with the prefix from nobody but this very host over https (RFC 6265bis,
 * 4.1.3): a neighbour under our domain can put none in its place. Without https there is no such
 * cookie.
 */
const cookieName = (origin: Pick<Origin, "url">, name: string) =>
  isSecure(origin) ? `__Host-${name}` : name;

/**
 * The value of a cookie of ours that a browser sends; undefined for none, and where there are two:
 * without https, one of them may be a neighbour's.
 */
export function readCookie(origin: Origin, name: string): string | undefined {
  const cookies = origin.header("cookie");
  if (cookies === null) return undefined;
  const start = `${cookieName(origin, name)}=`;
  let value: string | undefined;
  // Each request of a browser comes here, so that nothing is split and thrown away.
  for (let at = cookies.indexOf(start); at >= 0; at = cookies.indexOf(start, at + 1)) {
    if (!isBeginning(cookies, at)) continue;
    if (value !== undefined) return undefined;
    const semicolon = cookies.indexOf(";", at);
    value = cookies.slice(at + start.length, semicolon < 0 ? undefined : semicolon).trimEnd();
  }
  return value;
}

/** Whether a cookie begins at a place, and not in the middle of a name or a value. */
function isBeginning(cookies: string, at: number): boolean {
  let before = at;
  while (before > 0 && cookies.charCodeAt(before - 1) === space) before--;
  return before === 0 || cookies.charCodeAt(before - 1) === semicolonCode;
}

const space = 32;
const semicolonCode = 59;

/**
 * The header that leaves a cookie with a browser, for this host alone and for no script; a life of
 * 0 takes it away.
 */
export function leaveCookie(
  origin: Pick<Origin, "url">,
  name: string,
  value: string,
  lifeSeconds: number,
): readonly [string, string] {
  const secure = isSecure(origin) ? "; Secure" : "";
  const pair = `${cookieName(origin, name)}=${value}`;
  return ["set-cookie", `${pair}; Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${secure}`];
}

const sessionName = "chatd_session";
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** The session's token that a browser sends; undefined for none. */
export function readSessionCookie(origin: Origin): string | undefined {
  const token = readCookie(origin, sessionName);
  return token !== undefined && tokenForm.test(token) ? token : undefined;
}

/** The header that leaves a session with a browser. */
export const sessionCookie = (origin: Pick<Origin, "url">, token: string, lifeSeconds: number) =>
  leaveCookie(origin, sessionName, token, lifeSeconds);

/** The header that takes a session's cookie away. */
export const noSessionCookie = (origin: Pick<Origin, "url">) => sessionCookie(origin, "", 0);

/**
 * Refuses a request that changes something and that a browser was made to send by another site, a
 * neighbour under our domain included (CSRF_FAILED, 403): browsers say where it comes from in
 * Sec-Fetch-Site or Origin (Fetch, 3.2 and 4.6). A client that sends neither is no browser of
 * today.
 */
export function requireOwnOrigin(origin: Origin): void {
  const site = origin.header("sec-fetch-site");
  const from = origin.header("origin");
  const isOwn =
    (site === null || site === "same-origin" || site === "none") &&
    (from === null || isOwnHost(from, origin));
  if (!isOwn)
    throw csrfFailed(
      "This was sent by another site. Open the page on this server and try again.",
      "origin",
    );
}

/** A proxy may speak https to the browser and not tell us. */
function isOwnHost(from: string, { header, url }: Origin): boolean {
  const given = URL.parse(from);
  if (!given) return false;
  if (given.origin === URL.parse(url)?.origin) return true;
  return given.protocol === "https:" && given.host === (header("host") ?? "").toLowerCase();
}

/**
 * A path of ours to go to after signing in; undefined for what leads elsewhere, or is no address.
 */
export function ownPath(next: string | undefined): string | undefined {
  if (next === undefined || !pathForm.test(next)) return undefined;
  const url = URL.parse(next, "http://own.invalid");
  if (url?.origin !== "http://own.invalid") return undefined;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // `/.//evil.example` has become `//evil.example`.
  return pathForm.test(path) ? path : undefined;
}

/** One slash, and then what an address is written with. */
const pathForm = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]{0,2000}$/;
