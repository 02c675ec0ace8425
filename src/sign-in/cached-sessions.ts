import { and, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { App, Person, RealmRow, UserRow } from "../core/context";
import { isSameHash } from "../core/secrets/secrets";
import { cachedBy } from "../memory/cached";
import { cachedUntilChange } from "../memory/until-change";

/** A stored session with its owner. */
interface StoredSession {
  id: number;
  browser: string;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  user: UserRow;
  /** The sender of the session's requests. */
  person: Person;
  csrfToken: string;
}

const selectByHash = statement((db, t, given: Given<{ realmId: number; hash: string }>) =>
  db
    .select({
      session: {
        id: t.apiKeys.id,
        hash: t.apiKeys.hash,
        browser: t.apiKeys.label,
        createdAt: t.apiKeys.createdAt,
        expiresAt: t.sessions.expiresAt,
        lastSeenAt: t.sessions.lastSeenAt,
      },
      user: t.users,
    })
    .from(t.apiKeys)
    .innerJoin(
      t.sessions,
      and(eq(t.sessions.realmId, t.apiKeys.realmId), eq(t.sessions.apiKeyId, t.apiKeys.id)),
    )
    .innerJoin(
      t.users,
      and(eq(t.users.realmId, t.apiKeys.realmId), eq(t.users.id, t.apiKeys.userId)),
    )
    .where(
      and(
        eq(t.apiKeys.realmId, given.realmId),
        eq(t.apiKeys.hash, given.hash),
        eq(t.apiKeys.isSession, true),
      ),
    ),
);

/**
 * Number of sessions that are cached, by their tokens and only in memory, until a key, a session,
 * an account or a realm changes.
 */
const sessionsMax = 10_000;
const tables = ["api_keys", "sessions", "users", "realms"] as const;
const sessionOf = cachedUntilChange<StoredSession | undefined>(tables, sessionsMax);
const sessionAsOf = cachedBy<StoredSession | undefined>(tables, {
  variantsMax: sessionsMax,
  isOneRead: true,
  isKept: (session) => session !== undefined,
});

/**
 * The session of a token whose account is active; undefined if there is none. The caller checks
 * whether it has expired. Uses the data at the time when the request arrived: with a remote
 * database, the request's own `reader` knows where the realm's log ended.
 */
export function recallSession(
  app: App,
  { id }: RealmRow,
  token: string,
  reader: Reader,
): StoredSession | undefined | Promise<StoredSession | undefined> {
  const { isRemote, quickReader } = app.engine;
  const load = () => loadSession(app, id, token);
  return isRemote
    ? sessionAsOf(reader, id, token, load)
    : sessionOf(quickReader, `${id} ${token}`, load);
}

/** The CSRF token of a session, by the token of its cookie. */
export const csrfTokenOf = (secrets: App["secrets"], token: string): string =>
  secrets.hash("csrf", token);

async function loadSession(
  { engine, secrets }: App,
  realmId: number,
  token: string,
): Promise<StoredSession | undefined> {
  const hash = secrets.hash("session", token);
  const [{ session, user } = {}] = await selectByHash(engine.quickReader, { realmId, hash });
  if (!session || !user?.isActive || !isSameHash(session.hash, hash)) return undefined;
  const { id, browser, createdAt, lastSeenAt, expiresAt } = session;
  const csrfToken = csrfTokenOf(secrets, token);
  const person: Person = { kind: "user", user, apiKeyId: id, isSession: true };
  return { id, browser, createdAt, lastSeenAt, expiresAt, user, person, csrfToken };
}
