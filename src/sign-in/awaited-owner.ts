import { and, asc, eq, isNull } from "drizzle-orm";
import type { App, RealmRow, UserRow } from "../core/context";
import { roles } from "../core/rights/role";

/** Number of owners that are checked; a first start makes one. */
const ownersMax = 20;

/**
 * The owner for whose first sign-in an organization waits: no owner has signed in yet, or has a
 * password to do so. Undefined if there is none.
 */
export async function findAwaitedOwner(app: App, { id }: RealmRow): Promise<UserRow | undefined> {
  const { db, t } = app.engine.reader;
  const isOwner = and(
    eq(t.users.realmId, id),
    eq(t.users.role, roles.owner),
    eq(t.users.isActive, true),
    isNull(t.users.botType),
  );
  const owners = await db
    .select()
    .from(t.users)
    .where(isOwner)
    .orderBy(asc(t.users.id))
    .limit(ownersMax);
  const hasOneComeIn = owners.some(
    ({ awaitsFirstSignIn, passwordHash }) => !awaitsFirstSignIn || passwordHash !== null,
  );
  return hasOneComeIn ? undefined : owners[0];
}
