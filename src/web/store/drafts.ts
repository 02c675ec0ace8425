import { computed, signal } from "@preact/signals";
import { now } from "../clock";
import { draftKey, joined, type LocalDraft } from "../model/local-drafts";
import { movedRecipient, type Target } from "../model/recipient";
import type { Event } from "../model/wire";
import { keptRows } from "./kept-rows";
import { snapshot } from "./snapshot";
import { me } from "./state";
import { moveUploads } from "./uploads";

const drafts = signal<ReadonlyMap<string, LocalDraft>>(new Map());

/** Texts that are not sent yet, by their keys: as all tabs have kept them, and as they are here. */
export function draftRows(): ReadonlyMap<string, LocalDraft> {
  keepDrafts();
  const rows = kept.readAll();
  return rows.size === 0 ? drafts.peek() : rows;
}

/** Texts that are not sent yet, those that were changed last first. */
export const localDrafts = (): readonly LocalDraft[] =>
  [...drafts.value.values()].sort((one, other) => other.changedAt - one.changedAt);

/** Number of texts that are not sent yet. */
export const draftCount = computed(() => drafts.value.size);

/** The text of a box, by the key of the draft that it edits. */
export const draftOf = (key: string): LocalDraft | undefined => drafts.value.get(key);

const kept = keptRows<LocalDraft>(
  `draft ${snapshot.user_id}`,
  (json) => {
    const row: LocalDraft = JSON.parse(json);
    return row;
  },
  (key, row) => {
    // Text that is typed here is newer than that which another tab has kept.
    if (!unkept.has(key)) show(key, row);
  },
);

function show(key: string, row: LocalDraft | undefined): void {
  const rows = new Map(drafts.value);
  if (row) rows.set(key, row);
  else rows.delete(key);
  drafts.value = rows;
}

/** So long after a change a text is kept in the browser, so that typing is not slowed down. */
const keptAfterMilliseconds = 300;
const unkept = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Called with drafts that were changed, and those that were taken away. */
type Follower = (key: string, before: LocalDraft | undefined) => void;
let follower: Follower = () => undefined;

/** Tells somebody of each text that is changed here or taken away. */
export function onDraftChange(follow: Follower): void {
  follower = follow;
}

/** Keeps the text of a box. An empty one is no draft any more. */
export function writeDraft(key: string, target: Target, content: string): void {
  const before = drafts.value.get(key);
  if (content === "" && before === undefined) return;
  const row = { ...before, key, target, content, changedAt: now(), isStored: false };
  show(key, content === "" ? undefined : row);
  unkept.add(key);
  timer ??= setTimeout(keepDrafts, keptAfterMilliseconds);
  follower(key, before);
}

/** Takes a draft away: it was sent, or its writer has deleted it. */
export function dropDraft(key: string): LocalDraft | undefined {
  const row = drafts.value.get(key);
  if (!row) return undefined;
  replaceDraft(key, undefined);
  follower(key, row);
  return row;
}

/** Puts a draft in the place of another, and keeps it at once. */
export function replaceDraft(key: string, row: LocalDraft | undefined): void {
  show(key, row);
  unkept.add(key);
  keepDrafts();
}

/** Keeps in the browser all that was typed. */
export function keepDrafts(): void {
  clearTimeout(timer);
  timer = undefined;
  for (const key of unkept) kept.keep(key, drafts.value.get(key));
  unkept.clear();
}

/** A topic that has moved takes its draft along. */
export function applyToDrafts(events: readonly Event[]): void {
  for (const event of events) {
    if (event.type !== "update_message") continue;
    for (const row of drafts.peek().values()) {
      const target = movedRecipient(row.target, event);
      // A text for a conversation that is still to be chosen stays where it is written.
      const key = row.key.startsWith("new ") ? row.key : draftKey(target, me.value);
      if (target !== row.target) moveDraft(row, target, key);
    }
  }
}

/** Takes a draft to another key, where its text is added to what is there; its files go along. */
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

/** Begins with the texts that were left in the browser. */
export function openDrafts(): void {
  drafts.value = kept.readAll();
  addEventListener("pagehide", keepDrafts);
  document.addEventListener("visibilitychange", keepDrafts);
}
