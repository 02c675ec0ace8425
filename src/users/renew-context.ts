import type { Context, Person, Tx } from "../core/context";
import { unauthorized } from "../core/errors";
import { loadRealm } from "../realm/queries";
import { findUser } from "./queries";

/**
 * The context with its realm and its actor as they are inside the write: rights may have changed since the request came.
 * Refuses somebody who was deactivated meanwhile.
 */
export async function renewContext(tx: Tx, ctx: Context<Person>): Promise<Context<Person>>;
export async function renewContext(tx: Tx, ctx: Context): Promise<Context>;
export async function renewContext(tx: Tx, ctx: Context): Promise<Context> {
  const realm = await loadRealm(tx, ctx.realm.id);
  const { actor } = ctx;
  if (!("user" in actor)) return { ...ctx, realm };
  const user = await findUser(tx, realm.id, actor.user.id);
  if (!user?.isActive) throw unauthorized();
  return { ...ctx, realm, actor: { ...actor, user } };
}
