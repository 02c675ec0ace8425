import { and, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { isInTexts } from "../../../db/sql/json";
import type { Context, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { emailKeyOf, findUserByEmail, findUsersByIds } from "../../people/users/queries";
import { mayName, viewerOf } from "../../people/users/viewer";

/** A user in a request. */
export type Principal = number | string;

/** The user that a request means. */
export interface Named {
  id: number;
  botOwnerId: number | null;
  isSystemBot: boolean;
}

/**
 * Refuses (BAD_REQUEST) the bots of the system, which write everywhere without being subscribed.
 */
export function requireNoSystemBot(people: readonly Named[]) {
  const bot = people.find(({ isSystemBot }) => isSystemBot);
  if (bot) throw badRequest(`Nobody subscribes the bots of the system: leave out user ${bot.id}.`);
}

/**
 * The active users with these ids or e-mail addresses, without duplicates. Refuses all if one is
 * missing, deactivated, or may not be named so by the actor.
 */
export async function loadPrincipals(
  reader: Reader,
  ctx: Context,
  principals: readonly Principal[],
): Promise<Named[]> {
  const usersByPrincipal = await findActive(reader, ctx.realm.id, principals);
  const viewer = await viewerOf(
    reader,
    ctx,
    [...usersByPrincipal.values()].map(({ id }) => id),
  );
  const found = new Map<number, Named>();
  for (const one of principals) {
    const user = usersByPrincipal.get(one);
    if (user && mayName(viewer, user, one)) found.set(user.id, user);
    else
      throw badRequest(
        `There is no active user ${typeof one === "number" ? `with ID ${one}` : `'${one}'`}.`,
      );
  }
  return [...found.values()];
}

const selectActiveByKeys = statement(
  (db, { users }, given: Given<{ realmId: number; keys: string }>, dialect) =>
    db
      .select()
      .from(users)
      .where(
        and(
          eq(users.realmId, given.realmId),
          eq(users.isActive, true),
          isInTexts(dialect, users.emailKey, given.keys),
        ),
      ),
);

async function findActive(
  reader: Reader,
  realmId: number,
  principals: readonly Principal[],
): Promise<Map<Principal, UserRow>> {
  const ids = principals.filter((one) => typeof one === "number");
  const emails = principals.filter((one) => typeof one === "string");
  const byId = (await findUsersByIds(reader, realmId, ids)).filter(({ isActive }) => isActive);
  const found = new Map<Principal, UserRow>(byId.map((user) => [user.id, user]));
  // PostgreSQL refuses halves of characters in JSON.
  const keys = JSON.stringify(emails.map((email) => emailKeyOf(email).toWellFormed()));
  const rows = emails.length === 0 ? [] : await selectActiveByKeys(reader, { realmId, keys });
  const byKey = new Map(rows.map((user) => [user.emailKey, user]));
  for (const email of emails) {
    const user = byKey.get(emailKeyOf(email)) ?? (await findUserByEmail(reader, realmId, email));
    if (user?.isActive) found.set(email, user);
  }
  return found;
}
