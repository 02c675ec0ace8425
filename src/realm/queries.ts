import { asc, eq, sql } from "drizzle-orm";
import { type Reader, statement } from "../../db/reader";
import type { RealmRow } from "../core/context";
import { parseRealmSettings } from "./settings";

const selectByHost = statement((db, t) =>
  db
    .select()
    .from(t.realms)
    .where(eq(t.realms.host, sql.placeholder("host"))),
);

const selectById = statement((db, t) =>
  db
    .select()
    .from(t.realms)
    .where(eq(t.realms.id, sql.placeholder("id"))),
);

const selectAll = statement((db, t) => db.select().from(t.realms).orderBy(asc(t.realms.id)));

/** The organization at a host name, which is given without a port; a deactivated one too. */
export async function findRealmByHost(reader: Reader, host: string): Promise<RealmRow | undefined> {
  const [realm] = await selectByHost(reader, { host: host.toLowerCase() });
  return realm;
}

/** Every organization, oldest first. */
export async function listRealms(reader: Reader): Promise<RealmRow[]> {
  return selectAll(reader, {});
}

/** The one active organization of a server that has no other; undefined where there are none or several. */
export async function onlyRealm(reader: Reader): Promise<RealmRow | undefined> {
  const active = (await listRealms(reader)).filter(({ isActive }) => isActive);
  return active.length === 1 ? active[0] : undefined;
}

/** An organization that is known to exist, as of now. */
export async function loadRealm(reader: Reader, id: number): Promise<RealmRow> {
  const [realm] = await selectById(reader, { id });
  if (!realm) throw new Error(`There is no realm ${id}.`);
  return realm;
}

/** How many days a member's account must be old for them to count as a full member. */
export const waitingPeriodDays = (realm: Pick<RealmRow, "settings">) =>
  parseRealmSettings(realm.settings).waiting_period_threshold;
