import { asc, desc, eq, sql } from "drizzle-orm";
import type { Engine } from "../../db/engine";
import { type Given, type Reader, statement } from "../../db/reader";
import type { App, RealmRow } from "../core/context";
import { notePublicHost, publicHost } from "../core/network/site";
import { cached } from "../memory/cached";
import { logHeadIn } from "../memory/log-head";
import { standAt } from "../memory/realm-memory";
import { cachedUntilChange } from "../memory/until-change";
import { findRealmByHost, findRealmForHost, isAtHost, onlyChoice } from "./queries";

/** Number of hosts that are cached, because clients can invent any number of them. */
const hostsMax = 1_000;
const realmAt = cachedUntilChange<RealmRow | undefined>(["realms"], hostsMax);

/** A realm for a request's host, and the newest id of its log. */
interface Place {
  id: number;
  host: string;
  isActive: boolean;
  head: number | null;
}

/**
 * Active realms come first, so two rows tell whether there is a choice, without reading all realms
 * of a server.
 */
const placesForChoice = 2;

const selectPlaces = statement((db, t, given: Given<{ host: string }>) => {
  const { realms } = t;
  const head = logHeadIn(t, sql`"realms"."id"`);
  return db
    .select({
      id: realms.id,
      host: realms.host,
      isActive: realms.isActive,
      head: head.mapWith(Number).as("head"),
    })
    .from(realms)
    .where(isAtHost(t, given))
    .orderBy(desc(realms.isActive), asc(realms.id))
    .limit(placesForChoice);
});

const selectById = statement((db, { realms }, given: Given<{ id: number }>) =>
  db.select().from(realms).where(eq(realms.id, given.id)),
);

const knownRealm = cached(
  ["realms"],
  async (reader, id): Promise<RealmRow | undefined> => (await selectById(reader, { id }))[0],
  { isOneRead: true },
);

/** The realm of a request, and the reader for it. */
export interface Arrival {
  /** Undefined where the host has no realm, or where several are possible. */
  realm: RealmRow | undefined;
  /** Reads the data as of the arrival or later. */
  reader: Reader;
}

/**
 * Finds the realm of a request. `host` is the name in the request. An unknown host gets the only
 * realm, if there is only one.
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

const isHostTaken = cachedUntilChange<boolean>(["realms"], 1);

/**
 * Finds out whether an organization has the host of the configured address now, because another
 * process may have created or deleted it. On PostgreSQL this costs nothing more where `askedHost`,
 * the host of a request, is that one.
 */
export function learnPublicHost(app: App, askedHost = ""): Promise<void> | undefined {
  const host = publicHost(app);
  if (host === undefined) return undefined;
  const { quickReader, isRemote } = app.engine;
  const hasIt = async () => (await findRealmByHost(quickReader, host)) !== undefined;
  const isTaken = !isRemote
    ? isHostTaken(quickReader, host, hasIt)
    : hostName(askedHost) === host
      ? placesOf(quickReader, host).then((places) => places.some((place) => place.host === host))
      : inOneTurn(publicHosts, quickReader, host, hasIt);
  if (isTaken instanceof Promise) return isTaken.then((is) => notePublicHost(app, is));
  notePublicHost(app, isTaken);
  return undefined;
}

/** The host without its port, in lower case. */
export const hostName = (host: string) => host.replace(/:\d+$/, "").toLowerCase();

/**
 * Needs a single query: which realm it is, and the end of its log. Cached data as of that place is
 * as good as data read again, whichever node has written last.
 */
async function findAsOfNow(
  { quickReader }: Engine,
  reader: Reader,
  host: string,
): Promise<RealmRow | undefined> {
  const version = reader.dataState?.version() ?? 0;
  const place = onlyChoice(await placesOf(quickReader, host));
  if (!place) return undefined;
  await standAt(reader, place.id, { version, head: place.head ?? 0 });
  return knownRealm(reader, place.id);
}

/** Answers about hosts that requests of this turn of the event loop share, by their database. */
type Shared<Answer> = WeakMap<object, Map<string, Promise<Answer>>>;

const hostPlaces: Shared<Place[]> = new WeakMap();
const publicHosts: Shared<boolean> = new WeakMap();

const placesOf = (reader: Reader, host: string): Promise<Place[]> =>
  inOneTurn(hostPlaces, reader, host, () => selectPlaces(reader, { host }));

/**
 * Requests that arrive in one turn of the event loop share one query, because all of them were sent
 * before it began.
 */
function inOneTurn<Answer>(
  shared: Shared<Answer>,
  { db }: Reader,
  host: string,
  ask: () => PromiseLike<Answer>,
): Promise<Answer> {
  const ofTurn = shared.get(db) ?? new Map<string, Promise<Answer>>();
  const underWay = ofTurn.get(host);
  if (underWay) return underWay;
  if (ofTurn.size === 0) {
    shared.set(db, ofTurn);
    // Cleared before the client sends the queries of this turn, so that requests which arrive later
    // make a new query.
    setImmediate(() => shared.delete(db));
  }
  const answer = Promise.resolve(ask());
  ofTurn.set(host, answer);
  return answer;
}
