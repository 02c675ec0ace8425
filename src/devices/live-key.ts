import { and, eq } from "drizzle-orm";
import type { Context, Person, Tx } from "../core/context";
import { unauthorized } from "../core/errors";

/**
 * Refuses (UNAUTHORIZED, 401) in a write a registration by an API key, or in a session, that has
 * ended since the request came: it would never end, because nothing would remove it any more.
 * Source: `docs/protocol/security-cases.md`, I1.
 */
export async function requireLiveKey(
  { db, t: { apiKeys } }: Tx,
  { realm, actor }: Context<Person>,
): Promise<void> {
  const isIt = and(eq(apiKeys.realmId, realm.id), eq(apiKeys.id, actor.apiKeyId));
  if ((await db.$count(apiKeys, isIt)) === 0) throw unauthorized();
}
