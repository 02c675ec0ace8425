import { and, asc, eq, inArray, lte, or } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { isSelf } from "../core/account";
import type { App, Context, Person, RealmRow, Tx, UserRow } from "../core/context";
import { accessDenied, csrfFailed, realmDeactivated, unauthorized } from "../core/errors";
import { perServer } from "../core/per-server";
import { makeSessionToken } from "../core/secrets/secrets";
import { isTroubleOfDatabase, tellOwnFailure } from "../core/storage/database-trouble";
import { write } from "../core/write";
import { loadUser } from "../people/users/queries";
import { removeKeys } from "./api-keys";
import { browserName } from "./browser-name";
import { recallSession } from "./cached-sessions";
import { type Origin, requireOwnOrigin } from "./cookies";
import { isToken } from "./csrf-token";

/** A browser that is signed in. Times are UNIX seconds; `lastSeenAt` may lag. */
export interface Session {
  id: number;
  browser: string;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
}

/** The session of a request. */
export interface OpenSession extends Session {
  person: Person;
  user: UserRow;
  /**
   * Token that the pages of the session send with each change, so that no other site can send
   * requests for them. The pages contain it masked (`maskToken`).
   */
  csrfToken: string;
}

/**
 * Number of times that the last use of a session is stored during the time after which an unused
 * session ends.
 */
const savedPerIdleTime = 20;

/**
 * Opens a session for a browser: part of every way to sign in. Answers the token for its cookie,
 * which is always new; only its keyed hash is stored. If the user has too many sessions, the oldest
 * end. Announced to nobody.
 */
export async function openSessionIn(
  tx: Tx,
  ctx: Context,
  user: UserRow,
  userAgent: string | null,
): Promise<string> {
  const { app } = ctx;
  const { apiKeys, sessions } = tx.t;
  const { realmId, id: userId } = user;
  const { sessionLifeSeconds, sessionsPerUserMax } = app.config;
  const present = await selectSessions(tx, realmId, userId);
  const surplus = present.slice(0, Math.max(0, present.length - sessionsPerUserMax + 1));
  await removeKeys(tx, realmId, surplus);
  const token = makeSessionToken();
  const key = {
    realmId,
    userId,
    hash: app.secrets.hash("session", token),
    label: browserName(userAgent),
  };
  const rows = await tx.db
    .insert(apiKeys)
    .values({ ...key, createdAt: tx.now, isSession: true })
    .returning({ apiKeyId: apiKeys.id });
  const times = { expiresAt: tx.now + sessionLifeSeconds, lastSeenAt: tx.now };
  await tx.db
    .insert(sessions)
    .values(rows.map(({ apiKeyId }) => ({ realmId, apiKeyId, userId, ...times })));
  tx.audit(ctx, {
    action: "session.start",
    kind: "user",
    ids: [userId],
    proven: user,
    after: { session_ids: rows.map(({ apiKeyId }) => apiKeyId), browser: key.label },
  });
  return token;
}

/**
 * The session of a token from a browser's cookie, of an active account of this realm; undefined if
 * there is none. Uses the data at the time when the request arrived (`reader` is the request's
 * own). Notes from time to time that the session was used.
 */
export function findSession(
  app: App,
  realm: RealmRow,
  token: string | undefined,
  now: number,
  reader: Reader,
): MaybeSession | Promise<MaybeSession> {
  if (token === undefined) return undefined;
  // A cached session is returned without waiting, because each request of a browser needs it.
  const recalled = recallSession(app, realm, token, reader);
  return recalled instanceof Promise
    ? recalled.then((session) => useSession(app, realm, session, now))
    : useSession(app, realm, recalled, now);
}

type MaybeSession = OpenSession | undefined;

function useSession(
  app: App,
  realm: RealmRow,
  session: MaybeSession,
  now: number,
): MaybeSession | Promise<MaybeSession> {
  if (!session) return undefined;
  const { sessionIdleSeconds } = app.config;
  const { id, expiresAt, lastSeenAt } = session;
  if (now >= expiresAt || now >= lastSeenAt + sessionIdleSeconds) return undefined;
  return now >= lastSeenAt + sessionIdleSeconds / savedPerIdleTime
    ? noteSeenIfPossible(app, realm, id, now).then(() => session)
    : session;
}

/** Writes under way that note the use of a session, by its id. */
const underWay = perServer(() => new Map<number, Promise<void>>());

/**
 * Notes the use of a session, once for all requests that a page sends at one time. Trouble of the
 * database does not end a session, because requests that only read need no write.
 */
function noteSeenIfPossible(app: App, realm: RealmRow, apiKeyId: number, now: number) {
  const writes = underWay.of(app);
  const noting =
    writes.get(apiKeyId) ??
    noteSeen(app, realm, apiKeyId, now)
      .catch((error: unknown) => {
        if (!isTroubleOfDatabase(error)) throw error;
        tellOwnFailure(app, "warn", "session_use_not_stored", error);
      })
      .finally(() => writes.delete(apiKeyId));
  writes.set(apiKeyId, noting);
  return noting;
}

/** Refuses (UNAUTHORIZED, 401) in a write a request whose session has ended meanwhile. */
export async function requireOpenSessionIn(
  { db, t: { sessions } }: Tx,
  realmId: number,
  id: number,
): Promise<void> {
  const rows = await db
    .select({ id: sessions.apiKeyId })
    .from(sessions)
    .where(and(eq(sessions.realmId, realmId), eq(sessions.apiKeyId, id)));
  if (rows.length === 0) throw unauthorized("This browser is signed out: sign in again.");
}

