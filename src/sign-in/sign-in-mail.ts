import { isoTime } from "../core/clock";
import type { Context, Tx, UserRow } from "../core/context";
import { siteOf } from "../letters/envelope";
import { link, note, paragraph } from "../letters/letter";
import { queueMail } from "../letters/queue";
import { unsubscribing } from "../letters/unsubscribe-link";
import { parseUserSettings } from "../people/settings/user-settings";
import { endedKeysText, type ListedApiKey } from "./api-keys";
import type { Browser } from "./browser";
import { browserName } from "./browser-name";

/** A person who has only just joined knows that they have signed in. */
const newcomerSeconds = 60;

/**
 * Writes to somebody that they have signed in, from where and with what, so that they learn of it
 * where it was somebody else: part of every way to sign in. Says which API keys have ended by it.
 * Not to those who do not want that (`enable_login_emails`).
 */
export async function mailSignIn(
  tx: Tx,
  ctx: Context,
  user: UserRow,
  browser: Browser,
  ended: readonly ListedApiKey[] = [],
): Promise<void> {
  const { realm } = ctx;
  const endedText = endedKeysText(ended);
  if (
    !parseUserSettings(user.settings).enable_login_emails ||
    tx.now < user.createdAt + newcomerSeconds
  )
    return;
  await queueMail(tx, ctx, {
    to: user,
    subject: `New sign-in to ${realm.name}`,
    letter: [
      paragraph(`Hello ${user.fullName},`),
      paragraph(`somebody has signed in to ${realm.name} as you:`),
      paragraph(
        `${browserName(browser.header("user-agent"))}, from ${browser.address()}, at ${isoTime(tx.now)}`,
      ),
      paragraph(
        "If that was you, there is nothing to do. If not, change your password at once: that ends all else that is open.",
      ),
      ...(endedText === undefined ? [] : [paragraph(endedText)]),
      link("Your account", `${siteOf(ctx)}/account`),
      note(
        "You get this each time that somebody signs in as you.",
        unsubscribing(ctx, user, "login"),
      ),
    ],
    about: "word of a new sign-in",
    unsubscribeUrl: unsubscribing(ctx, user, "login").url,
  });
}
