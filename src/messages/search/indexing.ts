import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import { isIn } from "../../../db/sql/json";
import { searchIndexOf } from "../../../db/sql/search/search-index";
import type { App, Tx } from "../../core/context";
import { perServer } from "../../core/per-server";
import { makePace, turn } from "../../core/turns/turn";
import { write } from "../../core/write";
import { participantsOf } from "../../reading/queries";
import { parseRealmSettings } from "../../realm/settings";
import { documentInTurns, documentOf, type Indexed } from "./document";
import { findLag, findNewestLacking, isIndexedUpTo, selectLacking } from "./lag";
import { htmlPerTurn } from "./words";

/**
 * Messages are indexed after they were sent, in small writes, so that a send needs no work for it.
 * `search_progress` is the last indexed message; triggers note later changes of indexed messages,
 * which are indexed again. A search updates the index first, so that everything that was committed
 * before is found, unless very much is missing.
 */

/**
 * Number of messages that one write indexes, and the length of their HTML beyond the first: other
 * writes wait for it some milliseconds.
 */
const messagesPerWrite = 250;
const htmlBytesPerWrite = 65_536;
/**
 * Length of HTML whose words may be found within the write: that of 250 ordinary messages, which
 * would have to be read twice otherwise.
 */
const htmlBytesWithin = 32_768;

const columnsOf = ({ messages }: Reader["t"]) => ({
  id: messages.id,
  senderId: messages.senderId,
  channelId: messages.channelId,
  conversationId: messages.conversationId,
  topic: messages.topic,
  topicKey: messages.topicKey,
  renderedContent: messages.renderedContent,
});

const selectProgress = statement(
  (db, { searchProgress: progress }, given: Given<{ realmId: number }>) =>
    db
      .select({ indexedUpTo: progress.indexedUpTo })
      .from(progress)
      .where(eq(progress.realmId, given.realmId)),
);

const sizeOf = ({ messages }: Schema) =>
  sql<number>`coalesce(octet_length(${messages.renderedContent}), 0)`.mapWith(Number);

const selectNew = statement(
  (db, t, given: Given<{ realmId: number; after: number; count: number }>) =>
    db
      .select({ id: t.messages.id, sizeBytes: sizeOf(t) })
      .from(t.messages)
      .where(and(eq(t.messages.realmId, given.realmId), gt(t.messages.id, given.after)))
      .orderBy(asc(t.messages.id))
      .limit(given.count),
);

const selectChanged = statement((db, t, given: Given<{ realmId: number }>) => {
  const { messages, searchChanges: changes } = t;
  return db
    .select({ id: changes.messageId, sizeBytes: sizeOf(t) })
    .from(changes)
    .leftJoin(
      messages,
      and(eq(messages.realmId, changes.realmId), eq(messages.id, changes.messageId)),
    )
    .where(eq(changes.realmId, given.realmId))
    .orderBy(asc(changes.messageId))
    .limit(messagesPerWrite);
});

const selectThese = statement((db, t, given: Given<{ realmId: number; ids: string }>, dialect) =>
  db
    .select(columnsOf(t))
    .from(t.messages)
    .where(and(eq(t.messages.realmId, given.realmId), isIn(dialect, t.messages.id, given.ids))),
);

interface Sized {
  id: number;
  sizeBytes: number;
}

/** The first of some messages, as many as one write indexes. */
function firstOf(messages: readonly Sized[]): Sized[] {
  let sizeBytes = 0;
  const beyond = messages.findIndex((one, index) => {
    sizeBytes += one.sizeBytes;
    return index > 0 && sizeBytes > htmlBytesPerWrite;
  });
  return messages.slice(0, beyond < 0 ? messages.length : beyond);
}

/** Messages for one write of the index. */
interface Next {
  /** The last indexed message. */
  reached: number;
  /** Indexed ones that were changed, then new ones. */
  changed: number[];
  added: number[];
  sizeBytes: number;
}

