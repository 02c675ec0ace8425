import { computed, signal } from "@preact/signals";
import { now } from "../clock";
import type { LocalDraft } from "../model/local-drafts";
import type { Target } from "../model/recipient";
import { keptRows } from "./kept";
import { snapshot } from "./snapshot";

const drafts = signal<ReadonlyMap<string, LocalDraft>>(new Map());

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
  (key, row) => show(key, row),
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

/** Keeps the text of a box. An empty one is no draft any more. */
export function writeDraft(key: string, target: Target, content: string): void {
  const before = drafts.value.get(key);
  if (content === "" && before === undefined) return;
  const row = { ...before, key, target, content, changedAt: now() };
  show(key, content === "" ? undefined : row);
  unkept.add(key);
  timer ??= setTimeout(keepChanges, keptAfterMilliseconds);
}

/** Takes a draft away: it was sent, or its writer has deleted it. */
export function dropDraft(key: string): LocalDraft | undefined {
  const row = drafts.value.get(key);
  show(key, undefined);
  unkept.add(key);
  keepChanges();
  return row;
}

function keepChanges(): void {
  clearTimeout(timer);
  timer = undefined;
  for (const key of unkept) kept.keep(key, drafts.value.get(key));
  unkept.clear();
}

/** Begins with the texts that were left in the browser. */
export function openDrafts(): void {
  drafts.value = kept.readAll();
  addEventListener("pagehide", keepChanges);
  document.addEventListener("visibilitychange", keepChanges);
}
