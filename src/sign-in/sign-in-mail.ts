import type { Context, Tx, UserRow } from "../core/context";
import { timeText } from "../core/language";
import { siteOf } from "../core/network/site";
import { link, note, paragraph } from "../letters/letter";
import { queueMail } from "../letters/queue";
import { unsubscribing } from "../letters/unsubscribe-link";
import { localeOfUser } from "../people/settings/locale";
import { parseUserSettings } from "../people/settings/user-settings";
import { endedKeysText, type ListedApiKey } from "./api-keys";
import type { Browser } from "./browser";
import { browserName } from "./browser-name";
import { wordsOfUser } from "./words";

/** Seconds after joining without a mail, because newcomers know that they have just signed in. */
const newcomerSeconds = 60;

/**
 * Mails a person that they have signed in, with place and program, so that they learn of a sign-in
 * by somebody else: part of every way to sign in. Names the API keys that ended. Not for people who
 * have turned it off (`enable_login_emails`).
 */
export async function mailSignIn(
  tx: Tx,
  ctx: Context,
  user: UserRow,
  browser: Browser,
  ended: readonly ListedApiKey[] = [],
): Promise<void> {
  const { realm } = ctx;
  if (
    !parseUserSettings(user.settings).enable_login_emails ||
    tx.now < user.createdAt + newcomerSeconds
  )
    return;
  const words = wordsOfUser(user);
  const endedText = endedKeysText(ended, words);
  const ending = unsubscribing(ctx, user, "login", words.tag);
  const name = browserName(browser.header("user-agent"), words.tag);
  const facts = [name, browser.address()] as const;
  await queueMail(tx, ctx, {
    to: user,
    subject: words.newSignIn(realm.name),
    language: words.tag,
    letter: [
      paragraph(words.hello(user.fullName)),
      paragraph(words.somebodySignedIn(realm.name)),
      paragraph(words.signInFacts(...facts, timeText(tx.now, localeOfUser(user)))),
      paragraph(words.ifThatWasYou),
      ...(endedText === undefined ? [] : [paragraph(endedText)]),
      link(words.yourAccount, `${siteOf(ctx)}/account`),
      note(words.eachSignIn, ending),
    ],
    about: "word of a new sign-in",
    unsubscribeUrl: ending.url,
  });
}
