import { daySeconds } from "../core/clock";
import type { Context, UserRow } from "../core/context";
import { isSameHash, makeBrowserId } from "../core/secrets/secrets";
import { leaveCookie, type Origin, readCookie } from "./cookies";

/** Longer than people are away; each sign-in starts it again. */
const lifeSeconds = 365 * daySeconds;
const valueForm = /^([A-Za-z0-9_-]{22})\.([0-9a-f]{64})$/;

type Account = Pick<UserRow, "realmId" | "id" | "passwordHash">;

/** One cookie per account, because several people may use a browser. */
const nameOf = ({ id }: Account) => `chatd_browser_${id}`;

/**
 * Signs the mark of a browser that has signed in to an account (a device cookie, as OWASP calls
 * it). It depends on the account's password: after a change of the password, no browser is known
 * any more.
 */
const markOf = (
  { app }: Pick<Context, "app">,
  { realmId, id, passwordHash }: Account,
  browserId: string,
) => app.secrets.hash("known-browser", `${realmId}:${id}:${browserId}:${passwordHash}`);

/** The mark of a browser that has signed in to an account before; undefined for another browser. */
export function findKnownBrowser(
  ctx: Pick<Context, "app">,
  account: Account | undefined,
  origin: Origin,
): string | undefined {
  if (!account || account.passwordHash === null) return undefined;
  const [, browserId, mark] = valueForm.exec(readCookie(origin, nameOf(account)) ?? "") ?? [];
  if (browserId === undefined || mark === undefined) return undefined;
  return isSameHash(mark, markOf(ctx, account, browserId)) ? browserId : undefined;
}

/**
 * The header that sets the mark of a browser after a sign-in. A known browser keeps its name, and
 * so its counted failures. Accounts without a password get no mark, because there is nothing to
 * guess.
 */
export function knownBrowserCookie(
  ctx: Pick<Context, "app">,
  account: Account,
  origin: Origin,
): (readonly [string, string])[] {
  if (account.passwordHash === null) return [];
  const browserId = findKnownBrowser(ctx, account, origin) ?? makeBrowserId();
  return [
    leaveCookie(
      origin,
      nameOf(account),
      `${browserId}.${markOf(ctx, account, browserId)}`,
      lifeSeconds,
    ),
  ];
}
