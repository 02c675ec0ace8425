import { and, eq, isNotNull, ne } from "drizzle-orm";
import type { RealmRow, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { looksLike } from "../../core/text/look-alikes";
import { cleanEmail } from "../users/email-address";
import { requireNameNotHeld, requireUniqueName } from "../users/names";
import { requireNoSystemBotName } from "../users/system-bots";

/** The address of a bot, made from its short name. Refuses (BAD_REQUEST) an invalid short name. */
export function botEmail({ host }: Pick<RealmRow, "host">, shortName: string): string {
  const name = shortName.trim();
  if (name === "") throw badRequest("The short name of a bot must not be empty.");
  return cleanEmail(`${name}-bot@${host}`);
}

/**
 * Refuses (BAD_REQUEST) a new name that looks like that of another active bot or a system bot, and
 * like anybody's where the organization requires unique names.
 */
export async function requireNewBotName(
  tx: Tx,
  realm: RealmRow,
  fullName: string,
  exceptId = 0,
): Promise<void> {
  requireNoSystemBotName(fullName);
  const others = await otherBots(tx, realm, fullName, exceptId);
  if (others.some(looksLike(fullName))) {
    throw badRequest(`'${fullName}' looks like the name of another bot. Choose another one.`);
  }
  await requireUniqueName(tx, realm, fullName, exceptId);
}

/**
 * Refuses (BAD_REQUEST) a stored name that another active bot has or, where names must be unique,
 * anybody has.
 */
export async function requireFreeBotName(
  tx: Tx,
  realm: RealmRow,
  fullName: string,
  exceptId: number,
): Promise<void> {
  await otherBots(tx, realm, fullName, exceptId);
  await requireNameNotHeld(tx, realm, fullName, exceptId);
}

/** The names of the other active bots. Refuses a name that is among them. */
async function otherBots(
  tx: Tx,
  realm: RealmRow,
  fullName: string,
  exceptId: number,
): Promise<string[]> {
  const { users } = tx.t;
  const isOther = and(
    eq(users.realmId, realm.id),
    ne(users.id, exceptId),
    eq(users.isActive, true),
  );
  const rows = await tx.db
    .select({ name: users.fullName })
    .from(users)
    .where(and(isOther, isNotNull(users.botType)));
  const names = rows.map(({ name }) => name);
  if (names.includes(fullName)) throw badRequest(`There is already a bot named '${fullName}'.`);
  return names;
}
