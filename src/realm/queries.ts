import { asc, eq, or, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { Config } from "../config";
import type { RealmRow } from "../core/context";
import { remembered } from "../memory/remembered";
import { parseRealmSettings } from "./settings";

const selectByHost = statement((db, t, given: Given<{ host: string }>) =>
  db.select().from(t.realms).where(eq(t.realms.host, given.host)),
);

/** The realm of a host, or all where there is none such. */
const selectAtHost = statement((db, { realms }, given: Given<{ host: string }>) => {
  const isThere = eq(realms.host, given.host);
  const isNobodys = sql`not exists (select 1 from ${realms} where ${isThere})`;
  return db.select().from(realms).where(or(isThere, isNobodys)).orderBy(asc(realms.id));
});

const selectById = statement((db, t, given: Given<{ id: number }>) =>
  db.select().from(t.realms).where(eq(t.realms.id, given.id)),
);

const selectAll = statement((db, t) => db.select().from(t.realms).orderBy(asc(t.realms.id)));

/** The organization at a host name, which is given without a port; a deactivated one too. */
export async function findRealmByHost(reader: Reader, host: string): Promise<RealmRow | undefined> {
  const [realm] = await selectByHost(reader, { host: host.toLowerCase() });
  return realm;
}

/** Every organization, oldest first. */
export async function listRealms(reader: Reader): Promise<RealmRow[]> {
  return selectAll(reader);
}

/**
 * The organization that requests for a host name go to: the one at that host, else the one active
 * organization of a server that has no other, or a deactivated one that is alone; undefined where
 * there are none or several.
 */
export async function findRealmForHost(
  reader: Reader,
  host: string,
): Promise<RealmRow | undefined> {
  return onlyChoice(await selectAtHost(reader, { host: host.toLowerCase() }));
}

/**
 * Of the realms that have a host, or of all where none has it, the one that requests for it go to.
 */
export function onlyChoice<Realm extends Pick<RealmRow, "isActive">>(
  realms: readonly Realm[],
): Realm | undefined {
  const active = realms.filter(({ isActive }) => isActive);
  if (active.length === 1) return active[0];
  return realms.length === 1 ? realms[0] : undefined;
}

/** An organization that is known to exist, as of now. */
export const loadRealm = remembered(["realms"], async (reader, id): Promise<RealmRow> => {
  const [realm] = await selectById(reader, { id });
  if (!realm) throw new Error(`There is no realm ${id}.`);
  return realm;
});

/** Number of days that a member's account must be old for them to count as a full member. */
export const waitingPeriodDays = (realm: Pick<RealmRow, "settings">) =>
  parseRealmSettings(realm.settings).waiting_period_threshold;

interface Place {
  app: { config: Pick<Config, "webPublicStreamsEnabled"> };
  realm: Pick<RealmRow, "settings">;
}

/**
 * Whether an organization has channels that are open to the web, and lets people who have not
 * signed in read them: the server must allow it (WEB_PUBLIC_STREAMS_ENABLED), and the organization
 * want it (`enable_spectator_access`).
 */
export const hasPublicAccess = ({ app: { config }, realm: { settings } }: Place): boolean =>
  config.webPublicStreamsEnabled && parseRealmSettings(settings).enable_spectator_access;
