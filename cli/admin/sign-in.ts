import { daySeconds, isoTime } from "../../src/core/clock";
import { loadAccount } from "../../src/moving/organization/lookup";
import { unlockSignIn } from "../../src/sign-in/failed-sign-ins";
import { createLoginLink } from "../../src/sign-in/login-links";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { printNotice, printResult, UsageError } from "../output";

const unitSeconds: Record<string, number> = { m: 60, h: 3_600, d: daySeconds };

/** Seconds of a duration as people type it: `30m`, `12h`, `7d`. */
export function readSeconds(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const seconds = unitSeconds[unit];
  if (seconds === undefined)
    throw new UsageError(`'${text}' is not a time. Write it like 30m, 12h or 7d.`);
  return Number(count) * seconds;
}

/**
 * `chatd admin user login-link EMAIL [--expires TIME]`: prints a link that signs a person in once,
 * in a browser.
 */
export async function printLoginLink(email: string, options: RealmOptions & { expires: string }) {
  const lifeSeconds = readSeconds(options.expires);
  const { user, link } = await withOperator(options, async (ctx) => {
    const account = await loadAccount(ctx, email);
    return { user: account, link: await createLoginLink(ctx, account.id, lifeSeconds) };
  });
  const { url, expiresAt } = link;
  printResult(options, { user_id: user.id, email: user.email, url, expires_at: expiresAt }, [url]);
  if (!options.json) printNotice(`It works once, until ${isoTime(expiresAt)}.`);
}

/** `chatd admin user unlock EMAIL`: lets a person sign in again after too many failures. */
export async function unlock(email: string, options: RealmOptions) {
  const user = await withOperator(options, async (ctx) => {
    const account = await loadAccount(ctx, email);
    await unlockSignIn(ctx, account);
    return account;
  });
  printResult(options, { user_id: user.id, email: user.email }, [
    `${user.email} can sign in again.`,
  ]);
}
