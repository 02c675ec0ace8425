import { computed, signal } from "@preact/signals";
import { now } from "../clock";
import { comesBack, draftKey, joined, type LocalDraft } from "../model/local-drafts";
import { movedRecipient, type Target } from "../model/recipient";
import type { Event } from "../model/wire";
import { keptRows } from "./kept-rows";
import { snapshot } from "./snapshot";
import { me } from "./state";
import { moveUploads } from "./uploads";

const drafts = signal<ReadonlyMap<string, LocalDraft>>(new Map());

/**
 * Unsent texts by key: the stored texts of all tabs, with this page's newer versions, also if the
 * browser has no room for them.
 */
export function draftRows(): ReadonlyMap<string, LocalDraft> {
  keepDrafts();
  const stored = kept.readAll();
  if (stored.size === 0) return drafts.peek();
  const rows = new Map(stored);
  for (const key of unkept) {
    const row = drafts.peek().get(key);
    if (row) rows.set(key, row);
    else rows.delete(key);
  }
  return rows;
}

/** Unsent texts, the last changed first. */
export const localDrafts = (): readonly LocalDraft[] =>
  [...drafts.value.values()].sort((one, other) => other.changedAt - one.changedAt);

/** The number of unsent texts. */
export const draftCount = computed(() => drafts.value.size);

/** The text of a box, by the key of its draft. */
export const draftOf = (key: string): LocalDraft | undefined => drafts.value.get(key);

const kept = keptRows<LocalDraft>(
  `draft ${snapshot.user_id}`,
  (json) => {
    const row: LocalDraft = JSON.parse(json);
    return row;
  },
  takeOther,
);

/** Takes a text from another tab, unless the text that is being typed here is newer. */
function takeOther(key: string, row: LocalDraft | undefined): void {
  const own = drafts.peek().get(key);
  const isOlder = row && own && !own.isStored && row.changedAt < own.changedAt;
  if (!isOlder && !unkept.has(key)) {
    show(key, row);
    return;
  }
  // The server may have the older text meanwhile. Without its id, it would get a second draft.
  const serverId = own?.serverId ?? row?.serverId;
  if (!own || !row) return;
  show(key, { ...own, serverId });
  keepSoon(key);
}

function show(key: string, row: LocalDraft | undefined): void {
  const rows = new Map(drafts.value);
  if (row) rows.set(key, row);
  else rows.delete(key);
  drafts.value = rows;
}

/**
 * The delay after a change until a text is stored in the browser, so that typing is not slowed
 * down.
 */
const keptAfterMilliseconds = 300;
/** Keys of texts that are not stored yet, or for which the browser had no room. */
const unkept = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Called for each draft that was changed or removed. */
type Follower = (key: string, before: LocalDraft | undefined) => void;
let follower: Follower = () => undefined;

/** Calls a function for each text that is changed or removed in this page. */
export function onDraftChange(follow: Follower): void {
  follower = follow;
}

/** Sets the text of a box. An empty text is not a draft. */
export function writeDraft(key: string, target: Target, content: string): void {
  const before = drafts.value.get(key);
  if (content === "" && before === undefined) return;
  const row = { ...before, key, target, content, changedAt: now(), isStored: false };
  show(key, content === "" ? undefined : row);
  keepSoon(key);
  follower(key, before);
}

function keepSoon(key: string): void {
  unkept.add(key);
  timer ??= setTimeout(keepDrafts, keptAfterMilliseconds);
}

/** Removes a draft, because it was sent or deleted. */
export function dropDraft(key: string): LocalDraft | undefined {
  const row = drafts.value.get(key);
  if (!row) return undefined;
  replaceDraft(key, undefined);
  follower(key, row);
  return row;
}

/** Replaces a draft by another, and stores it at once. */
export function replaceDraft(key: string, row: LocalDraft | undefined): void {
  show(key, row);
  unkept.add(key);
  keepDrafts();
}

/** Stores all typed text in the browser at once. A text that has no room is tried again later. */
function keepDrafts(): void {
  clearTimeout(timer);
  timer = undefined;
  for (const key of unkept) if (kept.keep(key, drafts.value.get(key))) unkept.delete(key);
}

/**
 * Removes texts from the browser that come back from the server. The page still shows them. Answers
 * the keys of the texts that stay in the browser.
 */
export function forgetStoredRows(): ReadonlySet<string> {
  const left = new Set<string>();
  for (const row of draftRows().values())
    if (comesBack(row, me.value)) {
      kept.keep(row.key, undefined);
      unkept.delete(row.key);
    } else left.add(row.key);
  return left;
}

/** Moves the draft of a topic along when the topic is moved. */
export function applyToDrafts(events: readonly Event[]): void {
  for (const event of events) {
    if (event.type !== "update_message") continue;
    for (const row of drafts.peek().values()) {
      const target = movedRecipient(row.target, event);
      // A text whose conversation is not chosen yet stays in its place.
      const key = row.key.startsWith("new ") ? row.key : draftKey(target, me.value);
      if (target !== row.target) moveDraft(row, target, key);
    }
  }
}

/**
 * Moves a draft to another key, with its files. If there is a text under that key, the draft's text
 * is added to it.
 */
export function moveDraft(row: LocalDraft, target: Target, key: string): void {
  const there = key === row.key ? undefined : drafts.peek().get(key);
  const content = there ? joined(there.content, row.content) : row.content;
  const serverId = there?.serverId ?? row.serverId;
  if (key !== row.key) {
    replaceDraft(row.key, undefined);
    moveUploads(row.key, key);
  }
  replaceDraft(key, { ...row, key, target, content, serverId, isStored: false });
  follower(key, there?.serverId === undefined ? undefined : row);
}

/** Loads the texts that are stored in the browser. */
export function openDrafts(): void {
  drafts.value = kept.readAll();
  addEventListener("pagehide", keepDrafts);
  document.addEventListener("visibilitychange", keepDrafts);
}
