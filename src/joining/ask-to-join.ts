import { Type } from "@sinclair/typebox";
import { daySeconds } from "../core/clock";
import type { Context, RealmRow, Tx, UserRow } from "../core/context";
import { refusedFor } from "../core/errors";
import { type Language, languageOf, timeText } from "../core/language";
import { siteOf } from "../core/network/site";
import { write } from "../core/write";
import { defineJob } from "../jobs/define";
import { link, note, paragraph } from "../letters/letter";
import { queueMail } from "../letters/queue";
import { isMailOn } from "../letters/relay";
import { findInvitation } from "../people/invited/store";
import { cleanEmail } from "../people/users/email-address";
import { emailKeyOf, findUserByEmail, isActivePerson } from "../people/users/queries";
import { requireAcceptedDomain } from "../realm/domains/accepted";
import { languageOfStranger, localeOfRealm } from "../realm/locale";
import { parseRealmSettings } from "../realm/settings";
import { beginProof } from "../sign-in/address-proofs";
import { takeAttempt } from "../sign-in/attempts";
import type { Browser } from "../sign-in/browser";
import { openedLink } from "./invitation-link";
import { isOverAskingLimit, noteAsking } from "./limits";
import { joiningWords, wordsOfUser } from "./words";

const lifeSeconds = daySeconds;

/**
 * Whether people may join without an invitation: the organization allows it, and the server can
 * send mail to prove addresses.
 */
export const isOpen = ({ app }: Pick<Context, "app">, realm: RealmRow): boolean =>
  realm.isActive && isMailOn(app.config) && !parseRealmSettings(realm.settings).invite_required;

/**
 * Mails a link for joining to an address, either without an invitation or for a reusable one. Its
 * work and duration do not depend on whether the address has an account. Refuses an invalid
 * address, one that the organization does not accept, and more mails than it may send in a day
 * (BAD_REQUEST), and too many tries of one client (RATE_LIMIT_HIT).
 */
export async function askToJoin(
  ctx: Context,
  given: string,
  browser: Browser,
  invitationId?: number,
): Promise<void> {
  const email = cleanEmail(given);
  await requireAcceptedDomain(ctx.reader, ctx.realm, email);
  // Each try counts like a failed sign-in.
  takeAttempt(ctx.app, browser.address(), ctx.now);
  const payload = {
    email,
    language: languageOfStranger(ctx),
    ...(invitationId === undefined ? {} : { invitationId }),
  };
  await write(ctx, async (tx) => {
    if (await isOverAskingLimit(tx, ctx))
      throw refusedFor(
        "requests-today",
        "Too many people asked to join today. Try again tomorrow.",
      );
    await noteAsking(tx, ctx.realm.id);
    await registrationJob.enqueue(tx, ctx, payload, {
      key: `${invitationId ?? ""}:${emailKeyOf(email)}`,
    });
  });
}

/**
 * Mails the link to an address, or tells the owner of an account that they have one; see
 * `askToJoin`.
 */
export const registrationJob = defineJob(
  "registration",
  Type.Object({
    email: Type.String(),
    /** Language of the page on which the link was requested. */
    language: Type.Optional(Type.String()),
    invitationId: Type.Optional(Type.Integer()),
  }),
  async (_ctx, { email, language, invitationId }) =>
    async (tx, ctx) => {
      const path = await joiningPath(tx, ctx, invitationId);
      if (path === undefined) return undefined;
      // An address with an account gets a proof, too, because the limit on proofs keeps strangers
      // from filling its mailbox. Its link is never sent.
      const kind = invitationId === undefined ? "registration" : "joining";
      const begun = await beginProof(tx, ctx, kind, { userId: null, email, lifeSeconds });
      if (!begun) return undefined;
      const holder = await findUserByEmail(tx, ctx.realm.id, email);
      if (!holder)
        await mailLink(tx, ctx, email, {
          url: `${path}/${begun.token}`,
          expiresAt: begun.expiresAt,
          language:
            language === undefined ? localeOfRealm(ctx.realm).language : languageOf(language),
        });
      else if (isActivePerson(holder)) await mailHolder(tx, ctx, holder);
      return undefined;
    },
);

/** Path that the link begins with; undefined where joining in that way is no longer possible. */
async function joiningPath(
  tx: Tx,
  ctx: Context,
  invitationId: number | undefined,
): Promise<string | undefined> {
  if (invitationId === undefined)
    return isOpen(ctx, ctx.realm) ? `${siteOf(ctx)}/register` : undefined;
  const moment = { realmId: ctx.realm.id, now: tx.now };
  const found = await findInvitation(tx, moment, invitationId, "link");
  return found && openedLink({ ...ctx, url: siteOf(ctx) }, found.sealed ?? "");
}

async function mailLink(
  tx: Tx,
  ctx: Context,
  email: string,
  { url, expiresAt, language }: { url: string; expiresAt: number; language: Language },
) {
  const { name } = ctx.realm;
  const words = joiningWords(language);
  await queueMail(tx, ctx, {
    to: { email },
    subject: words.joinRealm(name),
    language: words.tag,
    about: "a link to join",
    expiresAt,
    letter: [
      paragraph(words.hello),
      paragraph(words.joinBy(name)),
      link(words.joinRealm(name), url),
      note(words.worksOnce(timeText(expiresAt, { language, zone: "" }))),
    ],
  });
}

async function mailHolder(tx: Tx, ctx: Context, user: UserRow) {
  const { name } = ctx.realm;
  const words = wordsOfUser(user);
  await queueMail(tx, ctx, {
    to: user,
    subject: words.inAlready(name),
    language: words.tag,
    about: "word of an account",
    key: `holder:${user.id}`,
    letter: [
      paragraph(words.helloTo(user.fullName)),
      paragraph(words.wantedToJoin(name)),
      link(words.signIn, `${siteOf(ctx)}/login`),
      note(words.notYou),
    ],
  });
}
