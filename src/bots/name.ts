import { and, eq, isNotNull, ne } from "drizzle-orm";
import type { RealmRow, Tx } from "../core/context";
import { badRequest } from "../core/errors";
import { cleanEmail, requireUniqueName } from "../users/create";

/** The address of a bot, which is made from its short name. Refuses (BAD_REQUEST) one that makes none. */
export function botEmail({ host }: Pick<RealmRow, "host">, shortName: string): string {
  const name = shortName.trim();
  if (name === "") throw badRequest("The short name of a bot must not be empty.");
  return cleanEmail(`${name}-bot@${host}`);
}

/**
 * Refuses (BAD_REQUEST) a name that another active bot has, and one that anybody has, where the organization wants names to
 * differ.
 */
export async function requireFreeBotName(tx: Tx, realm: RealmRow, fullName: string, exceptId = 0): Promise<void> {
  const { users } = tx.t;
  const isOther = and(eq(users.realmId, realm.id), eq(users.fullName, fullName), ne(users.id, exceptId));
  const taken = await tx.db
    .select({ id: users.id })
    .from(users)
    .where(and(isOther, eq(users.isActive, true), isNotNull(users.botType)))
    .limit(1);
  if (taken.length > 0) throw badRequest(`There is a bot named '${fullName}' already.`);
  await requireUniqueName(tx, realm, fullName, exceptId);
}
