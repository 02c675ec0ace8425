import { and, eq, gte, lte, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import { wantedAt, wantedRows } from "../../db/sql/json";
import { joinInOrder } from "../../db/sql/rows";
import type { OfPerson, Tx } from "../core/context";

/** The scope of all direct messages; a channel's is its id. */
export const directScope = 0;
/**
 * Number of messages in a block. Imports add a multiple of it to ids, so that blocks stay whole.
 */
export const idsPerBlock = 1024;

export const blockOf = (id: number) => Math.floor(id / idsPerBlock);

/** Exceptions to a user's watermarks, by scope and block: 128 bytes, bit `id % 1024`. */
export type ReadBlocks = Map<string, Buffer>;

export const blockKey = (scope: number, block: number) => `${scope}:${block}`;

export interface BlockPlace {
  scope: number;
  block: number;
}

/** The parts of a key that `blockKey` has made. */
export function placeOfBlock(key: string): BlockPlace {
  const [scope, block] = key.split(":").map(Number);
  return { scope: scope ?? directScope, block: block ?? 0 };
}

/** A block without exceptions. */
export const emptyBlock = () => Buffer.alloc(idsPerBlock / 8);

const byteOf = (id: number) => (id % idsPerBlock) >> 3;

export const hasBit = (bits: Uint8Array, id: number) =>
  (((bits[byteOf(id)] ?? 0) >> (id & 7)) & 1) === 1;

/** Makes a message of the block an exception. */
export function setBit(bits: Uint8Array, id: number) {
  bits[byteOf(id)] = (bits[byteOf(id)] ?? 0) | (1 << (id & 7));
}

/** Makes a message of the block an exception, or an exception none. */
export function flipBit(bits: Uint8Array, id: number) {
  bits[byteOf(id)] = (bits[byteOf(id)] ?? 0) ^ (1 << (id & 7));
}

/** The messages between two ids, both included, whose bit is set in the block, oldest first. */
export function idsIn(block: number, bits: Uint8Array, first: number, last: number): number[] {
  const ids: number[] = [];
  for (const [place, byte] of bits.entries()) {
    for (let bit = 0; byte >> bit > 0; bit++) {
      const id = block * idsPerBlock + place * 8 + bit;
      if ((byte >> bit) & 1 && id >= first && id <= last) ids.push(id);
    }
  }
  return ids;
}

/** The exceptions of some scopes: of one block each, or from one block on. */
const selectBlocks = (comparison: "=" | ">=") =>
  statement((db, { readBlocks: t }, given: Given<OfPerson & { wanted: string }>, dialect) => {
    const isWanted = and(
      eq(t.realmId, given.realmId),
      eq(t.userId, given.userId),
      sql`${t.scope} = ${wantedAt(dialect, 0)}`,
      sql`${t.block} ${sql.raw(comparison)} ${wantedAt(dialect, 1)}`,
    );
    const lateral = joinInOrder(dialect, t, isWanted);
    return db
      .select(lateral.columns({ scope: t.scope, block: t.block, bits: t.bits }))
      .from(wantedRows(dialect, given.wanted))
      .crossJoin(lateral.rows)
      .where(lateral.where);
  });

const selectBlocksAt = selectBlocks("=");
const selectBlocksFrom = selectBlocks(">=");

const selectBlocksOfScope = statement(
  (
    db,
    { readBlocks: t },
    given: Given<OfPerson & { scope: number; first: number; last: number }>,
  ) =>
    db
      .select({ scope: t.scope, block: t.block, bits: t.bits })
      .from(t)
      .where(
        and(
          eq(t.realmId, given.realmId),
          eq(t.userId, given.userId),
          eq(t.scope, given.scope),
          gte(t.block, given.first),
          lte(t.block, given.last),
        ),
      ),
);

/**
 * Up to this number of blocks per message, blocks are read as one range, which is cheaper than a
 * list.
 */
const blocksPerMessageMax = 2;

/**
 * The exceptions around some messages, whose scopes `scopeOf` gives. The cost depends on the
 * messages, not on the number of the user's blocks: messages of one scope that lie close together,
 * as on a page of a channel, are read as one range.
 */
export async function loadBlocks<Message extends { id: number }>(
  reader: Reader,
  { realmId, userId }: OfPerson,
  messages: readonly Message[],
  scopeOf: (message: Message) => number,
): Promise<ReadBlocks> {
  const [firstMessage] = messages;
  if (!firstMessage) return new Map();
  const scope = scopeOf(firstMessage);
  let first = firstMessage.id;
  let last = firstMessage.id;
  let isOfOneScope = true;
  for (const message of messages) {
    const { id } = message;
    if (id < first) first = id;
    if (id > last) last = id;
    if (scopeOf(message) !== scope) isOfOneScope = false;
  }
  const stretch = { realmId, userId, scope, first: blockOf(first), last: blockOf(last) };
  const isShort = stretch.last - stretch.first <= messages.length * blocksPerMessageMax;
  const rows =
    isShort && isOfOneScope
      ? await selectBlocksOfScope(reader, stretch)
      : await selectBlocksAt(reader, { realmId, userId, wanted: blocksAround(messages, scopeOf) });
  return byKey(rows);
}

function blocksAround<Message extends { id: number }>(
  messages: readonly Message[],
  scopeOf: (message: Message) => number,
): string {
  const wanted = new Map<string, [scope: number, block: number]>();
  for (const message of messages) {
    const [scope, block] = [scopeOf(message), blockOf(message.id)];
    wanted.set(blockKey(scope, block), [scope, block]);
  }
  return JSON.stringify([...wanted.values()]);
}

const selectSome = statement((db, { readBlocks: t }, given: Given<OfPerson & { limit: number }>) =>
  db
    .select({ scope: t.scope, block: t.block, bits: t.bits })
    .from(t)
    .where(and(eq(t.realmId, given.realmId), eq(t.userId, given.userId)))
    .limit(given.limit),
);

/** Number of blocks of a user that are all read at once. */
const fewBlocks = 256;

/** All exceptions of a user, if there are few; else undefined. */
export async function listBlocks(
  reader: Reader,
  { realmId, userId }: OfPerson,
): Promise<ReadBlocks | undefined> {
  const rows = await selectSome(reader, { realmId, userId, limit: fewBlocks + 1 });
  return rows.length > fewBlocks ? undefined : byKey(rows);
}

function byKey(rows: { scope: number; block: number; bits: Uint8Array }[]): ReadBlocks {
  const blocks: ReadBlocks = new Map();
  for (const { scope, block, bits } of rows)
    blocks.set(blockKey(scope, block), Buffer.isBuffer(bits) ? bits : Buffer.from(bits));
  return blocks;
}

/** The exceptions in some scopes from a block on. */
export async function loadBlocksFrom(
  reader: Reader,
  { realmId, userId }: OfPerson,
  scopes: readonly number[],
  first: number,
): Promise<ReadBlocks> {
  const wanted = JSON.stringify(scopes.map((scope) => [scope, first]));
  return byKey(await selectBlocksFrom(reader, { realmId, userId, wanted }));
}

const storeBlock = statement(
  (
    db,
    { readBlocks: t },
    given: Given<OfPerson & { scope: number; block: number; bits: Buffer }>,
  ) =>
    db
      .insert(t)
      .values({
        realmId: given.realmId,
        userId: given.userId,
        scope: given.scope,
        block: given.block,
        bits: given.bits,
      })
      .onConflictDoUpdate({
        target: [t.realmId, t.userId, t.scope, t.block],
        set: { bits: sql`excluded.bits` },
      }),
);

const removeBlock = statement(
  (db, { readBlocks: t }, given: Given<OfPerson & { scope: number; block: number }>) =>
    db
      .delete(t)
      .where(
        and(
          eq(t.realmId, given.realmId),
          eq(t.userId, given.userId),
          eq(t.scope, given.scope),
          eq(t.block, given.block),
        ),
      )
      .returning({ block: t.block }),
);

const noBits = emptyBlock();

/** Stores the exceptions of a block, or deletes the block when there are none. */
export async function saveBlock(
  tx: Tx,
  { realmId, userId }: OfPerson,
  { scope, block }: BlockPlace,
  bits: Buffer | undefined,
) {
  if (bits === undefined || bits.equals(noBits))
    await removeBlock(tx, { realmId, userId, scope, block });
  else await storeBlock(tx, { realmId, userId, scope, block, bits });
}
