import { and, eq, inArray } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { badRequest } from "../core/errors";
import { emailKeyOf, findUserByEmail } from "../users/queries";
import { inChunks } from "./queries";

/** A person as they are named in a request. */
export type Principal = number | string;

/** The user that a request means. */
export interface Named {
  id: number;
  botOwnerId: number | null;
}

/** The active users of these ids or e-mail addresses, each once. Refuses all if one is unknown or deactivated. */
export async function loadPrincipals(
  reader: Reader,
  realmId: number,
  principals: readonly Principal[],
): Promise<Named[]> {
  const ids = principals.filter((one) => typeof one === "number");
  const emails = principals.filter((one) => typeof one === "string");
  const byId = await findActiveByIds(reader, realmId, ids);
  const found = new Map<number, Named>();
  for (const id of ids) {
    const user = byId.get(id);
    if (!user) throw badRequest(`There is no active user with ID ${id}.`);
    found.set(user.id, user);
  }
  const byEmail = await findActiveByEmails(reader, realmId, emails.map(emailKeyOf));
  for (const email of emails) {
    const user = byEmail.get(emailKeyOf(email)) ?? (await findUserByEmail(reader, realmId, email));
    if (!user || ("isActive" in user && !user.isActive)) throw badRequest(`There is no active user '${email}'.`);
    found.set(user.id, { id: user.id, botOwnerId: user.botOwnerId });
  }
  return [...found.values()];
}

async function findActiveByIds(reader: Reader, realmId: number, ids: number[]): Promise<Map<number, Named>> {
  const { users } = reader.t;
  const found = new Map<number, Named>();
  for (const chunk of inChunks(ids)) {
    const rows = await reader.db
      .select({ id: users.id, botOwnerId: users.botOwnerId })
      .from(users)
      .where(and(eq(users.realmId, realmId), eq(users.isActive, true), inArray(users.id, chunk)));
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}

async function findActiveByEmails(reader: Reader, realmId: number, keys: string[]): Promise<Map<string, Named>> {
  const { users } = reader.t;
  const found = new Map<string, Named>();
  for (const chunk of inChunks(keys)) {
    const rows = await reader.db
      .select({ id: users.id, botOwnerId: users.botOwnerId, emailKey: users.emailKey })
      .from(users)
      .where(and(eq(users.realmId, realmId), eq(users.isActive, true), inArray(users.emailKey, chunk)));
    for (const { id, botOwnerId, emailKey } of rows) found.set(emailKey, { id, botOwnerId });
  }
  return found;
}
