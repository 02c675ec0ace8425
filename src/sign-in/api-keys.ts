import { and, asc, desc, eq, inArray, isNotNull } from "drizzle-orm";
import { isSelf } from "../core/account";
import { isoTime } from "../core/clock";
import type { App, Context, Tx, UserRow } from "../core/context";
import { accessDenied, badRequest } from "../core/errors";
import { queuesEnded } from "../core/event-hub";
import { makeApiKey } from "../core/secrets/secrets";
import type { EndingStep } from "../core/steps";
import { cleanName } from "../core/text/name";
import { onlyRow, write } from "../core/write";
import { forgetDevicesOf, forgetDevicesOfKey } from "../devices/forget";
import { deleteQueues, endQueuesOf } from "../events/queues";
import { loadUser } from "../people/users/queries";
import { renewContext } from "../people/users/renew-context";
import { endAddressChanges, removeAddressChanges } from "./address-proofs";
import { lastUseOf } from "./key-uses";
import { type SignInWords, signInWords } from "./words";

/**
 * Each sign-in of a user may issue a key. Above this number, the keys that were unused for longest
 * end.
 */
const keysPerUserMax = 20;
/**
 * Number of ended keys that a text names. An account that is older than the limit may have had
 * hundreds.
 */
const keysNamedMax = 5;
const labelLengthMax = 100;

/**
 * An API key in a list. The key itself is shown only once, when it is issued. Times are UNIX
 * seconds; `lastUsedAt` may lag.
 */
export interface ListedApiKey {
  id: number;
  userId: number;
  label: string;
  createdAt: number;
  /** Null for a key that was never used. */
  lastUsedAt: number | null;
}

export interface IssuedApiKey {
  id: number;
  /** 32 characters of [A-Za-z0-9]; it cannot be shown again. */
  apiKey: string;
  /** Keys of the user that ended, because the user had too many. */
  ended: readonly ListedApiKey[];
}

/** Issues a new key to a user, for the operator or the user. `label` says what it is for. */
export async function issueApiKey(
  ctx: Context,
  userId: number,
  label: string,
): Promise<IssuedApiKey> {
  return write(ctx, async (tx) => issueApiKeyIn(tx, await renewContext(tx, ctx), userId, label));
}

/**
 * The part of issuing a key that runs in a write. Only its keyed hash is stored, and for a bot the
 * key itself, sealed. Refuses an unknown or deactivated user and the system's own bots
 * (BAD_REQUEST).
 */
export async function issueApiKeyIn(
  tx: Tx,
  ctx: Context,
  userId: number,
  label: string,
): Promise<IssuedApiKey> {
  const user = await loadUser(tx, ctx.realm.id, userId);
  requireOwnKeys(ctx, userId);
  if (!user.isActive) throw badRequest(`The account of ${user.email} is deactivated.`);
  if (user.isSystemBot) throw badRequest("Nobody can sign in as a bot of the system.");
  return insertApiKey(tx, ctx, user, label);
}

/**
 * Stores a new key for a person who has proven who they are, or for a bot of theirs, and answers
 * it. If the user has too many keys, those unused for longest end.
 */
export async function insertApiKey(
  tx: Tx,
  ctx: Context,
  user: UserRow,
  label: string,
): Promise<IssuedApiKey> {
  const { app } = ctx;
  const { apiKeys } = tx.t;
  const ended = await makeRoom(tx, app, user);
  const apiKey = makeApiKey();
  const cleanLabel = cleanName("The key's label", label, labelLengthMax);
  const rows = await tx.db
    .insert(apiKeys)
    .values({
      realmId: user.realmId,
      userId: user.id,
      hash: app.secrets.hashApiKey(apiKey),
      sealed: user.botType === null ? null : app.secrets.seal(sealedFor(user.id), apiKey),
      label: cleanLabel,
      createdAt: tx.now,
    })
    .returning({ id: apiKeys.id });
  const { id } = onlyRow(rows);
  const ended_key_ids = ended.map((key) => key.id);
  tx.audit(ctx, {
    action: "api_key.create",
    kind: "user",
    ids: [user.id],
    proven: user,
    after: { key_id: id, label: cleanLabel, ...(ended.length > 0 && { ended_key_ids }) },
  });
  return { id, apiKey, ended };
}

const sealedFor = (botId: number) => `api-key of bot ${botId}`;

/**
 * The newest API key of a bot, which the protocol shows to those who manage the bot; undefined if
 * it has none.
 */
