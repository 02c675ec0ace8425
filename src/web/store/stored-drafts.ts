import { now } from "../clock";
import {
  type LocalDraft,
  leftBehind,
  type StoreAttempt,
  serverKey,
  wireDraft,
  withStored,
} from "../model/local-drafts";
import { patch, post, Refusal, read, remove } from "../net/api";
import { draftOf, draftRows, forgetStoredRows, onDraftChange, replaceDraft } from "./drafts";
import { keptRows } from "./kept-rows";
import { hasLocks, inOneTab } from "./one-tab";
import { snapshot } from "./snapshot";
import { me, model, server, settings } from "./state";
import { uniqueName } from "./unique-name";

/** The delay after the last change until a text is sent to the server. */
const storedAfterMilliseconds = 3_000;

/** Ids of drafts that were sent or deleted here, until the server has deleted them too. */
const dropped = keptRows<number>(
  `draft-gone ${snapshot.user_id}`,
  (json) => Number(json),
  () => undefined,
);

/** Texts that were sent to the server, until it has answered with their ids. */
const attempts = keptRows<StoreAttempt>(
  `draft-attempt ${snapshot.user_id}`,
  (json) => {
    const attempt: StoreAttempt = JSON.parse(json);
    return attempt;
  },
  () => undefined,
);
/** A request of a page that has ended reaches the server within this time, or never. */
const attemptMilliseconds = 60_000;

/** Keys of texts that were changed in this tab. */
const ownKeys = new Set<string>();
/**
 * A text that another tab writes is stored by that tab, if the tab stays open this long. Without
 * locks it gets more time, because both tabs may store the text at one moment.
 */
const otherTabMilliseconds = hasLocks ? storedAfterMilliseconds : 30_000;

const isToStore = (row: LocalDraft): boolean =>
  !row.isStored && isShortEnough(row.content) && !isWrittenElsewhere(row);

/** Whether another tab, or the page before this one, has just written a text. */
const isWrittenElsewhere = ({ key, isStored, changedAt }: LocalDraft): boolean =>
  !isStored && !ownKeys.has(key) && now() - changedAt <= otherTabMilliseconds;

/** The server cuts longer texts, so they stay in the browser alone. */
const isShortEnough = (text: string): boolean =>
  [...text].length <= server.value.max_message_length;

const lock = `drafts ${snapshot.user_id}`;
const isWanted = (): boolean => settings.value.enable_drafts_synchronization;

/** Whether the person is signing out. Then nothing more is taken from the server. */
let isForgotten = false;

let timer: ReturnType<typeof setTimeout> | undefined;
let seen = model.peek().drafts;

/**
 * Synchronizes the browser's drafts with the server's: drafts written here are sent to the server,
 * and drafts of other clients are loaded.
 */
export function followStoredDrafts(): void {
  onDraftChange((key, before) => {
    ownKeys.add(key);
    const isGone = before?.serverId !== undefined && draftOf(key)?.serverId !== before.serverId;
    if (isGone && before.serverId !== undefined)
      dropped.keep(String(before.serverId), before.serverId);
    clearTimeout(timer);
    timer = setTimeout(storeSoon, isGone ? 0 : storedAfterMilliseconds);
  });
  for (const [key, { at }] of attempts.readAll())
    if (now() - at > attemptMilliseconds) attempts.keep(key, undefined);
  takeStored(true);
  model.subscribe(({ drafts }) => {
    if (drafts !== seen) takeStored(false);
  });
  document.addEventListener("visibilitychange", storeSoon);
  storeSoon();
}

/**
 * Takes in the server's drafts. When the page starts, drafts that the server no longer has were
 * deleted.
 */
function takeStored(isBeginning: boolean): void {
  const { drafts } = model.peek();
  const before = isBeginning ? ownIds() : new Set(seen.keys());
  const missing = [...before].filter((id) => !drafts.has(id));
  seen = drafts;
  const wasWanted = isWanted();
  // A request that stores a text ends first, so that its id is known.
  void inOneTab(lock, async () => {
    if (isForgotten) return;
    if (!wasWanted || !isWanted()) return unlinkAll();
    const gone = new Set(isBeginning ? await deletedOf(missing) : missing);
    if (isForgotten) return;
    const rows = draftRows();
    const left = leftBehind(rows, { drafts, attempts: attempts.readAll().values() }, me.value);
    for (const id of left) dropped.keep(String(id), id);
    if (left.length > 0) storeSoon();
    const ids = new Set(dropped.readAll().values());
    const after = withStored(rows, { drafts, gone, dropped: ids }, me.value);
    for (const key of new Set([...rows.keys(), ...after.keys()]))
      if (rows.get(key) !== after.get(key)) replaceDraft(key, after.get(key));
  });
}

