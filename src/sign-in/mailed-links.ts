import { Type } from "@sinclair/typebox";
import { and, eq, gt } from "drizzle-orm";
import { Page } from "../core/answer";
import type { Context, Tx, UserRow } from "../core/context";
import { refusedFor } from "../core/errors";
import { timeText } from "../core/language";
import { siteOf } from "../core/network/site";
import { type Input, optional, record, text } from "../core/params";
import { makeToken } from "../core/secrets/secrets";
import { write } from "../core/write";
import { defineJob } from "../jobs/define";
import { link, note, paragraph } from "../letters/letter";
import { queueMail } from "../letters/queue";
import { isMailOn } from "../letters/relay";
import { localeOfUser } from "../people/settings/locale";
import { emailKeyOf, findUserByEmail } from "../people/users/queries";
import { lengthsMax } from "../protocol/limits";
import { takeAttempt } from "./attempts";
import { type Browser, home } from "./browser";
import { originOf, ownPath, requireOwnOrigin } from "./cookies";
import { resetHash, storeLinkIn, storeLoginLink } from "./login-links";
import { askResetPage, mailedPage, refusedPage } from "./login-pages";
import { refusalIn } from "./refusal";
import { type SignInWords, wordsOfStranger, wordsOfUser } from "./words";

const lifeSeconds = 3_600;
/**
 * Number of mails with links that an address gets within an hour, because otherwise others could
 * fill its mailbox.
 */
const linksMax = 5;

const Request = Type.Object({
  wants: Type.Union([Type.Literal("login"), Type.Literal("reset")]),
  email: Type.String(),
});

type Wanted = "login" | "reset";

/**
 * Mails a link to the owner of an address, if there is one. The request only enqueued this job,
 * because neither its answer nor its time may reveal whether an account has the address (I5).
 */
export const mailLinkJob = defineJob(
  "mail-link",
  Request,
  async (_ctx, { wants, email }) =>
    async (tx, ctx) => {
      const user = await findUserByEmail(tx, ctx.realm.id, email);
      if (!user?.isActive || user.botType !== null || (await countOpenLinks(tx, user)) >= linksMax)
        return undefined;
      await (wants === "login" ? mailLoginLink : mailResetLink)(tx, ctx, user);
      return undefined;
    },
);

async function countOpenLinks(
  { db, now, t: { loginLinks } }: Tx,
  { realmId, id }: UserRow,
): Promise<number> {
  const isOf = and(
    eq(loginLinks.realmId, realmId),
    eq(loginLinks.userId, id),
    gt(loginLinks.expiresAt, now),
  );
  return db.$count(loginLinks, isOf);
}

async function mailLoginLink(tx: Tx, ctx: Context, user: UserRow) {
  const { name } = ctx.realm;
  const words = wordsOfUser(user);
  const { url, expiresAt } = await storeLoginLink(
    tx,
    { ...ctx, url: siteOf(ctx) },
    user.id,
    lifeSeconds,
  );
  await queueMail(tx, ctx, {
    to: user,
    subject: words.signInTo(name),
    language: words.tag,
    about: "a login link",
    expiresAt,
    letter: [
      paragraph(words.hello(user.fullName)),
      paragraph(words.loginLinkMail(name)),
      link(words.signIn, url),
      onlyOnce(user, expiresAt),
    ],
  });
}

const onlyOnce = (user: UserRow, expiresAt: number) =>
  note(wordsOfUser(user).onlyOnce(timeText(expiresAt, localeOfUser(user))));

async function mailResetLink(tx: Tx, ctx: Context, user: UserRow) {
  const { name } = ctx.realm;
  const words = wordsOfUser(user);
  const token = makeToken();
  const expiresAt = tx.now + lifeSeconds;
  await storeLinkIn(tx, {
    realmId: user.realmId,
    hash: resetHash(ctx, token),
    userId: user.id,
    expiresAt,
  });
  await queueMail(tx, ctx, {
    to: user,
    subject: words.passwordMailSubject(name),
    language: words.tag,
    about: "a link to choose a password",
    expiresAt,
    letter: [
      paragraph(words.hello(user.fullName)),
      paragraph(words.passwordMail(name)),
      link(words.choose, `${siteOf(ctx)}/password/reset/${token}`),
      onlyOnce(user, expiresAt),
    ],
  });
}

export const AskForLink = record({ email: optional(text()), next: optional(text()) });

/**
 * Has a link mailed that signs in once, to the owner of this address. The answer does not reveal
 * whether an account has the address. Refuses a request that another site has sent (403), a missing
 * address, and too many tries of one client (429); without mail, every request (BAD_REQUEST).
 */
export const askForLoginLink = (
  ctx: Context,
  input: Input<typeof AskForLink>,
  browser: Browser,
): Promise<Page> => ask(ctx, "login", input, browser);

/** Has a link mailed with which a person chooses another password. */
export const askForReset = (
  ctx: Context,
  input: Input<typeof AskForLink>,
  browser: Browser,
): Promise<Page> => ask(ctx, "reset", input, browser);

export const ShowReset = record({});

/**
 * The page that asks for the address to which a link to choose another password is mailed. It
 * changes nothing.
 */
export async function showResetForm(ctx: Context): Promise<Page> {
  const { app, realm } = ctx;
  return isMailOn(app.config)
    ? new Page(askResetPage(wordsOfStranger(ctx), realm.name))
    : noMail(wordsOfStranger(ctx));
}

const noMail = (words: SignInWords) => new Page(refusedPage(words, words.noMail), 400);

async function ask(
  ctx: Context,
  wants: Wanted,
  { email = "", next }: Input<typeof AskForLink>,
  browser: Browser,
): Promise<Page> {
  const words = wordsOfStranger(ctx);
  if (!isMailOn(ctx.app.config)) return noMail(words);
  try {
    requireOwnOrigin(originOf(ctx, browser));
    if (!email.includes("@") || email.length > lengthsMax.emailAddress)
      throw refusedFor("address-form", "Enter your e-mail address.", "");
    // Each request counts as a failed sign-in.
    takeAttempt(ctx.app, browser.address(), ctx.now);
  } catch (error) {
    const { message, status } = refusalIn(error, words.tag);
    return new Page(refusedPage(words, message), status);
  }
  if (ctx.realm.isActive) {
    const key = `${wants}:${emailKeyOf(email)}`;
    await write(ctx, (tx) => mailLinkJob.enqueue(tx, ctx, { wants, email }, { key }));
  }
  return new Page(
    mailedPage(words, ctx.realm.name, wants === "login" ? (ownPath(next) ?? home) : undefined),
  );
}
