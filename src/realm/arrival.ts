import { asc, desc, eq, or, sql } from "drizzle-orm";
import type { Engine } from "../../db/engine";
import { type Given, type Reader, statement } from "../../db/reader";
import type { RealmRow } from "../core/context";
import { logHeadIn } from "../memory/log-head";
import { standAt } from "../memory/realm-memory";
import { remembered } from "../memory/remembered";
import { rememberedUntilChange } from "../memory/until-change";
import { findRealmForHost, onlyChoice } from "./queries";

/** So many hosts are remembered: anybody can make up others. */
const hostsMax = 1_000;
const realmAt = rememberedUntilChange<RealmRow | undefined>(["realms"], hostsMax);

/** A realm that requests may go to, and the newest id of its log. */
interface Place {
  id: number;
  isActive: boolean;
  head: number | null;
}

/**
 * With the active ones first, the second tells whether there is a choice: nobody need look at all
 * realms of a server.
 */
const placesForChoice = 2;

const selectPlaces = statement((db, t, given: Given<{ host: string }>) => {
  const { realms } = t;
  const isThere = eq(realms.host, given.host);
  const isNobodys = sql`not exists (select 1 from ${realms} where ${isThere})`;
  const head = logHeadIn(t, sql`"realms"."id"`);
  return db
    .select({ id: realms.id, isActive: realms.isActive, head: head.mapWith(Number).as("head") })
    .from(realms)
    .where(or(isThere, isNobodys))
    .orderBy(desc(realms.isActive), asc(realms.id))
    .limit(placesForChoice);
});

const selectById = statement((db, { realms }, given: Given<{ id: number }>) =>
  db.select().from(realms).where(eq(realms.id, given.id)),
);

const knownRealm = remembered(
  ["realms"],
  async (reader, id): Promise<RealmRow | undefined> => (await selectById(reader, { id }))[0],
  { isOneRead: true },
);

/** Realm that a request goes to, and the reader for it. */
export interface Arrival {
  /** Undefined where there is none for the host, or where there are several to choose from. */
  realm: RealmRow | undefined;
  /** Sees the data as of the arrival or later. */
  reader: Reader;
}

/**
 * `host` is what the request calls it. One for a host that nobody has goes to the only realm, where
 * there is just one.
 */
export function arrive(engine: Engine, host: string): Arrival | Promise<Arrival> {
  const { quickReader } = engine;
  const reader = engine.openReader();
  const found = engine.isRemote
    ? findAsOfNow(engine, reader, hostName(host))
    : realmAt(quickReader, host, () => findRealmForHost(quickReader, hostName(host)));
  return found instanceof Promise
    ? found.then((realm) => ({ realm, reader }))
    : { realm: found, reader };
}

/** The host without its port, in lower case. */
export const hostName = (host: string) => host.replace(/:\d+$/, "").toLowerCase();

/**
 * Asks the database one thing only: which realm it is and where its log stands. Data remembered as
 * of that place is as good as read anew, whichever node has changed something.
 */
async function findAsOfNow(
  { quickReader }: Engine,
  reader: Reader,
  host: string,
): Promise<RealmRow | undefined> {
  const version = reader.standpoint?.version() ?? 0;
  const place = onlyChoice(await placesOf(quickReader, host));
  if (!place) return undefined;
  await standAt(reader, place.id, { version, head: place.head ?? 0 });
  return knownRealm(reader, place.id);
}

const asked = new WeakMap<object, Map<string, Promise<Place[]>>>();

/**
 * Requests that arrive in one turn of the event loop were sent before it began: the database is
 * asked once for them all.
 */
function placesOf(reader: Reader, host: string): Promise<Place[]> {
  const { db } = reader;
  const ofTurn = asked.get(db) ?? new Map<string, Promise<Place[]>>();
  const underWay = ofTurn.get(host);
  if (underWay) return underWay;
  if (ofTurn.size === 0) {
    asked.set(db, ofTurn);
    // Before the client sends what was asked for in this turn: what comes after it has been sent
    // asks anew.
    setImmediate(() => asked.delete(db));
  }
  const places = Promise.resolve(selectPlaces(reader, { host }));
  ofTurn.set(host, places);
  return places;
}
