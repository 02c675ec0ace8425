import { csrfFailed } from "../core/errors";

/** Origin of a request: the facts that show which site sent it. */
export interface Origin {
  /** A header of the request; null if it is missing. */
  header(name: string): string | null;
  /** The address by which the client reached the realm. */
  url: string;
}

/** Origin of a request, as a verb sees it. */
export const originOf = (
  { url }: Pick<Origin, "url">,
  { header }: Pick<Origin, "header">,
): Origin => ({ header, url });

const isSecure = ({ url }: Pick<Origin, "url">) => url.startsWith("https:");

/**
 * Browsers accept a cookie with this prefix only from this host over https (RFC 6265bis, 4.1.3), so
 * that another host of the domain cannot replace it. Without https there is no such cookie.
 */
const cookieName = (origin: Pick<Origin, "url">, name: string) =>
  isSecure(origin) ? `__Host-${name}` : name;

/**
 * The value of a cookie that chatd has set. Undefined if the browser sends none or two: without
 * https, one of two may come from another host of the domain.
 */
export function readCookie(origin: Origin, name: string): string | undefined {
  const cookies = origin.header("cookie");
  if (cookies === null) return undefined;
  const start = `${cookieName(origin, name)}=`;
  let value: string | undefined;
  // Searches in place, because each request of a browser needs it and split strings would be
  // garbage.
  for (let at = cookies.indexOf(start); at >= 0; at = cookies.indexOf(start, at + 1)) {
    if (!isBeginning(cookies, at)) continue;
    if (value !== undefined) return undefined;
    const semicolon = cookies.indexOf(";", at);
    value = cookies.slice(at + start.length, semicolon < 0 ? undefined : semicolon).trimEnd();
  }
  return value;
}

/** Whether a cookie begins at a position, not in the middle of a name or a value. */
function isBeginning(cookies: string, at: number): boolean {
  let before = at;
  while (before > 0 && cookies.charCodeAt(before - 1) === space) before--;
  return before === 0 || cookies.charCodeAt(before - 1) === semicolonCode;
}

const space = 32;
const semicolonCode = 59;

/**
 * The header that sets a cookie, for this host only and hidden from scripts. A lifetime of 0
 * removes the cookie.
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

/** The session's token that a browser sends; undefined if there is none. */
export function readSessionCookie(origin: Origin): string | undefined {
  const token = readCookie(origin, sessionName);
  return token !== undefined && tokenForm.test(token) ? token : undefined;
}

/** The header that sets the cookie of a session. */
export const sessionCookie = (origin: Pick<Origin, "url">, token: string, lifeSeconds: number) =>
  leaveCookie(origin, sessionName, token, lifeSeconds);

/** The header that removes the cookie of a session. */
export const noSessionCookie = (origin: Pick<Origin, "url">) => sessionCookie(origin, "", 0);

/**
 * Refuses a change that another site, such as another host of the domain, made a browser send
 * (CSRF_FAILED, 403). Browsers name the origin in Sec-Fetch-Site or Origin (Fetch, 3.2 and 4.6). A
 * client that sends neither header is not a current browser.
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

/**
 * The scheme is ignored, because a proxy may use https with the browser without telling the server.
 */
function isOwnHost(from: string, { header, url }: Origin): boolean {
  const given = URL.parse(from);
  if (!given) return false;
  if (given.origin === URL.parse(url)?.origin) return true;
  return given.protocol === "https:" && given.host === (header("host") ?? "").toLowerCase();
}

/**
 * A path of this server to open after signing in or out; undefined for a path that leads elsewhere
 * or is invalid.
 */
export function ownPath(next: string | undefined): string | undefined {
  if (next === undefined || !pathForm.test(next)) return undefined;
  const url = URL.parse(next, "http://own.invalid");
  if (url?.origin !== "http://own.invalid") return undefined;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // `/.//evil.example` has become `//evil.example`.
  return pathForm.test(path) ? path : undefined;
}

/** One slash, and then characters that are allowed in an address. */
const pathForm = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]{0,2000}$/;
