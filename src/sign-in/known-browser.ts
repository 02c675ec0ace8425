import type { Context, UserRow } from "../core/context";
import { isSameHash, makeBrowserId } from "../core/secrets";
import { leaveCookie, type Origin, readCookie } from "./cookies";

/** Longer than people are away; each sign-in begins it anew. */
const lifeSeconds = 365 * 24 * 3600;
const valueForm = /^([A-Za-z0-9_-]{22})\.([0-9a-f]{64})$/;

type Account = Pick<UserRow, "realmId" | "id" | "passwordHash">;

/** One for each account: a browser may know several people. */
const nameOf = ({ id }: Account) => `chatd_browser_${id}`;

/**
 * Signs that a browser has signed in to an account (a device cookie, as OWASP calls it). It holds
 * for the password that the account has: whoever knew an earlier one has no known browsers left.
 */
const markOf = (
  { app }: Pick<Context, "app">,
  { realmId, id, passwordHash }: Account,
  browserId: string,
) => app.secrets.hash("known-browser", `${realmId}:${id}:${browserId}:${passwordHash}`);

/**
 * The mark of a browser that has signed in to an account before; undefined for one that has not.
 */
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
 * The header by which a browser is known again that has shown whose it is. One that is known keeps
 * its name, and with that what it has failed with. None for who has no password: there is nothing
 * to guess.
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
