import { and, eq, gt } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { Page } from "../core/answer";
import type { Context, UserRow } from "../core/context";
import { accessDenied, badRequest } from "../core/errors";
import { type Input, record, text } from "../core/params";
import { makeApiKey } from "../core/secrets";
import { write } from "../core/write";
import { loadRealm } from "../realm/queries";
import { noteSignIn } from "../users/first-sign-in";
import { findUser, loadUser } from "../users/queries";
import { insertApiKey } from "./api-keys";
import { type Browser, cookieFor, originOf, refusalIn } from "./browser";
import { requireOwnOrigin } from "./cookies";
import { keyPage, linkPage, refusedLinkPage, refusedPage } from "./login-pages";
import { openSessionIn } from "./sessions";

/** Long enough for a weekend, short enough that a forgotten one is worth nothing. */
const lifeSecondsMax = 7 * 24 * 3600;
const label = "login link";

export interface LoginLink {
  /** The whole address; it cannot be shown again. */
  url: string;
  /** UNIX seconds. */
  expiresAt: number;
}

/**
 * Makes a link that signs a person in once, in a browser, until it expires. Only its keyed hash is stored. For the operator.
 * Refuses deactivated accounts, bots, and a life that is no time or too long (BAD_REQUEST).
 */
export async function createLoginLink(ctx: Context, userId: number, lifeSeconds: number): Promise<LoginLink> {
  if (ctx.actor.kind !== "operator") throw accessDenied("Only the operator of the server can make login links.");
  if (lifeSeconds < 1 || lifeSeconds > lifeSecondsMax) throw badRequest("A login link lives for at most 7 days.");
  const token = makeApiKey();
  const expiresAt = ctx.now + lifeSeconds;
  await write(ctx, async (tx) => {
    const user = await loadUser(tx, ctx.realm.id, userId);
    if (!user.isActive) throw badRequest(`The account of ${user.email} is deactivated.`);
    if (user.botType !== null) throw badRequest("Bots sign in with their API key: chatd admin api-key issue.");
    const { loginLinks } = tx.t;
    const hash = hashOf(ctx, token);
    await tx.db
      .insert(loginLinks)
      .values({ realmId: ctx.realm.id, hash, userId, expiresAt })
      .returning({ hash: loginLinks.hash });
  });
  return { url: `${ctx.url}/login/link/${token}`, expiresAt };
}

const hashOf = ({ app }: Context, token: string) => app.secrets.hash("login-link", token);

export const UseLoginLink = record({ token: text() });

/**
 * The page behind a login link. It changes nothing: programs that look at links before people do must not use them up.
 * A link that is used, expired or of another organization is answered like one that never was.
 */
export async function showLoginLink(ctx: Context, { token }: Input<typeof UseLoginLink>): Promise<Page> {
  const user = await findLinked(ctx.reader, ctx, token);
  return user ? new Page(linkPage(ctx.realm.name, user)) : refused();
}

/**
 * Uses a login link: signs the browser in, issues an API key to the link's person and shows it, with the file that clients
 * read it from. Works once, also when it is used twice at the same moment. What another site has sent is refused (403): it
 * would sign people in as somebody else. Events: see `noteSignIn`.
 */
export async function useLoginLink(
  ctx: Context,
  { token }: Input<typeof UseLoginLink>,
  browser: Browser,
): Promise<Page> {
  if (!ctx.realm.isActive) return refused();
  try {
    requireOwnOrigin(originOf(ctx, browser));
  } catch (error) {
    const { message, status } = refusalIn(error);
    return new Page(refusedPage(message), status);
  }
  const used = await write(ctx, async (tx) => {
    const { loginLinks } = tx.t;
    const user = await findLinked(tx, ctx, token);
    const [link] = await tx.db
      .delete(loginLinks)
      .where(and(eq(loginLinks.realmId, ctx.realm.id), eq(loginLinks.hash, hashOf(ctx, token))))
      .returning({ userId: loginLinks.userId });
    if (!user || !link) return undefined;
    const arrived = await noteSignIn(tx, user);
    const session = await openSessionIn(tx, ctx, arrived, browser.header("user-agent"));
    return { email: user.email, session, ...(await insertApiKey(tx, ctx, arrived, label)) };
  });
  if (!used) return refused();
  const page = keyPage(ctx.realm.name, used.email, used.apiKey, ctx.url);
  return new Page(page, 200, [cookieFor(ctx, used.session)]);
}

const refused = () => new Page(refusedLinkPage(), 404);

/** Whom a link signs in now; undefined for one that does not. */
async function findLinked(reader: Reader, ctx: Context, token: string): Promise<UserRow | undefined> {
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
        eq(t.loginLinks.hash, hashOf(ctx, token)),
        gt(t.loginLinks.expiresAt, now),
      ),
    );
  const user = link && (await findUser(reader, realm.id, link.userId));
  return user?.isActive ? user : undefined;
}
