import { and, asc, eq, gt, inArray, or, type SQL, sql } from "drizzle-orm";
import { isAmongIds, type Reader, statement } from "../../db/reader";
import type { Schema } from "../../db/schema";
import type { App, Tx } from "../core/context";
import { rememberedUntilChange } from "../core/until-change";
import { write } from "../core/write";
import { participantsOf } from "../messages/queries";
import { documentOf, type Indexed } from "./document";

/*
 * Messages come into the index after they were sent, in small writes: a send does nothing for it. `search_progress` says
 * how far it reaches; what has changed below that is noted by triggers, and indexed anew. Whoever searches brings the index
 * up to date first, so that everything that was committed before is found.
 */

/** How many messages one write takes in: others wait for it some milliseconds. */
const messagesPerWrite = 250;

type Database = Reader["db"];

/** The realms of which the index lacks something, with how far they and their index go. */
function lacking(db: Database, t: Schema, isWanted?: SQL) {
  const { realms, messages, searchProgress: progress, searchChanges: changes } = t;
  const reached = sql`coalesce((select ${progress.indexedUpTo} from ${progress} where ${progress.realmId} = ${realms.id}), 0)`;
  const newest = sql`coalesce((select max(${messages.id}) from ${messages} where ${messages.realmId} = ${realms.id}), 0)`;
  // Not by asking whether there is a newer one: PostgreSQL would look through all of them for it.
  const hasNew = sql`${newest} > ${reached}`;
  const hasChanged = sql`exists (select 1 from ${changes} where ${changes.realmId} = ${realms.id})`;
  return db
    .select({
      id: realms.id,
      newest: sql<number>`${newest}`.mapWith(Number),
      reached: sql<number>`${reached}`.mapWith(Number),
    })
    .from(realms)
    .where(and(isWanted, eq(realms.isActive, true), or(hasNew, hasChanged)));
}

const selectLacking = statement((db, t) => lacking(db, t));
const selectOwnLack = statement((db, t) => lacking(db, t, eq(t.realms.id, sql.placeholder("realmId"))));

const columnsOf = ({ messages }: Reader["t"]) => ({
  id: messages.id,
  senderId: messages.senderId,
  channelId: messages.channelId,
  conversationId: messages.conversationId,
  topic: messages.topic,
  topicKey: messages.topicKey,
  renderedContent: messages.renderedContent,
});

const selectProgress = statement((db, { searchProgress: progress }) =>
  db
    .select({ indexedUpTo: progress.indexedUpTo })
    .from(progress)
    .where(eq(progress.realmId, sql.placeholder("realmId"))),
);

const selectNew = statement((db, t) =>
  db
    .select(columnsOf(t))
    .from(t.messages)
    .where(and(eq(t.messages.realmId, sql.placeholder("realmId")), gt(t.messages.id, sql.placeholder("after"))))
    .orderBy(asc(t.messages.id))
    .limit(sql.placeholder("count")),
);

const selectChanged = statement((db, { searchChanges: changes }) =>
  db
    .select({ id: changes.messageId })
    .from(changes)
    .where(eq(changes.realmId, sql.placeholder("realmId")))
    .orderBy(asc(changes.messageId))
    .limit(messagesPerWrite),
);

const selectThese = statement((db, t, dialect) =>
  db
    .select(columnsOf(t))
    .from(t.messages)
    .where(and(eq(t.messages.realmId, sql.placeholder("realmId")), isAmongIds(dialect, t.messages.id))),
);

/** Takes some messages into the index: changed ones first, then the next new ones. */
async function indexSome(tx: Tx, realmId: number) {
  const [progress] = await selectProgress(tx, { realmId });
  const reached = progress?.indexedUpTo ?? 0;
  const changed = (await selectChanged(tx, { realmId })).map(({ id }) => id);
  if (changed.length > 0) await reindex(tx, realmId, changed, reached);
  const next = await selectNew(tx, { realmId, after: reached, count: messagesPerWrite - changed.length });
  const newest = next.at(-1);
  if (!newest) return;
  await insertWords(tx, realmId, next);
  const indexedUpTo = newest.id;
  const { searchProgress } = tx.t;
  await tx.db
    .insert(searchProgress)
    .values({ realmId, indexedUpTo })
    .onConflictDoUpdate({ target: searchProgress.realmId, set: { indexedUpTo } });
}

