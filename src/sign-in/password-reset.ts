import { and, eq } from "drizzle-orm";
import { Page } from "../core/answer";
import type { Context, Tx, UserRow } from "../core/context";
import { type Input, optional, record, text } from "../core/params";
import { write } from "../core/write";
import { endLoginLinks, endOtherKeys } from "./api-keys";
import type { Browser } from "./browser";
import { noSessionCookie, originOf, requireOwnOrigin } from "./cookies";
import { forgetFailures } from "./failed-sign-ins";
import { knownBrowserCookie } from "./known-browser";
import { findLinked, refusedLink, resetHash, takeLinkIn } from "./login-links";
import { refusedPage, resetDonePage, resetPage } from "./login-pages";
import { hashPasswordOf } from "./passwords";
import { refusalIn } from "./refusal";
import { wordsOfUser } from "./words";

export const UseReset = record({ token: text(), password: optional(text()) });

/**
 * The page behind a link to choose another password. It changes nothing. All links that do not work
 * get one answer.
 */
export async function showReset(ctx: Context, { token }: Input<typeof UseReset>): Promise<Page> {
  const user = await findLinked(ctx.reader, ctx, resetHash(ctx, token));
  return user ? new Page(resetPage(wordsOfUser(user), ctx.realm.name, user)) : refused(ctx);
}

const refused = (ctx: Context) => refusedLink(ctx, "/password/reset");

/**
 * Gives a person another password with the link that was mailed to them. Works only once, also if
 * it is used twice at once. It ends all of their sessions, API keys, event queues, held polls and
 * other links, and unlocks the account. Announced to nobody. The page shows an error for an invalid
 * password, and the link stays valid. Refuses a request that another site has sent (403).
 */
export async function useReset(
  ctx: Context,
  input: Input<typeof UseReset>,
  browser: Browser,
): Promise<Page> {
  const hash = resetHash(ctx, input.token);
  const user = await findLinked(ctx.reader, ctx, hash);
  if (!user) return refused(ctx);
  const words = wordsOfUser(user);
  try {
    requireOwnOrigin(originOf(ctx, browser));
  } catch (error) {
    const { message, status } = refusalIn(error, words.tag);
    return new Page(refusedPage(words, message), status);
  }
  const prepared = await hashPasswordOf(ctx.app, user, input.password ?? "").catch(
    (error: unknown) => refusalIn(error, words.tag),
  );
  if (typeof prepared !== "string") {
    return new Page(resetPage(words, ctx.realm.name, user, prepared.message), prepared.status);
  }
  const done = await write(ctx, async (tx) => {
    const linked = await takeLinkIn(tx, ctx, hash);
    return linked && replacePassword(tx, ctx, linked, prepared);
  });
  if (!done) return refused(ctx);
  const browserCookies = knownBrowserCookie(ctx, done, originOf(ctx, browser));
  const page = resetDonePage(words, ctx.realm.name);
  return new Page(page, 200, [noSessionCookie(ctx), ...browserCookies]);
}

async function replacePassword(
  tx: Tx,
  ctx: Context,
  user: UserRow,
  passwordHash: string,
): Promise<UserRow> {
  const { app } = ctx;
  const { realmId, id } = user;
  const { users } = tx.t;
  await tx.db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.realmId, realmId), eq(users.id, id)))
    .returning({ id: users.id });
  await endOtherKeys(tx, realmId, id);
  await endLoginLinks(tx, realmId, [id]);
  await forgetFailures(tx, app, user);
  tx.audit(ctx, { action: "user.change_password", kind: "user", ids: [id], proven: user });
  return { ...user, passwordHash };
}