/** The last message that the index has; 0 where it has none. */
export async function findIndexedUpTo(reader: Reader, realmId: number): Promise<number> {
  const [progress] = await selectProgress(reader, { realmId });
  return progress?.indexedUpTo ?? 0;
}

async function findNext(reader: Reader, realmId: number): Promise<Next> {
  const reached = await findIndexedUpTo(reader, realmId);
  const changed = await selectChanged(reader, { realmId });
  const count = messagesPerWrite - changed.length;
  const next = count > 0 ? await selectNew(reader, { realmId, after: reached, count }) : [];
  const some = firstOf([...changed, ...next]);
  const ids = some.map(({ id }) => id);
  return {
    reached,
    changed: ids.slice(0, changed.length),
    added: ids.slice(changed.length),
    sizeBytes: some.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}

/** Documents that were made before the write, with the messages as they were then. */
type Prepared = ReadonlyMap<number, { message: Indexed; words: string }>;

/** Finds the words of the next messages before their write, with turns for other work. */
async function prepareNext(reader: Reader, realmId: number): Promise<Prepared> {
  const { changed, added } = await findNext(reader, realmId);
  const prepared = new Map<number, { message: Indexed; words: string }>();
  const pace = makePace(htmlPerTurn);
  for (const message of await readIndexed(reader, realmId, [...changed, ...added])) {
    const words = await documentInTurns(reader.dialect, message, pace);
    prepared.set(message.id, { message, words });
  }
  return prepared;
}

/**
 * Indexes some messages: changed ones first, then the next new ones. Leaves long ones whose
 * documents are not prepared, and answers false, because all writes wait for one that takes long.
 */
async function indexSome(tx: Tx, realmId: number, prepared?: Prepared): Promise<boolean> {
  const { reached, changed, added, sizeBytes } = await findNext(tx, realmId);
  if (!prepared && sizeBytes > htmlBytesWithin) return false;
  if (changed.length > 0) await reindex(tx, realmId, changed, reached, prepared);
  const indexedUpTo = added.at(-1);
  if (indexedUpTo === undefined) return true;
  await insertWords(tx, realmId, added, prepared);
  const { searchProgress } = tx.t;
  await tx.db
    .insert(searchProgress)
    .values({ realmId, indexedUpTo })
    .onConflictDoUpdate({ target: searchProgress.realmId, set: { indexedUpTo } });
  return true;
}

/** Messages beyond the indexed ones will be indexed anyway. */
async function reindex(
  tx: Tx,
  realmId: number,
  ids: number[],
  reached: number,
  prepared: Prepared | undefined,
) {
  const { messageWords, searchChanges: changes } = tx.t;
  const below = ids.filter((id) => id <= reached);
  if (below.length > 0) {
    const isOfRealm = searchIndexOf(tx.dialect).isOfRealm(realmId);
    await tx.db.delete(messageWords).where(and(isOfRealm, inArray(messageWords.messageId, below)));
    await insertWords(tx, realmId, below, prepared);
  }
  await tx.db
    .delete(changes)
    .where(and(eq(changes.realmId, realmId), inArray(changes.messageId, ids)));
}

/** A message that has changed since its document was prepared gets a new one. */
async function insertWords(tx: Tx, realmId: number, ids: number[], prepared: Prepared | undefined) {
  const messages = await readIndexed(tx, realmId, ids);
  if (messages.length === 0) return;
  const rows = messages.map((message) => {
    const made = prepared?.get(message.id);
    const isSame = made !== undefined && Bun.deepEquals(made.message, message);
    const words = isSame ? made.words : documentOf(tx.dialect, message);
    return [realmId, message.id, words.toWellFormed()];
  });
  await insertDocuments(tx, { rows: JSON.stringify(rows) });
}

const insertDocuments = statement((db, t, given: Given<{ rows: string }>, dialect) =>
  db.insert(t.messageWords).select(searchIndexOf(dialect).rowsFrom(given.rows)),
);

const selectSettings = statement((db, { realms }, given: Given<{ realmId: number }>) =>
  db.select({ settings: realms.settings }).from(realms).where(eq(realms.id, given.realmId)),
);

type Row = Omit<Indexed, "participants" | "language">;

async function complete(reader: Reader, realmId: number, messages: Row[]): Promise<Indexed[]> {
  const conversationIds = [
    ...new Set(messages.flatMap(({ conversationId }) => conversationId ?? [])),
  ];
  const people = await participantsOf(reader, realmId, conversationIds);
  const [realm] = await selectSettings(reader, { realmId });
  const language = parseRealmSettings(realm?.settings ?? "{}").default_language;
  return messages.map((message) => ({
    ...message,
    participants: people.get(message.conversationId ?? 0) ?? [],
    language,
  }));
}

/** Some messages in the form for the index, without a check of rights. */
export async function readIndexed(
  reader: Reader,
  realmId: number,
  ids: readonly number[],
): Promise<Indexed[]> {
  return complete(
    reader,
    realmId,
    await selectThese(reader, { realmId, ids: JSON.stringify(ids) }),
  );
}

async function indexNext(app: App, realmId: number): Promise<void> {
  const index = (prepared?: Prepared) =>
    write({ app, realm: { id: realmId }, now: app.clock.now() }, (tx) =>
      indexSome(tx, realmId, prepared),
    );
  if (await index()) return;
  await index(await prepareNext(app.engine.reader, realmId));
}

/** Searches that wait for one realm share its writes. */
const underWay = perServer(() => new Map<number, Promise<void>>());

function indexTogether(app: App, realmId: number): Promise<void> {
  const realms = underWay.of(app);
  const running = realms.get(realmId);
  if (running) return running;
  const begun = indexNext(app, realmId).finally(() => realms.delete(realmId));
  realms.set(realmId, begun);
  return begun;
}

/**
 * Updates the index, so that everything that was committed before can be found, and answers true.
 * Messages that are sent meanwhile are not waited for, because the index would never have them all
 * while many are sent. Where very many messages wait, as after an import, it answers false at once:
 * the index has the older ones, and the background work adds the others. Not inside a write or a
 * snapshot.
 */
export async function catchUp(
  app: App,
  reader: Reader,
  realmId: number,
  isEnding: () => boolean = () => false,
): Promise<boolean> {
  let newest: number | undefined;
  for (;;) {
    const lag = await findLag(reader, realmId);
    if (lag !== "short" || isEnding()) return lag === "none";
    newest ??= await findNewestLacking(reader, realmId);
    await indexTogether(app, realmId);
    if (newest !== undefined && (await isIndexedUpTo(reader, realmId, newest))) return true;
  }
}

/**
 * More new messages than this between two runs make a realm busy: it is skipped until it rests, or
 * is too far behind.
 */
const busyMessages = 500;
/**
 * Number of writes for a realm in each run, and the number where it is far behind, because other
 * writes wait for each of them.
 */
const writesPerRun = 4;
const writesPerRunFarBehind = 12;

/**
 * Makes a function that updates the index of each realm in the background, one after another, until
 * `isEnding`. While many messages are sent, it leaves the machine to the senders.
 */
export function makeIndexing(app: App, isEnding: () => boolean): () => Promise<void> {
  const { reader } = app.engine;
  let newestBefore = new Map<number, number>();
  return async () => {
    const behind = await selectLacking(reader);
    const previousNewest = newestBefore;
    newestBefore = new Map(behind.map(({ id, newest }) => [id, newest]));
    for (const { id, newest, reached } of behind) {
      const isBusy = newest - (previousNewest.get(id) ?? reached) > busyMessages;
      const isFarBehind = (await findLag(reader, id)) === "long";
      if (isBusy && !isFarBehind) continue;
      const writes = isFarBehind ? writesPerRunFarBehind : writesPerRun;
      for (
        let write = 0;
        write < writes && !isEnding() && (await findLag(reader, id)) !== "none";
        write++
      ) {
        await indexTogether(app, id);
        await turn();
      }
    }
  };
}
