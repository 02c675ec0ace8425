import { and, eq, inArray, type SQL } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import { inChunks } from "../../core/chunks";
import type { Context, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { mayName, onlookerOf } from "../../people/users/onlooker";
import { emailKeyOf, findUserByEmail } from "../../people/users/queries";

/** A user in a request. */
export type Principal = number | string;

/** The user that a request means. */
export interface Named {
  id: number;
  botOwnerId: number | null;
  isSystemBot: boolean;
}

/** Refuses (BAD_REQUEST) the bots of the system, which write everywhere without being subscribed. */
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
  const onlooker = await onlookerOf(
    reader,
    ctx,
    [...usersByPrincipal.values()].map(({ id }) => id),
  );
  const found = new Map<number, Named>();
  for (const one of principals) {
    const user = usersByPrincipal.get(one);
    if (user && mayName(onlooker, user, one)) found.set(user.id, user);
    else
      throw badRequest(
        `There is no active user ${typeof one === "number" ? `with ID ${one}` : `'${one}'`}.`,
      );
  }
  return [...found.values()];
}

async function findActive(
  reader: Reader,
  realmId: number,
  principals: readonly Principal[],
): Promise<Map<Principal, UserRow>> {
  const { users } = reader.t;
  const ids = principals.filter((one) => typeof one === "number");
  const emails = principals.filter((one) => typeof one === "string");
  const byId = await findActiveAmong(
    reader,
    realmId,
    inChunks(ids).map((chunk) => inArray(users.id, chunk)),
  );
  const found = new Map<Principal, UserRow>(byId.map((user) => [user.id, user]));
  const keys = inChunks(emails.map(emailKeyOf));
  const rows = await findActiveAmong(
    reader,
    realmId,
    keys.map((chunk) => inArray(users.emailKey, chunk)),
  );
  const byKey = new Map(rows.map((user) => [user.emailKey, user]));
  for (const email of emails) {
    const user = byKey.get(emailKeyOf(email)) ?? (await findUserByEmail(reader, realmId, email));
    if (user?.isActive) found.set(email, user);
  }
  return found;
}

async function findActiveAmong(
  { db, t }: Reader,
  realmId: number,
  conditions: SQL[],
): Promise<UserRow[]> {
  const found: UserRow[] = [];
  for (const condition of conditions) {
    const isAmong = and(eq(t.users.realmId, realmId), eq(t.users.isActive, true), condition);
    found.push(...(await db.select().from(t.users).where(isAmong)));
  }
  return found;
}
