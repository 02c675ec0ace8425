import { type Static, Type } from "@sinclair/typebox";
import { Page } from "../core/answer";
import type { Context, Person, Tx, UserRow } from "../core/context";
import type { Connection } from "../core/endpoint";
import { badRequest } from "../core/errors";
import { isOfThisMachine } from "../core/network/address";
import { flag, type Input, optional, record, text } from "../core/params";
import type { Html } from "../core/text/html";
import { isMailOn } from "../letters/relay";
import { lengthsMax } from "../protocol/limits";
import { parseRealmSettings } from "../realm/settings";
import {
  noSessionCookie,
  originOf,
  ownPath,
  readSessionCookie,
  requireOwnOrigin,
  sessionCookie,
} from "./cookies";
import { maskToken } from "./csrf-token";
import { passwordHashOf } from "./declared-passwords";
import { knownBrowserCookie } from "./known-browser";
import { loginPage, refusedPage } from "./login-pages";
import { signInWithPassword } from "./password-sign-in";
import { refusalIn } from "./refusal";
import { endSessionsIn, findSession, type OpenSession, openSessionIn } from "./sessions";
import { mailSignIn } from "./sign-in-mail";
import { wordsOfStranger } from "./words";

/** Facts about the connection of a request for a page. */
export type Browser = Pick<Connection, "header" | "address">;

/** Page after signing in if no other was requested: the chat. */
export const home = "/";

/** The session of a browser that opens a page; undefined if it has none. */
export async function sessionOf(ctx: Context, browser: Browser): Promise<OpenSession | undefined> {
  const { app, realm, now, reader } = ctx;
  if (!realm.isActive) return undefined;
  return findSession(app, realm, readSessionCookie(originOf(ctx, browser)), now, reader);
}

/** The context of the person who owns a session. */
export const asHolderOf = (ctx: Context, { user, id }: OpenSession): Context<Person> => ({
  ...ctx,
  actor: { kind: "user", user, apiKeyId: id, isSession: true },
});

type Header = readonly [string, string];

/** Redirects a browser to a path, which it requests with GET (RFC 9110, 15.4.4). */
export const goTo = (content: Html, path: string, headers: readonly Header[] = []): Page =>
  new Page(content, 303, [["location", path], ...headers]);

export const ShowLogin = record({ next: optional(text()), ended: optional(flag()) });

/**
 * The page that asks for e-mail address and password; with `ended` it says that a session has just
 * ended. Redirects people who are signed in already, but never to another site.
 */
export async function showLogin(
  ctx: Context,
  input: Input<typeof ShowLogin>,
  browser: Browser,
): Promise<Page> {
  const next = ownPath(input.next);
  const page = loginForm(ctx, { next, isSessionOver: input.ended ?? false });
  return (await sessionOf(ctx, browser)) ? goTo(page, next ?? home) : new Page(page);
}

interface Filled {
  next: string | undefined;
  email?: string;
  problem?: string;
  isSessionOver?: boolean;
}

const loginForm = (
  ctx: Context,
  { next, email = "", problem, isSessionOver = false }: Filled,
): Html =>
  loginPage(wordsOfStranger(ctx), {
    realmName: ctx.realm.name,
    next,
    email,
    problem,
    isSessionOver,
    isEncrypted: isPrivate(ctx.url),
    hasMail: isMailOn(ctx.app.config),
    isOpenToAll:
      isMailOn(ctx.app.config) && !parseRealmSettings(ctx.realm.settings).invite_required,
  });

/**
 * Whether nobody between browser and server can read their traffic: over https, or on this machine.
 */
function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || isOfThisMachine(hostname);
}

const LogIn = record({
  email: optional(text()),
  password: optional(text()),
  next: optional(text()),
});

/**
 * Signs a browser in and redirects it. Its session is always new, and its earlier session ends. The
 * page shows refusals of `signInWithPassword`; a form that another site has sent is refused (403).
 */
export async function logIn(
  ctx: Context,
  input: Input<typeof LogIn>,
  browser: Browser,
): Promise<Page> {
  const { email = "", password = "" } = input;
  const next = ownPath(input.next);
  try {
    requireOwnOrigin(originOf(ctx, browser));
    const before = await sessionOf(ctx, browser);
    const attempt = { email, password, connection: browser };
    const cookies = await signInWithPassword(ctx, attempt, async (tx, user) => {
      await mailSignIn(tx, ctx, user, browser);
      return openBrowserIn(tx, ctx, user, browser, before);
    });
    return goTo(loginForm(ctx, { next }), next ?? home, cookies);
  } catch (error) {
    const words = wordsOfStranger(ctx);
    const { message: problem, status } = refusalIn(error, words.tag);
    const typed = email.length <= lengthsMax.emailAddress ? email : "";
    return new Page(loginForm(ctx, { next, email: typed, problem }), status);
  }
}

/**
 * Opens a session for a browser: part of every way to sign in. Answers the headers that set its
 * cookies: the session, and the mark by which the browser is recognized afterwards. The browser's
 * earlier session ends (`before`, of `sessionOf`), because its cookie is replaced, so that nobody
 * could sign out of it any more.
 */
export async function openBrowserIn(
  tx: Tx,
  ctx: Context,
  user: UserRow,
  browser: Browser,
  before: OpenSession | undefined,
): Promise<Header[]> {
  if (before) await endSessionsIn(tx, ctx.realm.id, before.user.id, (one) => one === before.id);
  const token = await openSessionIn(tx, ctx, user, browser.header("user-agent"));
  const browserCookies = knownBrowserCookie(ctx, user, originOf(ctx, browser));
  return [...browserCookies, sessionCookie(ctx, token, ctx.app.config.sessionLifeSeconds)];
}

/** Removes the cookie of a session that has ended, and redirects to a path of this server. */
export function signedOut(ctx: Context, path = "/login"): Page {
  const words = wordsOfStranger(ctx);
  return goTo(refusedPage(words, words.signedOut), path, [noSessionCookie(ctx)]);
}

export const ShowSession = record({});
/** The session of the request. Refuses a request that is signed with an API key (BAD_REQUEST). */
export async function ownSession(ctx: Context<Person>, browser: Browser): Promise<OpenSession> {
  const session =
    ctx.actor.kind === "user" && ctx.actor.isSession ? await sessionOf(ctx, browser) : undefined;
  if (!session) throw badRequest("This is for browsers that have signed in at /login.");
  return session;
}

export const OwnSession = record({
  user_id: Type.Integer(),
  email: Type.String(),
  full_name: Type.String(),
  has_password: Type.Boolean({ description: "Whether the person can sign in with a password." }),
  csrf_token: Type.String(),
  expires_at: Type.Integer({ description: "UNIX seconds." }),
});

/**
 * Answers whose session the browser has, with the CSRF token that scripts on pages of this server
 * send as `X-CSRFToken` with each change. Refuses a request without a session (UNAUTHORIZED, 401),
 * and one that is signed with an API key (BAD_REQUEST).
 */
export async function showSession(
  ctx: Context<Person>,
  _input: Input<typeof ShowSession>,
  browser: Browser,
): Promise<Static<typeof OwnSession>> {
  const { user, csrfToken, expiresAt } = await ownSession(ctx, browser);
  const passwordHash = await passwordHashOf(ctx.app, ctx.realm, user);
  return {
    user_id: user.id,
    email: user.email,
    full_name: user.fullName,
    has_password: passwordHash !== null,
    csrf_token: maskToken(csrfToken),
    expires_at: expiresAt,
  };
}
