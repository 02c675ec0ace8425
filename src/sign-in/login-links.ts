import { and, eq, gt } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { Page } from "../core/answer";
import { daySeconds } from "../core/clock";
import type { Context, Tx, UserRow } from "../core/context";
import { accessDenied, badRequest } from "../core/errors";
import { type Input, record, text } from "../core/params";
import { makeApiKey } from "../core/secrets/secrets";
import { write } from "../core/write";
import { isMailOn } from "../letters/relay";
import { findUser, loadUser } from "../people/users/queries";
import { loadRealm } from "../realm/queries";
import { type Browser, goTo, home, openBrowserIn, sessionOf } from "./browser";
import { originOf, requireOwnOrigin } from "./cookies";
import { noteSignIn } from "./first-sign-in";
import { linkPage, refusedLinkPage, refusedPage, signedInPage } from "./login-pages";
import { refusalIn } from "./refusal";
import { mailSignIn } from "./sign-in-mail";
import { wordsOfStranger, wordsOfUser } from "./words";

/** Hash of a token for a link by which a person chooses another password. */
export const resetHash = ({ app }: Context, token: string) =>
  app.secrets.hash("password-reset", token);

/** Long enough for a weekend, short enough that a forgotten link is worth nothing. */
const lifeSecondsMax = 7 * daySeconds;

interface LoginLink {
  /** The whole address; it cannot be shown again. */
  url: string;
  /** UNIX seconds. */
  expiresAt: number;
}

/**
 * Makes a link that signs a person in once, in a browser, until it expires. Only its keyed hash is
 * stored. For the operator. Refuses deactivated accounts, bots, and an invalid or too long lifetime
 * (BAD_REQUEST).
 */
export async function createLoginLink(
  ctx: Context,
  userId: number,
  lifeSeconds: number,
): Promise<LoginLink> {
  if (ctx.actor.kind !== "operator")
    throw accessDenied("Only the operator of the server can make login links.");
  if (lifeSeconds < 1 || lifeSeconds > lifeSecondsMax)
    throw badRequest("A login link works for at most 7 days.");
  return write(ctx, async (tx) => {
    const user = await loadUser(tx, ctx.realm.id, userId);
    if (!user.isActive) throw badRequest(`The account of ${user.email} is deactivated.`);
    if (user.botType !== null)
      throw badRequest("Bots sign in with their API key: chatd admin api-key issue.");
    auditLinks(tx, ctx, [userId], lifeSeconds);
    return storeLoginLink(tx, ctx, userId, lifeSeconds);
  });
}

/**
 * Makes login links for several people, who must be active, in one write; answers them in the order
 * of the people. For the operator.
 */
export async function createLoginLinks(
  ctx: Context<{ kind: "operator" }>,
  users: readonly Pick<UserRow, "id">[],
  lifeSeconds: number,
): Promise<LoginLink[]> {
  if (users.length === 0) return [];
  return write(ctx, async (tx) => {
    const links: LoginLink[] = [];
    for (const { id } of users) links.push(await storeLoginLink(tx, ctx, id, lifeSeconds));
    const ids = users.map(({ id }) => id);
    auditLinks(tx, ctx, ids, lifeSeconds);
    return links;
  });
}

const auditLinks = (tx: Tx, ctx: Context, ids: readonly number[], lifeSeconds: number) =>
  tx.audit(ctx, {
    action: "login_link.create",
    kind: "user",
    ids,
    after: { expires_at: tx.now + lifeSeconds },
  });

/**
 * The part of making a login link that runs in a write, for an active person. `url` is the address
 * at which the link begins.
 */
export async function storeLoginLink(
  tx: Tx,
  { app, realm, url }: Pick<Context, "app" | "realm" | "url">,
  userId: number,
  lifeSeconds: number,
): Promise<LoginLink> {
  const token = makeApiKey();
  const expiresAt = tx.now + lifeSeconds;
  await storeLinkIn(tx, { realmId: realm.id, hash: hashOf({ app }, token), userId, expiresAt });
  return { url: `${url}/login/link/${token}`, expiresAt };
}