export async function findBotKey(
  { app, reader }: Context,
  bot: UserRow,
): Promise<string | undefined> {
  const { apiKeys } = reader.t;
  const [newest] = await reader.db
    .select({ sealed: apiKeys.sealed })
    .from(apiKeys)
    .where(
      and(eq(apiKeys.realmId, bot.realmId), eq(apiKeys.userId, bot.id), isNotNull(apiKeys.sealed)),
    )
    .orderBy(desc(apiKeys.id))
    .limit(1);
  return newest?.sealed == null ? undefined : app.secrets.open(sealedFor(bot.id), newest.sealed);
}

/** The newest API keys of some bots, by the bot's id, for those who manage them. */
export async function findBotKeys({ app, realm, reader }: Context, botIds: readonly number[]) {
  if (botIds.length === 0) return new Map<number, string>();
  const { apiKeys } = reader.t;
  const rows = await reader.db
    .select({ botId: apiKeys.userId, sealed: apiKeys.sealed })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.realmId, realm.id),
        inArray(apiKeys.userId, [...botIds]),
        isNotNull(apiKeys.sealed),
      ),
    )
    .orderBy(asc(apiKeys.id));
  const newest = new Map(rows.map(({ botId, sealed }) => [botId, sealed ?? ""]));
  return new Map(
    [...newest].map(([botId, sealed]) => [botId, app.secrets.open(sealedFor(botId), sealed)]),
  );
}

async function makeRoom(tx: Tx, app: App, user: UserRow): Promise<ListedApiKey[]> {
  const keys = await selectKeys(tx, user.realmId, user.id);
  const byUse = keys.sort((a, b) => lastUseOf(app, a) - lastUseOf(app, b) || a.id - b.id);
  const surplus = byUse.slice(0, Math.max(0, keys.length - keysPerUserMax + 1));
  await removeKeys(tx, user.realmId, surplus);
  return surplus;
}

/**
 * A sentence that names the keys that ended because a new one was issued; undefined if none ended.
 * Pages and mails show it in their language; programs and the operator get it in English.
 */
export function endedKeysText(
  ended: readonly ListedApiKey[],
  words: SignInWords = signInWords("en"),
): string | undefined {
  if (ended.length === 0) return undefined;
  const named = ended
    .slice(-keysNamedMax)
    .map(({ label, createdAt }) => words.keyOf(label, isoTime(createdAt)));
  const unnamed = ended.length - named.length;
  const names = unnamed > 0 ? [...named, words.andMore(unnamed)] : named;
  return words.keysEnded(keysPerUserMax, ended.length, names.join(", "));
}

/** A user's keys, oldest first, for the operator or the user. */
export async function listApiKeys(ctx: Context, userId: number): Promise<ListedApiKey[]> {
  await loadUser(ctx.reader, ctx.realm.id, userId);
  requireOwnKeys(ctx, userId);
  return selectKeys(ctx.reader, ctx.realm.id, userId);
}

function selectKeys({ db, t: { apiKeys } }: Pick<Tx, "db" | "t">, realmId: number, userId: number) {
  return db
    .select({
      id: apiKeys.id,
      userId: apiKeys.userId,
      label: apiKeys.label,
      createdAt: apiKeys.createdAt,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .where(
      and(eq(apiKeys.realmId, realmId), eq(apiKeys.userId, userId), eq(apiKeys.isSession, false)),
    )
    .orderBy(asc(apiKeys.id));
}

/**
 * Ends a key, with the event queues and held polls that were opened with it. For the operator or
 * the key's user.
 */
export async function revokeApiKey(ctx: Context, apiKeyId: number): Promise<void> {
  await write(ctx, async (tx) => revokeApiKeyIn(tx, await renewContext(tx, ctx), apiKeyId));
}

/**
 * The part of revoking a key that runs in a write. Refuses a missing key and a key of another user
 * alike (BAD_REQUEST).
 */
export async function revokeApiKeyIn(tx: Tx, ctx: Context, apiKeyId: number): Promise<void> {
  const { apiKeys } = tx.t;
  const [key] = await tx.db
    .select({ userId: apiKeys.userId, label: apiKeys.label })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.realmId, ctx.realm.id),
        eq(apiKeys.id, apiKeyId),
        eq(apiKeys.isSession, false),
      ),
    );
  if (!key || !ownsKeys(ctx, key.userId)) throw badRequest(`There is no API key ${apiKeyId}.`);
  await removeApiKey(tx, ctx.realm.id, apiKeyId);
  tx.audit(ctx, {
    action: "api_key.revoke",
    kind: "user",
    ids: [key.userId],
    before: { key_id: apiKeyId, label: key.label },
  });
}

/**
 * Ends all API keys and sessions of a user except one, with the event queues and held polls that
 * they opened. For changes after which no earlier access may stay. Announced to nobody.
 */
