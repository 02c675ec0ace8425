import { type Static, Type } from "@sinclair/typebox";
import { and, eq, inArray, sql } from "drizzle-orm";
import { inChunks } from "../../core/chunks";
import type { Context, Person, Tx, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { isRecord } from "../../core/json/record";
import { type Input, json, optional, record, texts } from "../../core/params";
import { write } from "../../core/write";
import { findBotRow } from "../../people/bots/queries";
import { renewContext } from "../../people/users/renew-context";
import { storeDetails } from "../details";
import { type Entry, findEntries, listEntries } from "./queries";

/** Bytes that each entry counts for in addition to its key and its value. */
const entryBytes = 50;
const keyLengthMax = 1_000;
/** Most entries in one request. */
const entriesPerRequestMax = 10_000;

export const GetBotStorage = record({ keys: optional(texts()) });

/** Entries of a bot. */
export const BotStorage = Type.Object({
  storage: Type.Record(Type.String(), Type.String(), { description: "By their keys." }),
});

/**
 * Entries of the calling bot: all, or those with some keys. Refuses (BAD_REQUEST) a key without an
 * entry. Source: `test/recorded/api/api-surface.json`, get-bot-storage.
 */
export async function getBotStorage(
  { reader, realm, actor: { user } }: Context<Person>,
  { keys }: Input<typeof GetBotStorage>,
): Promise<Static<typeof BotStorage>> {
  const entries = keys
    ? requireAll(keys, await findEntries(reader, realm.id, user.id, keys))
    : await listEntries(reader, realm.id, user.id);
  return { storage: Object.fromEntries(entries.map(({ key, value }) => [key, value])) };
}

/** Text that the database can store: a lone surrogate becomes U+FFFD. */
const kept = (text: string) => text.toWellFormed();

function requireAll(keys: readonly string[], found: Entry[]): Entry[] {
  const storedKeys = new Set(found.map(({ key }) => key));
  const missing = keys.find((key) => !storedKeys.has(kept(key)));
  if (missing !== undefined)
    throw badRequest(`There is nothing stored under the key '${missing}'.`);
  return found;
}

export const UpdateBotStorage = record({ storage: json() });

/**
 * Stores texts by key for the calling bot, replacing earlier ones. Announced to nobody. Refuses
 * (BAD_REQUEST) values that are not texts, keys of more than 1,000 characters, and more than the
 * bot's quota (the configuration's `bot_storage_size_bytes_max`; sizes in bytes of UTF-8).
 */
export async function updateBotStorage(
  ctx: Context<Person>,
  { storage }: Input<typeof UpdateBotStorage>,
): Promise<undefined> {
  const entries = readEntries(storage);
  await write(ctx, async (tx) => storeIn(tx, await renewContext(tx, ctx), entries));
}

/** Stores entries, as part of a write, which checks the bot's quota. */
export async function storeIn(
  tx: Tx,
  { app, realm, actor: { user } }: Context<Person>,
  entries: Entry[],
) {
  const replaced = await findEntries(
    tx,
    realm.id,
    user.id,
    entries.map(({ key }) => key),
  );
  await countStored(
    tx,
    user,
    sizeOf(entries) - sizeOf(replaced),
    app.config.botStorageSizeBytesMax,
  );
  for (const some of inChunks(entries)) await storeEntries(tx, user, some);
}

async function storeEntries(tx: Tx, { realmId, id: userId }: UserRow, entries: Entry[]) {
  const { botStorage: s } = tx.t;
  await tx.db
    .insert(s)
    .values(entries.map((entry) => ({ realmId, userId, ...entry })))
    .onConflictDoUpdate({
      target: [s.realmId, s.userId, s.key],
      set: { value: sql`excluded.value` },
    });
}

function readEntries(storage: unknown): Entry[] {
  if (!isRecord(storage)) throw badRequest("storage must be an object of texts.");
  const given = Object.entries(storage);
  if (given.length > entriesPerRequestMax) {
    throw badRequest(`A request may store at most ${entriesPerRequestMax} keys.`);
  }
  const entries = new Map<string, string>();
  for (const [key, value] of given) {
    if (typeof value !== "string") throw badRequest("storage must be an object of texts.");
    if (key.length > keyLengthMax)
      throw badRequest(`A key may have at most ${keyLengthMax} characters.`);
    entries.set(kept(key), kept(value));
  }
  return [...entries].map(([key, value]) => ({ key, value }));
}

const sizeOf = (entries: readonly Entry[]) =>
  entries.reduce(
    (sum, { key, value }) => sum + Buffer.byteLength(key) + Buffer.byteLength(value) + entryBytes,
    0,
  );

/**
 * Updates the stored size of a bot's entries. Refuses to exceed the quota, unless the size
 * decreases.
 */
async function countStored(tx: Tx, bot: UserRow, added: number, bytesMax: number) {
  const row = (await findBotRow(tx, bot.realmId, bot.id)) ?? (await storeDetails(tx, bot, {}));
  const storageBytes = row.storageBytes + added;
  if (added > 0 && storageBytes > bytesMax) {
    throw badRequest(
      `The bot may store at most ${bytesMax} bytes: this is ${storageBytes - bytesMax} too many.`,
    );
  }
  const { bots } = tx.t;
  await tx.db
    .update(bots)
    .set({ storageBytes })
    .where(and(eq(bots.realmId, bot.realmId), eq(bots.userId, bot.id)));
}

export const RemoveBotStorage = record({ keys: optional(texts()) });

/**
 * Removes entries of the calling bot: all, or those with some keys. Announced to nobody. Refuses
 * (BAD_REQUEST) a key without an entry, and removes nothing then.
 */
export async function removeBotStorage(
  ctx: Context<Person>,
  { keys }: Input<typeof RemoveBotStorage>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    const { realm, actor } = renewed;
    const gone = keys
      ? requireAll(keys, await findEntries(tx, realm.id, actor.user.id, keys))
      : await listEntries(tx, realm.id, actor.user.id);
    await forgetIn(tx, renewed, gone);
  });
}

/** Removes entries, as part of a write. */
export async function forgetIn(
  tx: Tx,
  { app, realm, actor: { user } }: Context<Person>,
  gone: Entry[],
) {
  if (gone.length === 0) return;
  const { botStorage: s } = tx.t;
  for (const some of inChunks(gone.map(({ key }) => key))) {
    await tx.db
      .delete(s)
      .where(and(eq(s.realmId, realm.id), eq(s.userId, user.id), inArray(s.key, some)));
  }
  await countStored(tx, user, -sizeOf(gone), app.config.botStorageSizeBytesMax);
}
