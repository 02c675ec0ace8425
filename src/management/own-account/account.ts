import { and, eq } from "drizzle-orm";
import { Page } from "../../core/answer";
import type { AuditFacts } from "../../core/audit";
import type { Context, Person, Tx, UserRow } from "../../core/context";
import { ApiError } from "../../core/errors";
import { flag, type Input, optional, record, text } from "../../core/params";
import { onlyRow, write } from "../../core/write";
import { localeOfUser } from "../../people/settings/locale";
import { renewContext } from "../../people/users/renew-context";
import { endLoginLinks, endOtherKeys, insertApiKey } from "../../sign-in/api-keys";
import { asHolderOf, type Browser, goTo, sessionOf, signedOut } from "../../sign-in/browser";
import { originOf, ownPath } from "../../sign-in/cookies";
import { maskToken } from "../../sign-in/csrf-token";
import { passwordHashOf } from "../../sign-in/declared-passwords";
import { findKnownBrowser, knownBrowserCookie } from "../../sign-in/known-browser";
import { keyPage, refusedPage } from "../../sign-in/login-pages";
import { signInWithPassword } from "../../sign-in/password-sign-in";
import { hashPasswordOf } from "../../sign-in/passwords";
import { refusalIn } from "../../sign-in/refusal";
import {
  endSessionsIn,
  listSessions,
  type OpenSession,
  requireCsrfProof,
  requireOpenSessionIn,
} from "../../sign-in/sessions";
import * as signInWords from "../../sign-in/words";
import { wordsOfUser } from "../account-words";
import { prepareOwnAccount, updateOwnAccountIn } from "../accounts/own-account";
import { accountPage, type KeyProof } from "./account-page";

/**
 * Time after signing in by a link during which somebody without a password needs no other proof.
 */
const freshSeconds = 600;

export const ShowAccount = record({});

/** The account page; redirects people who are not signed in to the login page. */
export async function showAccount(
  ctx: Context,
  _input: Input<typeof ShowAccount>,
  browser: Browser,
): Promise<Page> {
  const session = await sessionOf(ctx, browser);
  return session
    ? showOwn(ctx, browser, session, {})
    : goTo(signInFirst(ctx), "/login?next=%2Faccount");
}

function signInFirst(ctx: Context) {
  const words = signInWords.wordsOfStranger(ctx);
  return refusedPage(words, words.signInFirst);
}

interface Told {
  problem?: string;
  notice?: string;
  status?: number;
}

/** Marks a browser with an open session as one that this person uses. */
async function showOwn(
  ctx: Context,
  browser: Browser,
  session: OpenSession,
  { status, ...notes }: Told,
): Promise<Page> {
  const { user, csrfToken, id } = session;
  const origin = originOf(ctx, browser);
  const cookies =
    findKnownBrowser(ctx, user, origin) === undefined ? knownBrowserCookie(ctx, user, origin) : [];
  const sessions = await listSessions(asHolderOf(ctx, session), user.id);
  const view = {
    locale: localeOfUser(user),
    realmName: ctx.realm.name,
    site: ctx.url,
    user,
    csrfToken: maskToken(csrfToken),
    sessions,
    currentId: id,
    ...notes,
  };
  const passwordHash = await passwordHashOf(ctx.app, ctx.realm, user);
  return new Page(
    accountPage({ ...view, keyProof: keyProofOf(ctx, session, passwordHash) }),
    status,
    cookies,
  );
}

function keyProofOf(
  { now }: Context,
  { createdAt }: OpenSession,
  passwordHash: string | null,
): KeyProof {
  if (passwordHash !== null) return "password";
  return now < createdAt + freshSeconds ? "fresh sign-in" : "none";
}

/**
 * Runs a form of the account page. A browser that is not signed in is redirected to the login page,
 * or to `next`. A request from another site is refused (403). A refusal of the verb is shown on the
 * account page.
 */
async function withSession(
  ctx: Context,
  browser: Browser,
  csrfToken: string | undefined,
  run: (session: OpenSession) => Promise<Page>,
  next?: string,
): Promise<Page> {
  const session = await sessionOf(ctx, browser);
  if (!session) return signedOut(ctx, next);
  try {
    requireCsrfProof(session, originOf(ctx, browser), csrfToken ?? "");
    return await run(session);
  } catch (error) {
    const words = signInWords.wordsOfUser(session.user);
    const { code, message, status } = refusalIn(error, words.tag);
    if (code === "CSRF_FAILED") return new Page(refusedPage(words, message), status);
    return showOwn(ctx, browser, session, { problem: message, status });
  }
}

export const GetKey = record({ csrfToken: optional(text()), password: optional(text()) });

/**
 * Issues an API key after another proof of identity: the password or, without one, a sign-in just
 * now. Shows the key, with the file that clients read. Wrong passwords count for the session.
 */
