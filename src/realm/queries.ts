import { asc, eq, or, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { Config } from "../config/config";
import type { RealmRow } from "../core/context";
import { cached } from "../memory/cached";
import { parseRealmSettings } from "./settings";

const selectByHost = statement((db, t, given: Given<{ host: string }>) =>
  db.select().from(t.realms).where(eq(t.realms.host, given.host)),
);

/** The condition for the realm with a host, or for all realms if none has it. */
export function isAtHost({ realms }: Reader["t"], given: Given<{ host: string }>) {
  const isThere = eq(realms.host, given.host);
  return or(isThere, sql`not exists (select 1 from ${realms} where ${isThere})`);
}

const selectAtHost = statement((db, t, given: Given<{ host: string }>) =>
  db.select().from(t.realms).where(isAtHost(t, given)).orderBy(asc(t.realms.id)),
);

const selectById = statement((db, t, given: Given<{ id: number }>) =>
  db.select().from(t.realms).where(eq(t.realms.id, given.id)),
);

const selectAll = statement((db, t) => db.select().from(t.realms).orderBy(asc(t.realms.id)));

/** The organization with a host name, which is given without a port; also a deactivated one. */
export async function findRealmByHost(reader: Reader, host: string): Promise<RealmRow | undefined> {
  const [realm] = await selectByHost(reader, { host: host.toLowerCase() });
  return realm;
}

/** Every organization, oldest first. */
export async function listRealms(reader: Reader): Promise<RealmRow[]> {
  return selectAll(reader);
}

/**
 * The organization for requests to a host name: the one with that host, or else the only active
 * organization of the server, or the only organization at all, even if deactivated; undefined where
 * there are none or several.
 */
export async function findRealmForHost(
  reader: Reader,
  host: string,
): Promise<RealmRow | undefined> {
  return onlyChoice(await selectAtHost(reader, { host: host.toLowerCase() }));
}

/** The realm for requests to a host, among those that have it, or among all where none has it. */
export function onlyChoice<Realm extends Pick<RealmRow, "isActive">>(
  realms: readonly Realm[],
): Realm | undefined {
  const active = realms.filter(({ isActive }) => isActive);
  if (active.length === 1) return active[0];
  return realms.length === 1 ? realms[0] : undefined;
}

/** An organization that must exist, as of now. */
export const loadRealm = cached(["realms"], async (reader, id): Promise<RealmRow> => {
  const [realm] = await selectById(reader, { id });
  if (!realm) throw new Error(`There is no realm ${id}.`);
  return realm;
});

/** Number of days after which a member's account counts as a full member. */
export const waitingPeriodDays = (realm: Pick<RealmRow, "settings">) =>
  parseRealmSettings(realm.settings).waiting_period_threshold;

interface Place {
  app: { config: Pick<Config, "webPublicStreamsEnabled"> };
  realm: Pick<RealmRow, "settings">;
}

/**
 * Whether an organization lets people who have not signed in read its web-public channels: the
 * server must allow it (WEB_PUBLIC_STREAMS_ENABLED), and the organization too
 * (`enable_spectator_access`).
 */
export const hasPublicAccess = ({ app: { config }, realm: { settings } }: Place): boolean =>
  config.webPublicStreamsEnabled && parseRealmSettings(settings).enable_spectator_access;