async function noteSeen(app: App, realm: RealmRow, apiKeyId: number, now: number) {
  await write({ app, realm, now }, async (tx) => {
    const { sessions } = tx.t;
    await tx.db
      .update(sessions)
      .set({ lastSeenAt: now })
      .where(and(eq(sessions.realmId, realm.id), eq(sessions.apiKeyId, apiKeyId)));
  });
}

/** A request in a browser's session. `token` is the token of its cookie. */
interface SentInSession {
  method: string;
  origin: () => Origin;
  token: string | undefined;
}

/**
 * Sender of a request in a browser's session. A change must come from a page of this server and
 * carry the session's CSRF token in the header `X-CSRFToken` (CSRF_FAILED, 403). Refuses all
 * invalid sessions alike (UNAUTHORIZED, 401).
 */
export async function authenticateSession(
  app: App,
  realm: RealmRow,
  { method, origin, token }: SentInSession,
  now: number,
  reader: Reader,
): Promise<Person> {
  if (!realm.isActive) throw realmDeactivated();
  const session = await findSession(app, realm, token, now, reader);
  if (!session) throw unauthorized();
  if (method !== "GET" && method !== "HEAD")
    requireCsrfProof(session, origin(), origin().header("x-csrftoken") ?? "");
  return session.person;
}

/** Refuses changes that another site could have sent in a session (CSRF_FAILED, 403). */
export function requireCsrfProof({ csrfToken }: OpenSession, origin: Origin, given: string): void {
  requireOwnOrigin(origin);
  if (!isToken(csrfToken, given)) {
    throw csrfFailed(
      "The CSRF token is missing or that of another session. Load the page again and repeat this.",
      "token",
    );
  }
}

/** Refuses access to sessions of others, because only the operator may see or end those. */
function requireOwnSessions({ actor }: Context, userId: number) {
  const isOwn = actor.kind === "operator" || isSelf(actor, userId);
  if (!isOwn) throw accessDenied("You can only see and end sessions of your own account.");
}

/** The browsers in which a person is signed in, oldest first, for the operator and the person. */
export async function listSessions(ctx: Context, userId: number): Promise<Session[]> {
  await loadUser(ctx.reader, ctx.realm.id, userId);
  requireOwnSessions(ctx, userId);
  const { sessionIdleSeconds } = ctx.app.config;
  const isLive = ({ expiresAt, lastSeenAt }: Session) =>
    ctx.now < expiresAt && ctx.now < lastSeenAt + sessionIdleSeconds;
  return (await selectSessions(ctx.reader, ctx.realm.id, userId)).filter(isLive);
}

function selectSessions(
  { db, t: { apiKeys, sessions } }: Pick<Reader, "db" | "t">,
  realmId: number,
  userId: number,
) {
  return db
    .select({
      id: apiKeys.id,
      browser: apiKeys.label,
      createdAt: apiKeys.createdAt,
      expiresAt: sessions.expiresAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(apiKeys)
    .innerJoin(
      sessions,
      and(eq(sessions.realmId, apiKeys.realmId), eq(sessions.apiKeyId, apiKeys.id)),
    )
    .where(
      and(eq(apiKeys.realmId, realmId), eq(apiKeys.userId, userId), eq(apiKeys.isSession, true)),
    )
    .orderBy(asc(apiKeys.id));
}

/**
 * Signs a person out of all browsers, for the operator and the person; answers their number. See
 * `endSessionsIn`.
 */
export async function endSessions(ctx: Context, userId: number): Promise<number> {
  return write(ctx, async (tx) => {
    await loadUser(tx, ctx.realm.id, userId);
    requireOwnSessions(ctx, userId);
    const ended = await endSessionsIn(tx, ctx.realm.id, userId);
    tx.audit(ctx, { action: "session.end", kind: "user", ids: [userId], before: { count: ended } });
    return ended;
  });
}

/**
 * The part of signing a person out of all browsers, or of some, that runs in a write; answers their
 * number. The event queues and held polls of the sessions end too. Announced to nobody.
 */
export async function endSessionsIn(
  tx: Tx,
  realmId: number,
  userId: number,
  isEnding: (sessionId: number) => boolean = () => true,
): Promise<number> {
  const present = await selectSessions(tx, realmId, userId);
  const ended = present.filter(({ id }) => isEnding(id));
  await removeKeys(tx, realmId, ended);
  return ended.length;
}

/**
 * Number of sessions that end in one write, so that other writes do not wait longer than for a
 * large message.
 */
const endedPerWrite = 100;

/** Removes expired sessions, with everything that they opened. */
export async function tidySessions(app: App, realmIds: readonly number[]): Promise<void> {
  const { reader, schema: t } = app.engine;
  const now = app.clock.now();
  const { sessions } = t;
  const isOver = or(
    lte(sessions.expiresAt, now),
    lte(sessions.lastSeenAt, now - app.config.sessionIdleSeconds),
  );
  const select = ({ db }: Pick<Reader, "db">, ids: readonly number[]) =>
    db
      .select({ id: sessions.apiKeyId, realmId: sessions.realmId })
      .from(sessions)
      .where(and(inArray(sessions.realmId, [...ids]), isOver))
      .limit(endedPerWrite);
  const removeSome = (id: number) =>
    write({ app, realm: { id }, now }, async (tx) => removeKeys(tx, id, await select(tx, [id])));
  for (
    let found = await select(reader, realmIds);
    found.length > 0;
    found = await select(reader, realmIds)
  ) {
    for (const id of new Set(found.map(({ realmId }) => realmId))) await removeSome(id);
  }
}
