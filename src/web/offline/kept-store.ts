import type { KeptConversation, KeptState } from "../model/kept";
import type { Event } from "../model/wire";

/*
 * The browser's database for all that is kept of one person. The page and the service worker use
 * it. Each use opens it and closes it again, so that it can be removed at any moment.
 */

const databaseName = "chatd kept";
const stores = { state: "state", events: "events", conversations: "conversations" } as const;
const stateKey = "now";
/** The beginning of the names of the service worker's caches. */
export const cachePrefix = "chatd files ";

/** Whether the person has signed out. Then nothing more is written. */
let isForgotten = false;

/** Runs a function in a transaction. Resolves with its result when its writes are stored. */
async function inTransaction<Answer>(
  mode: IDBTransactionMode,
  run: (transaction: IDBTransaction) => Promise<Answer>,
): Promise<Answer> {
  if (mode === "readwrite" && isForgotten) throw new Error("The person has left.");
  const database = await opened();
  try {
    const transaction = database.transaction(Object.values(stores), mode);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    const [answer] = await Promise.all([run(transaction), promise]);
    return answer;
  } finally {
    database.close();
  }
}

async function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, 1);
  request.onupgradeneeded = () => {
    const { result } = request;
    result.createObjectStore(stores.state);
    result.createObjectStore(stores.events, { autoIncrement: true });
    result.createObjectStore(stores.conversations, { keyPath: "key" });
  };
  return answerOf(request);
}

const answerOf = <Answer>(request: IDBRequest<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const stateIn = async (transaction: IDBTransaction): Promise<KeptState | undefined> =>
  answerOf<KeptState | undefined>(transaction.objectStore(stores.state).get(stateKey));

/** The stored state with the events since then; undefined if there is none. */
export const readState = () =>
  inTransaction("readonly", async (transaction) => {
    const asked = answerOf<Event[][]>(transaction.objectStore(stores.events).getAll());
    const [state, events] = await Promise.all([stateIn(transaction), asked]);
    return state && { state, events: events.flat() };
  });

/** Replaces the stored state. Stored data of another person is removed. */
export const writeState = (state: KeptState): Promise<void> =>
  inTransaction("readwrite", async (transaction) => {
    const before = await stateIn(transaction);
    if (before && before.userId !== state.userId)
      transaction.objectStore(stores.conversations).clear();
    transaction.objectStore(stores.events).clear();
    transaction.objectStore(stores.state).put(state, stateKey);
  });

/** Stores events if there is a stored state of the person. It may have been removed meanwhile. */
export const addEvents = (userId: number, events: readonly Event[]): Promise<void> =>
  inTransaction("readwrite", async (transaction) => {
    if ((await stateIn(transaction))?.userId === userId)
      transaction.objectStore(stores.events).add(events);
  });

/** The stored conversations of a person. */
export const readConversations = (userId: number): Promise<readonly KeptConversation[]> =>
  inTransaction("readonly", async (transaction) => {
    if ((await stateIn(transaction))?.userId !== userId) return [];
    return answerOf<KeptConversation[]>(transaction.objectStore(stores.conversations).getAll());
  });

/** Stores changed conversations, and removes all whose keys are not given. */
export const writeConversations = (
  userId: number,
  keys: ReadonlySet<string>,
  changed: readonly KeptConversation[],
): Promise<void> =>
  inTransaction("readwrite", async (transaction) => {
    if ((await stateIn(transaction))?.userId !== userId) return;
    const store = transaction.objectStore(stores.conversations);
    for (const key of await answerOf(store.getAllKeys()))
      if (typeof key === "string" && !keys.has(key)) store.delete(key);
    for (const conversation of changed) store.put(conversation);
  });

/** The time for which a sign-out waits for the removal. */
const removalMilliseconds = 3_000;

/**
 * Removes everything that is stored, including the files of the client. Returns after 3 seconds at
 * the latest. The page stores nothing after that, because its person is signing out.
 */
export async function forgetAll(): Promise<void> {
  isForgotten = true;
  const { promise: isLate, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, removalMilliseconds);
  await Promise.race([removeAll(), isLate]);
  clearTimeout(timer);
}

async function removeAll(): Promise<void> {
  try {
    await Promise.all([
      answerOf(indexedDB.deleteDatabase(databaseName)),
      ...(await caches.keys())
        .filter((name) => name.startsWith(cachePrefix))
        .map((name) => caches.delete(name)),
    ]);
  } catch (error) {
    // A browser that stores nothing has nothing to remember.
    console.warn("Nothing is kept here:", error);
  }
}
