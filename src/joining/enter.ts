import { Page } from "../core/answer";
import type { Context, Tx, UserRow } from "../core/context";
import { write } from "../core/write";
import { type NewUser, type PreparedUser, prepareUser } from "../management/accounts/create";
import { languageCodeAsked } from "../realm/locale";
import { type Browser, goTo, home, openBrowserIn, sessionOf } from "../sign-in/browser";
import { isOpen } from "./ask-to-join";
import { joinedPage, refusedInvitationPage } from "./join-pages";
import { wordsOfStranger } from "./words";

/**
 * The end of joining: makes the account with the language of the browser, and signs the browser in.
 * `joinIn` makes the account as part of the write; where it gives undefined, because the link is no
 * longer valid, the page says so. Refuses invalid values of the person (BAD_REQUEST).
 */
export async function enterAs(
  ctx: Context,
  person: Omit<NewUser, "language">,
  browser: Browser,
  joinIn: (tx: Tx, prepared: PreparedUser) => Promise<UserRow | undefined>,
): Promise<Page> {
  const language = languageCodeAsked(browser.header("accept-language"));
  const prepared = await prepareUser(ctx.app, { ...person, language });
  const before = await sessionOf(ctx, browser);
  const cookies = await write(ctx, async (tx) => {
    const user = await joinIn(tx, prepared);
    if (user === undefined) return undefined;
    const opened = await openBrowserIn(tx, ctx, user, browser, before);
    tx.audit(ctx, { action: "user.create", kind: "user", ids: [user.id], proven: user });
    return opened;
  });
  if (cookies === undefined) return linkRefused(ctx);
  return goTo(joinedPage(wordsOfStranger(ctx), ctx.realm.name), home, cookies);
}

/** Answer to an invalid link, whatever the reason. */
export const linkRefused = (ctx: Context) =>
  new Page(refusedInvitationPage(wordsOfStranger(ctx), isOpen(ctx, ctx.realm)), 404);
