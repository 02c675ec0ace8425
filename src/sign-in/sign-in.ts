import { and, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { App, Person, RealmRow, UserRow } from "../core/context";
import {
  badRequest,
  invalidApiKey,
  missingParameter,
  realmDeactivated,
  unauthorized,
  wrongApiKey,
} from "../core/errors";
import { isSameHash } from "../core/secrets/secrets";
import { cachedBy } from "../memory/cached";
import { cachedUntilChange } from "../memory/until-change";
import { findUser, isOwnEmail } from "../people/users/queries";
import { type Origin, readSessionCookie } from "./cookies";
import { authenticateSession } from "./sessions";

const apiKeyForm = /^[A-Za-z0-9]{32}$/;

/** Longer than any e-mail address with a key in Base64: longer values are not decoded. */
const authorizationLengthMax = 2_000;

const selectByHash = statement((db, t, given: Given<{ realmId: number; hash: string }>) =>
  db
    .select({ id: t.apiKeys.id, userId: t.apiKeys.userId, hash: t.apiKeys.hash })
    .from(t.apiKeys)
    .where(and(eq(t.apiKeys.realmId, given.realmId), eq(t.apiKeys.hash, given.hash))),
);

/**
 * Signer of a request: HTTP Basic with the user's own e-mail address (real or placeholder) and an
 * API key (RFC 7617). Uses the database as it is when the request arrives, so that a revoked key or
 * a deactivated account counts at once. `reader` belongs to the request. Refuses all wrong
 * credentials alike (UNAUTHORIZED, 401), but a scheme other than Basic with BAD_REQUEST.
 */
export async function authenticate(
  app: App,
  realm: RealmRow,
  authorization: string | null,
  reader: Reader,
): Promise<Person> {
  if (!realm.isActive) throw realmDeactivated();
  if (authorization === null || authorization.length > authorizationLengthMax) throw unauthorized();
  const load = () => findSigner(app, realm, authorization);
  const isUsual = authorization.length <= signatureLengthMax;
  const signer = await (isUsual ? findKnown(app, realm, authorization, reader, load) : load());
  if (!signer) throw wrongApiKey();
  return signer;
}

/**
 * Sender of a request: by its signature, or else by a browser's session. A cookie beside a
 * signature is ignored. `token` is the token of the session's cookie, if there is one.
 */
export async function authenticateRequest(
  app: App,
  realm: RealmRow,
  request: Request,
  url: string,
  reader: Reader,
  token: string | undefined,
): Promise<Person> {
  const authorization = request.headers.get("authorization");
  if (authorization !== null || (token === undefined && !request.headers.has("cookie")))
    return authenticate(app, realm, authorization, reader);
  const sent = { method: request.method, origin: () => originOf(request, url), token };
  return authenticateSession(app, realm, sent, app.clock.now(), reader);
}

const originOf = ({ headers }: Request, url: string): Origin => ({
  header: (name) => headers.get(name),
  url,
});

/** Whether a request contains credentials: a signature, or the cookie of a session. */
export const hasCredentials = (request: Request, url: string): boolean =>
  request.headers.has("authorization") || readSessionCookie(originOf(request, url)) !== undefined;

/**
 * Holder of an API key in the address, for other services that post to such an address. Blanks
 * around the key do not count. Refuses a missing key (REQUEST_VARIABLE_MISSING) and an unknown one
 * (INVALID_API_KEY, 401).
 */
export async function authenticateApiKey(
  app: App,
  realm: RealmRow,
  apiKey: string | undefined,
): Promise<Person> {
  if (!realm.isActive) throw realmDeactivated();
  if (apiKey === undefined) throw missingParameter("api_key");
  const key = apiKey.trim();
  const holder = apiKeyForm.test(key)
    ? await findHolder(app, realm, app.secrets.hashApiKey(key))
    : undefined;
  if (!holder) throw invalidApiKey();
  return holder;
}

async function findSigner(
  app: App,
  realm: RealmRow,
  authorization: string,
): Promise<Person | undefined> {
  const { email, apiKey } = readBasic(authorization);
  if (!apiKeyForm.test(apiKey)) return undefined;
  const holder = await findHolder(app, realm, app.secrets.hashApiKey(apiKey));
  return holder && isOwnEmail(realm, holder.user, email) ? holder : undefined;
}

const selectWithUser = statement((db, t, given: Given<{ realmId: number; hash: string }>) =>
  db
    .select({
      key: { id: t.apiKeys.id, userId: t.apiKeys.userId, hash: t.apiKeys.hash },
      user: t.users,
    })
    .from(t.apiKeys)
    .innerJoin(
      t.users,
      and(eq(t.users.realmId, t.apiKeys.realmId), eq(t.users.id, t.apiKeys.userId)),
    )
    .where(and(eq(t.apiKeys.realmId, given.realmId), eq(t.apiKeys.hash, given.hash))),
);

/** Reads both at once, because each statement is a round trip to a remote database. */
async function readTogether(reader: Reader, realmId: number, hash: string) {
  const [{ key, user } = {}] = await selectWithUser(reader, { realmId, hash });
  return { key, user };
}

/** Reads twice by key, because this costs a third of a join if the database is a file. */
async function readApart(reader: Reader, realmId: number, hash: string) {
  const [key] = await selectByHash(reader, { realmId, hash });
  return { key, user: key && (await findUser(reader, realmId, key.userId)) };
}

/** Longer than any address with a key: longer signatures are not cached. */
const signatureLengthMax = 500;
/**
 * Number of signatures that are cached with their users, only in memory, until a key, an account or
 * a realm changes.
 */
const signaturesMax = 10_000;
const signerOf = cachedUntilChange<Person | undefined>(
  ["api_keys", "users", "realms"],
  signaturesMax,
);
const signerAsOf = cachedBy<Person | undefined>(["api_keys", "users", "realms"], {
  variantsMax: signaturesMax,
  isOneRead: true,
  isKept: (signer) => signer !== undefined,
});

/**
 * With a remote database, the reader of the request knows where the realm's log ends, and so
 * whether another node has changed something.
 */
const findKnown = (
  { engine: { isRemote, quickReader } }: App,
  { id }: RealmRow,
  authorization: string,
  reader: Reader,
  load: () => Promise<Person | undefined>,
) =>
  isRemote
    ? signerAsOf(reader, id, authorization, load)
    : signerOf(quickReader, `${id} ${authorization}`, load);

/** User who may sign requests with the key that has this hash. */
async function findHolder(
  { engine }: App,
  realm: RealmRow,
  hash: string,
): Promise<Person | undefined> {
  const { quickReader: reader } = engine;
  const read = engine.isRemote ? readTogether : readApart;
  const { key, user } = await read(reader, realm.id, hash);
  if (!key || !isSameHash(key.hash, hash)) return undefined;
  if (!user?.isActive || user.isSystemBot) return undefined;
  return { kind: actorKind(user), user, apiKeyId: key.id };
}

function actorKind({ botType }: UserRow): Exclude<Person["kind"], "spectator"> {
  if (botType === null) return "user";
  return botType === 2 ? "webhook" : "bot";
}

/** Blanks around both do not count, because a file with a key often ends with a line break. */
function readBasic(authorization: string): { email: string; apiKey: string } {
  const [scheme = "", credentials = ""] = authorization.trim().split(/\s+/, 2);
  if (scheme.toLowerCase() !== "basic")
    throw badRequest("This server signs people in with HTTP Basic only.");
  const decoded = Buffer.from(credentials, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  if (colon < 0) throw unauthorized();
  return { email: decoded.slice(0, colon).trim(), apiKey: decoded.slice(colon + 1).trim() };
}
