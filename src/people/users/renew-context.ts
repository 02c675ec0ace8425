import { and, eq, sql } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import type { Context, Person, Tx } from "../../core/context";
import { realmDeactivated, unauthorized } from "../../core/errors";
import { cached } from "../../memory/cached";
import { loadRealm } from "../../realm/queries";

/**
 * The context with its realm and its actor as of the write, because rights may have changed since
 * the request came. Refuses somebody who was deactivated meanwhile, or whose organization was.
 */
export async function renewContext(tx: Tx, ctx: Context<Person>): Promise<Context<Person>>;
export async function renewContext(tx: Tx, ctx: Context): Promise<Context>;
export async function renewContext(tx: Tx, ctx: Context): Promise<Context> {
  const realm = await loadRealm(tx, ctx.realm.id);
  const { actor } = ctx;
  if (!("user" in actor)) return { ...ctx, realm };
  if (!realm.isActive) throw realmDeactivated();
  const found = await senderOf(tx, realm.id, String(actor.user.id));
  if (!found?.user.isActive) throw unauthorized();
  return { ...ctx, realm, actor: { ...actor, user: found.user } };
}

/** Column names are written out, because drizzle omits the table's name in a query on one table. */
const selectSender = statement((db, t, given: Given<{ realmId: number; userId: number }>) => {
  const settings = sql<
    string | null
  >`(select r.settings from ${t.realms} r where r.id = users.realm_id and r.is_active = ${true})`;
  return db
    .select({ user: t.users, settings })
    .from(t.users)
    .where(and(eq(t.users.realmId, given.realmId), eq(t.users.id, given.userId)));
});

/** Number of a realm's senders that are cached. */
const sendersMax = 2_000;

const senderOf = cached(
  ["users", "realms"],
  async (reader, realmId, userId) => {
    const [sender] = await selectSender(reader, { realmId, userId: Number(userId) });
    return sender;
  },
  { variantsMax: sendersMax, isOneRead: true },
);

/**
 * Context as of this write, with at most one statement because every send needs it: of the realm,
 * only the settings are read again.
 */
export async function renewSender(tx: Tx, ctx: Context<Person>): Promise<Context<Person>> {
  const { realm, actor } = ctx;
  const found = await senderOf(tx, realm.id, String(actor.user.id));
  if (!found?.user.isActive) throw unauthorized();
  const { user, settings } = found;
  if (settings === null) throw realmDeactivated();
  return { ...ctx, realm: { ...realm, settings }, actor: { ...actor, user } };
}