/**
 * Notes that the server has none of the texts, because it deletes them all when the person turns
 * their synchronization off. Otherwise texts would be taken for deleted ones when it is on again.
 */
function unlinkAll(): void {
  for (const [key, row] of draftRows())
    if (row.serverId !== undefined || row.isStored === true)
      replaceDraft(key, { ...row, serverId: undefined, isStored: false });
}

/**
 * Removes texts from the browser that come back from the server, with their `attempts`, because
 * `leftBehind` would take the drafts for left ones at the next sign-in. Nothing is taken from the
 * server after that, because the person is signing out.
 */
export function forgetStoredDrafts(): void {
  if (!isWanted()) return;
  isForgotten = true;
  const left = forgetStoredRows();
  for (const [name, { key }] of attempts.readAll())
    if (!left.has(key)) attempts.keep(name, undefined);
}

/**
 * The drafts among these that the server has deleted. The server is asked, because the state in the
 * page is older than a text that the previous page stored when it ended.
 */
async function deletedOf(missing: readonly number[]): Promise<readonly number[]> {
  if (missing.length === 0) return missing;
  try {
    const { drafts } = await read("/drafts");
    return missing.filter((id) => drafts.every((draft) => draft.id !== id));
  } catch (error) {
    // The texts stay unchanged. The next page asks again.
    if (!(error instanceof Refusal)) throw error;
    return [];
  }
}

const ownIds = (): ReadonlySet<number> =>
  new Set([...draftRows().values()].flatMap(({ serverId }) => serverId ?? []));

function storeSoon(): void {
  clearTimeout(timer);
  if (!isWanted()) return;
  void inOneTab(lock, storeAll);
}

let otherTimer: ReturnType<typeof setTimeout> | undefined;

/** Stores texts of other tabs later, if these have not done so by then. */
function storeLater(): void {
  clearTimeout(otherTimer);
  otherTimer = setTimeout(storeSoon, storedAfterMilliseconds);
}

async function storeAll(): Promise<void> {
  try {
    for (const [key, id] of dropped.readAll()) await removeStored(key, id);
    for (const row of draftRows().values()) if (isToStore(row)) await storeUnlessRefused(row);
    if ([...draftRows().values()].some(isWrittenElsewhere)) storeLater();
  } catch (error) {
    // The text is stored in the browser. The next change, or the next page, sends it to the server.
    if (!(error instanceof Refusal)) throw error;
  }
}

async function removeStored(key: string, id: number): Promise<void> {
  try {
    await remove("/drafts/{draft_id}", { draft_id: id });
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
  }
  dropped.keep(key, undefined);
}

/**
 * Stores a text. If the server refuses it, for example because its channel no longer exists, the
 * others are stored nevertheless.
 */
async function storeUnlessRefused(row: LocalDraft): Promise<void> {
  try {
    await store(row);
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
}

const isRefused = (error: unknown): boolean => error instanceof Refusal && error.status === 400;

async function store(row: LocalDraft): Promise<void> {
  if (row.content.trim() === "") return;
  const draft = wireDraft(row);
  if (row.serverId === undefined) {
    const attempt = uniqueName();
    const { key, content } = row;
    attempts.keep(attempt, { key, serverKey: serverKey(row, me.value), content, at: now() });
    const { ids } = await post("/drafts", { drafts: [draft] }).catch((error: unknown) => {
      if (isRefused(error)) attempts.keep(attempt, undefined);
      throw error;
    });
    const [id] = ids;
    if (id !== undefined) noteStored(row, id);
    attempts.keep(attempt, undefined);
    return;
  }
  try {
    await patch("/drafts/{draft_id}", { draft_id: row.serverId, draft: JSON.stringify(draft) });
    noteStored(row, row.serverId);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
    replaceDraft(row.key, { ...row, serverId: undefined });
  }
}

/** Notes that the server has a text, which may have been changed, sent or deleted since. */
function noteStored(stored: LocalDraft, serverId: number): void {
  if (isForgotten) return;
  const row = draftRows().get(stored.key);
  if (!row) dropped.keep(String(serverId), serverId);
  else replaceDraft(row.key, { ...row, serverId, isStored: isEqual(row, stored) });
  if (!row) storeSoon();
}

/**
 * Whether two texts are equal for the server, including their recipients, which a move can change.
 */
const isEqual = (one: LocalDraft, other: LocalDraft): boolean =>
  JSON.stringify(wireDraft(one)) === JSON.stringify(wireDraft(other));