/** What the index does not reach yet needs no second look. */
async function reindex(tx: Tx, realmId: number, ids: number[], reached: number) {
  const { messageWords, searchChanges: changes } = tx.t;
  const below = ids.filter((id) => id <= reached);
  if (below.length > 0) {
    await tx.db.delete(messageWords).where(and(ofRealm(tx, realmId), inArray(messageWords.messageId, below)));
    await insertWords(tx, realmId, await selectThese(tx, { realmId, ids: JSON.stringify(below) }));
  }
  await tx.db.delete(changes).where(and(eq(changes.realmId, realmId), inArray(changes.messageId, ids)));
}

/** Only PostgreSQL's table has the realm; SQLite numbers the messages of all of them in one row. */
export const ofRealm = ({ dialect }: Pick<Reader, "dialect">, realmId: number) =>
  dialect === "sqlite" ? undefined : sql`message_words.realm_id = ${realmId}`;

async function insertWords(tx: Tx, realmId: number, messages: Row[]) {
  if (messages.length === 0) return;
  const rows = (await complete(tx, realmId, messages)).map((message) => ({
    ...{ realmId, messageId: message.id, words: documentOf(tx.dialect, message) },
  }));
  await tx.db.insert(tx.t.messageWords).values(rows);
}

type Row = Omit<Indexed, "participants">;

async function complete(reader: Reader, realmId: number, messages: Row[]): Promise<Indexed[]> {
  const conversationIds = [...new Set(messages.flatMap(({ conversationId }) => conversationId ?? []))];
  const people = await participantsOf(reader, realmId, conversationIds);
  return messages.map((message) => ({ ...message, participants: people.get(message.conversationId ?? 0) ?? [] }));
}

/** Some messages as the index would take them now, without looking at who may read them. */
export async function readIndexed(reader: Reader, realmId: number, ids: readonly number[]): Promise<Indexed[]> {
  return complete(reader, realmId, await selectThese(reader, { realmId, ids: JSON.stringify(ids) }));
}

const indexNext = (app: App, realmId: number) =>
  write({ app, realm: { id: realmId }, now: app.clock.now() }, (tx) => indexSome(tx, realmId));

/** So many realms are remembered of which the index is known to be up to date, or not. */
const realmsMax = 1_000;
const wasBehind = rememberedUntilChange<boolean>(
  ["realms", "messages", "search_progress", "search_changes"],
  realmsMax,
);

const isBehind = (reader: Reader, realmId: number) =>
  wasBehind(reader, String(realmId), async () => (await selectOwnLack(reader, { realmId })).length > 0);

/** Those who wait for the same realm wait for the same writes. */
const underWay = new WeakMap<App, Map<number, Promise<void>>>();

function indexTogether(app: App, realmId: number): Promise<void> {
  const realms = underWay.get(app) ?? new Map<number, Promise<void>>();
  underWay.set(app, realms);
  const known = realms.get(realmId);
  if (known) return known;
  const begun = indexNext(app, realmId).finally(() => realms.delete(realmId));
  realms.set(realmId, begun);
  return begun;
}

/** Brings the index up to date: what was committed before is found after it. Not inside a write or a snapshot. */
export async function catchUp(app: App, reader: Reader, realmId: number, isEnding = () => false): Promise<void> {
  while (!isEnding() && (await isBehind(reader, realmId))) await indexTogether(app, realmId);
}

/** More new messages than this between two looks make a realm busy: it is left alone until it rests, or lags this far behind. */
const busyMessages = 500;
const lagMax = 20_000;
/** So many writes are made for a realm at each look: everybody else waits for each of them. */
const writesPerLook = 4;

/**
 * What brings the index of every realm nearer to its messages in the background, one after the other, each time it is run,
 * until `isEnding`. While much is sent, the senders have the machine for themselves.
 */
export function makeIndexing(app: App, isEnding: () => boolean): () => Promise<void> {
  const { reader } = app.engine;
  let newestBefore = new Map<number, number>();
  return async () => {
    const behind = await selectLacking(reader, {});
    const known = newestBefore;
    newestBefore = new Map(behind.map(({ id, newest }) => [id, newest]));
    for (const { id, newest, reached } of behind) {
      const isBusy = newest - (known.get(id) ?? reached) > busyMessages;
      if (isBusy && newest - reached <= lagMax) continue;
      let writesLeft = writesPerLook;
      await catchUp(app, reader, id, () => isEnding() || writesLeft-- === 0);
    }
  };
}