export async function getKey(
  ctx: Context,
  input: Input<typeof GetKey>,
  browser: Browser,
): Promise<Page> {
  return withSession(ctx, browser, input.csrfToken, async (session) => {
    const { user } = session;
    const person = asHolderOf(ctx, session);
    const issue = (tx: Tx, account: UserRow) => insertApiKey(tx, person, account, "account page");
    const attempt = {
      email: user.email,
      password: input.password ?? "",
      connection: browser,
      by: person.actor,
    };
    const passwordHash = await passwordHashOf(ctx.app, ctx.realm, user);
    const issued =
      passwordHash === null
        ? await write(ctx, async (tx) => issue(tx, await freshUser(tx, ctx, session)))
        : await signInWithPassword(ctx, attempt, issue);
    return new Page(keyPage(signInWords.wordsOfUser(user), ctx, user.email, issued));
  });
}

/**
 * The account as of the write, because a password may have been set meanwhile, or the session may
 * have ended.
 */
async function freshUser(tx: Tx, ctx: Context, session: OpenSession): Promise<UserRow> {
  await requireOpenSessionIn(tx, ctx.realm.id, session.id);
  const { actor } = await renewContext(tx, asHolderOf(ctx, session));
  requireFresh(ctx, session, actor.user.passwordHash);
  return actor.user;
}

/** Refuses (BAD_REQUEST, 403) who has a password, or has not signed in just now. */
function requireFresh(ctx: Context, session: OpenSession, passwordHash: string | null) {
  if (keyProofOf(ctx, session, passwordHash) !== "fresh sign-in")
    throw new ApiError(
      "BAD_REQUEST",
      "Sign in again first: open a new login link.",
      403,
      {},
      { name: "sign-in-again", values: [] },
    );
}

export const ChangePassword = record({
  csrfToken: optional(text()),
  oldPassword: optional(text()),
  newPassword: optional(text()),
});

/** Changes the actor's password. See `updateOwnAccountIn` for the consequences and the refusals. */
export async function changePassword(
  ctx: Context,
  input: Input<typeof ChangePassword>,
  browser: Browser,
): Promise<Page> {
  return withSession(ctx, browser, input.csrfToken, async (session) => {
    const { oldPassword = "", newPassword = "" } = input;
    if ((await passwordHashOf(ctx.app, ctx.realm, session.user)) === null)
      return chooseFirstPassword(ctx, browser, session, newPassword);
    const person = asHolderOf(ctx, session);
    const change = await prepareOwnAccount(person, { oldPassword, newPassword }, browser);
    const user = await write(ctx, async (tx) =>
      updateOwnAccountIn(tx, await renewContext(tx, person), change),
    );
    return showOwn(
      ctx,
      browser,
      { ...session, user },
      {
        notice: wordsOfUser(user).passwordChanged,
      },
    );
  });
}

async function chooseFirstPassword(
  ctx: Context,
  browser: Browser,
  session: OpenSession,
  password: string,
): Promise<Page> {
  requireFresh(ctx, session, session.user.passwordHash);
  const passwordHash = await hashPasswordOf(ctx.app, session.user, password);
  const user = await write(ctx, async (tx) => {
    const { id } = await freshUser(tx, ctx, session);
    const { users } = tx.t;
    await endLoginLinks(tx, ctx.realm.id, [id]);
    await endOtherKeys(tx, ctx.realm.id, id, session.id);
    const rows = await tx.db
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.realmId, ctx.realm.id), eq(users.id, id)))
      .returning();
    tx.audit(asHolderOf(ctx, session), { action: "user.change_password", kind: "user", ids: [id] });
    return onlyRow(rows);
  });
  const notice = wordsOfUser(user).passwordChosen;
  return showOwn(ctx, browser, { ...session, user }, { notice });
}

/** Notes that somebody has signed themselves out. */
const auditEnd = (tx: Tx, ctx: Context<Person>, before: AuditFacts) =>
  tx.audit(ctx, { action: "session.end", kind: "user", ids: [ctx.actor.user.id], before });

export const LogOut = record({ csrfToken: optional(text()), next: optional(text()) });

/**
 * Ends the session of a browser, with the event queues that it opened. Redirects it to the login
 * page, or to `next`, but never to another site.
 */
export async function logOut(
  ctx: Context,
  input: Input<typeof LogOut>,
  browser: Browser,
): Promise<Page> {
  const next = ownPath(input.next);
  const end = async (session: OpenSession) => {
    const { id, user } = session;
    await write(ctx, async (tx) => {
      await endSessionsIn(tx, ctx.realm.id, user.id, (one) => one === id);
      auditEnd(tx, asHolderOf(ctx, session), { session_ids: [id] });
    });
    return signedOut(ctx, next);
  };
  return withSession(ctx, browser, input.csrfToken, end, next);
}

export const LogOutEverywhere = record({
  csrfToken: optional(text()),
  endApiKeys: optional(flag()),
});

/**
 * Ends all sessions of the actor, and on request their API keys, with everything opened with them.
 */
export async function logOutEverywhere(
  ctx: Context,
  input: Input<typeof LogOutEverywhere>,
  browser: Browser,
): Promise<Page> {
  return withSession(ctx, browser, input.csrfToken, async (session) => {
    const { user } = session;
    await write(ctx, async (tx) => {
      if (input.endApiKeys === true) await endOtherKeys(tx, ctx.realm.id, user.id);
      else await endSessionsIn(tx, ctx.realm.id, user.id);
      auditEnd(tx, asHolderOf(ctx, session), { all: true, api_keys: input.endApiKeys === true });
    });
    return signedOut(ctx);
  });
}