export async function endOtherKeys(
  tx: Tx,
  realmId: number,
  userId: number,
  exceptId?: number,
): Promise<void> {
  const { apiKeys } = tx.t;
  const keys = await tx.db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.realmId, realmId), eq(apiKeys.userId, userId)));
  await removeKeys(
    tx,
    realmId,
    keys.filter(({ id }) => id !== exceptId),
  );
}

/**
 * Ends keys and sessions, with the event queues and held polls that they opened. Announced to
 * nobody.
 */
export async function removeKeys(
  tx: Tx,
  realmId: number,
  keys: readonly { id: number }[],
): Promise<void> {
  for (const { id } of keys) await removeApiKey(tx, realmId, id);
}

async function removeApiKey(tx: Tx, realmId: number, apiKeyId: number) {
  const { apiKeys, eventQueues, sessions } = tx.t;
  const queues = await tx.db
    .select({ id: eventQueues.id })
    .from(eventQueues)
    .where(and(eq(eventQueues.realmId, realmId), eq(eventQueues.apiKeyId, apiKeyId)));
  await endQueues(tx, realmId, queues);
  await forgetDevicesOfKey(tx, realmId, apiKeyId);
  await tx.db
    .delete(apiKeys)
    .where(and(eq(apiKeys.realmId, realmId), eq(apiKeys.id, apiKeyId)))
    .returning({ id: apiKeys.id });
  await tx.db
    .delete(sessions)
    .where(and(eq(sessions.realmId, realmId), eq(sessions.apiKeyId, apiKeyId)));
  await tx.emit({ to: "server" }, queuesEnded({ apiKeyId }));
}

/**
 * Ends all sessions, login links, push registrations, event queues and held polls of some users,
 * and with `revokesKeys` their API keys: part of deactivating them. Keys that stay do not work
 * while their owner is deactivated.
 */
export async function removeAccess(
  tx: Tx,
  realmId: number,
  userIds: readonly number[],
  { revokesKeys }: { revokesKeys: boolean },
): Promise<void> {
  const { sessions } = tx.t;
  await deleteKeys(tx, realmId, userIds, { areSessionsAlone: !revokesKeys });
  await tx.db
    .delete(sessions)
    .where(and(eq(sessions.realmId, realmId), inArray(sessions.userId, [...userIds])));
  await endLoginLinks(tx, realmId, userIds);
  await removeAddressChanges(tx, realmId, userIds);
  await forgetDevicesOf(tx, realmId, userIds);
  await endQueuesOf(tx, realmId, userIds);
}

/** Step with accounts that end: removes all access; see `removeAccess`. */
export const accessRemoved: EndingStep = {
  name: "access removed",
  async run(tx, { realmId, userIds, botIds, revokesKeys }) {
    await removeAccess(tx, realmId, userIds, { revokesKeys });
    if (revokesKeys) await removeDeadKeys(tx, realmId, botIds);
  },
};

/** Revokes all keys of deactivated users. Nothing that the keys opened is still open. */
export const removeDeadKeys = (
  tx: Tx,
  realmId: number,
  userIds: readonly number[],
): Promise<void> => deleteKeys(tx, realmId, userIds, { areSessionsAlone: false });

async function deleteKeys(
  tx: Tx,
  realmId: number,
  userIds: readonly number[],
  { areSessionsAlone }: { areSessionsAlone: boolean },
) {
  const { apiKeys } = tx.t;
  const areTheirs = and(eq(apiKeys.realmId, realmId), inArray(apiKeys.userId, [...userIds]));
  const isWanted = areSessionsAlone ? and(areTheirs, eq(apiKeys.isSession, true)) : areTheirs;
  await tx.db.delete(apiKeys).where(isWanted).returning({ id: apiKeys.id });
}

/**
 * Ends unused links of some users: to sign in, to choose another password, to change the address.
 * Announced to nobody.
 */
export async function endLoginLinks(tx: Tx, realmId: number, userIds: readonly number[]) {
  const { loginLinks } = tx.t;
  await tx.db
    .delete(loginLinks)
    .where(and(eq(loginLinks.realmId, realmId), inArray(loginLinks.userId, [...userIds])));
  await endAddressChanges(tx, realmId, userIds);
}

async function endQueues(tx: Tx, realmId: number, queues: { id: string }[]) {
  if (queues.length > 0) {
    await deleteQueues(
      tx,
      realmId,
      queues.map(({ id }) => id),
    );
  }
}

/**
 * Only the operator may issue a key for another person, because the issuer could act as that
 * person.
 */
const ownsKeys = ({ actor }: Context, userId: number) =>
  actor.kind === "operator" || isSelf(actor, userId);

function requireOwnKeys(ctx: Context, userId: number) {
  if (!ownsKeys(ctx, userId)) throw accessDenied("You can only use your own API keys.");
}