/**
 * Stores a person's link under its token's keyed hash: a login link, or a link that proves who they
 * are in another way.
 */
export async function storeLinkIn(
  { db, t: { loginLinks } }: Tx,
  row: { realmId: number; hash: string; userId: number; expiresAt: number },
): Promise<void> {
  await db.insert(loginLinks).values(row).returning({ hash: loginLinks.hash });
}

const hashOf = ({ app }: Pick<Context, "app">, token: string) =>
  app.secrets.hash("login-link", token);

export const UseLoginLink = record({ token: text() });

/**
 * The page behind a login link. It changes nothing, because programs that open links before people
 * do must not use them up. A link that is used, expired or of another organization gets the answer
 * of a link that never existed.
 */
export async function showLoginLink(
  ctx: Context,
  { token }: Input<typeof UseLoginLink>,
): Promise<Page> {
  const user = await findLinked(ctx.reader, ctx, hashOf(ctx, token));
  return user ? new Page(linkPage(wordsOfUser(user), ctx.realm.name, user)) : refused(ctx);
}

/**
 * Uses a login link: signs the browser in, ends its earlier session, and redirects to the chat. For
 * some time afterwards, the account page gives an API key without a password. Works only once, also
 * if it is used twice at once. Refuses a request that another site has sent (403), because that
 * site would sign people in as somebody else. Events: see `noteSignIn`.
 */
export async function useLoginLink(
  ctx: Context,
  { token }: Input<typeof UseLoginLink>,
  browser: Browser,
): Promise<Page> {
  if (!ctx.realm.isActive) return refused(ctx);
  try {
    requireOwnOrigin(originOf(ctx, browser));
  } catch (error) {
    const words = wordsOfStranger(ctx);
    const { message, status } = refusalIn(error, words.tag);
    return new Page(refusedPage(words, message), status);
  }
  const before = await sessionOf(ctx, browser);
  const cookies = await write(ctx, async (tx) => {
    const user = await takeLinkIn(tx, ctx, hashOf(ctx, token));
    if (!user) return undefined;
    const arrived = await noteSignIn(tx, user);
    await mailSignIn(tx, ctx, arrived, browser);
    return openBrowserIn(tx, ctx, arrived, browser, before);
  });
  const page = signedInPage(wordsOfStranger(ctx), ctx.realm.name);
  return cookies ? goTo(page, home, cookies) : refused(ctx);
}

const refused = (ctx: Context) => refusedLink(ctx, "/login");

/**
 * Answer to a link that does not work. Where mail is configured, people get a new one at `path`;
 * otherwise the operator makes one.
 */
export function refusedLink(ctx: Context, path: string): Page {
  const words = wordsOfStranger(ctx);
  const advice = isMailOn(ctx.app.config) ? words.linkByMail(path) : words.linkOfOperator;
  return new Page(refusedLinkPage(words, advice), 404);
}

/** Uses a link up, once; answers its owner, or undefined if the link does not work. */
export async function takeLinkIn(tx: Tx, ctx: Context, hash: string): Promise<UserRow | undefined> {
  const { loginLinks } = tx.t;
  const user = await findLinked(tx, ctx, hash);
  const [link] = await tx.db
    .delete(loginLinks)
    .where(and(eq(loginLinks.realmId, ctx.realm.id), eq(loginLinks.hash, hash)))
    .returning({ userId: loginLinks.userId });
  return link && user;
}

/** Owner of a link, by its token's keyed hash; undefined if the link does not work. */
export async function findLinked(
  reader: Reader,
  ctx: Context,
  hash: string,
): Promise<UserRow | undefined> {
  const { now } = ctx;
  const { db, t } = reader;
  const realm = await loadRealm(reader, ctx.realm.id);
  if (!realm.isActive) return undefined;
  const [link] = await db
    .select({ userId: t.loginLinks.userId })
    .from(t.loginLinks)
    .where(
      and(
        eq(t.loginLinks.realmId, realm.id),
        eq(t.loginLinks.hash, hash),
        gt(t.loginLinks.expiresAt, now),
      ),
    );
  const user = link && (await findUser(reader, realm.id, link.userId));
  return user?.isActive ? user : undefined;
}
