import { signal } from "@preact/signals";
import { messageText } from "../model/outgoing";
import { deletedBy } from "../model/unread";
import type { Event } from "../model/wire";
import { patch, Refusal, read } from "../net/api";
import { words } from "../words/words";
import { awaitedByKeys } from "./awaited";
import { keptRows } from "./kept-rows";
import { tooLong } from "./message-length";
import { notify, reasonOf } from "./notices";
import { me } from "./state";
import { cancelUploadsOf, waitsForFiles } from "./uploads";

/** The new text of a message that the person is editing. */
export interface Edit {
  readonly text: string;
  /** The text of the message before the edit; undefined until the server has sent it. */
  readonly original: string | undefined;
  /** Whether the box is open. The text of a closed box is kept for the next time. */
  readonly isOpen: boolean;
  readonly isSaving: boolean;
  /** Why the text could not be saved. */
  readonly refusal: string | undefined;
  /** The text that somebody else has saved for the message meanwhile. */
  readonly theirs: string | undefined;
}

type KeptEdit = Pick<Edit, "text" | "original">;

const closed = { isOpen: false, isSaving: false, refusal: undefined, theirs: undefined };
const edits = signal<ReadonlyMap<number, Edit>>(new Map());

/** Texts of messages that were deleted while the person was editing them. */
export const lostTexts = signal<readonly string[]>([]);

const kept = keptRows<KeptEdit>(
  `edit ${me.value}`,
  (json) => JSON.parse(json),
  (key, row) => {
    const id = Number(key);
    // A box that is open here stays open. If two tabs save, the server tells the second one.
    if (edits.value.get(id)?.isOpen) return;
    setEdit(id, row && { ...row, ...closed });
  },
);
edits.value = new Map(
  [...kept.readAll()].map(([key, row]) => [Number(key), { ...row, ...closed }]),
);

/** The person's edit of a message that is not saved yet. */
export const editOf = (messageId: number): Edit | undefined => edits.value.get(messageId);

function setEdit(messageId: number, edit: Edit | undefined): void {
  const others = new Map(edits.value);
  if (edit) others.set(messageId, edit);
  else others.delete(messageId);
  edits.value = others;
}

function change(messageId: number, changes: Partial<Edit>): void {
  const edit = edits.value.get(messageId);
  if (edit) setEdit(messageId, { ...edit, ...changes });
}

function keep(messageId: number): void {
  const edit = edits.value.get(messageId);
  const isChanged = edit !== undefined && edit.text !== edit.original;
  kept.keep(
    String(messageId),
    isChanged ? { text: edit.text, original: edit.original } : undefined,
  );
}

let focusWanted: number | undefined;

/** Whether the box of a message was just opened and should take the caret. True only once. */
export function takeFocus(messageId: number): boolean {
  const isWanted = focusWanted === messageId;
  if (isWanted) focusWanted = undefined;
  return isWanted;
}

/** Starts to edit a message, or continues with a text that was kept. */
export async function openEdit(messageId: number): Promise<void> {
  const before = edits.value.get(messageId);
  if (before?.isOpen) return;
  focusWanted = messageId;
  const start = before ?? { text: "", original: undefined, ...closed };
  setEdit(messageId, { ...start, isOpen: true });
  try {
    const now = await awaitedByKeys(sourceOf(messageId));
    if (now === undefined) return leaveEdit(messageId);
    const edit = edits.value.get(messageId);
    if (!edit?.isOpen) return;
    if (edit.original === undefined) change(messageId, { original: now, text: edit.text || now });
    else if (edit.original !== now) change(messageId, { theirs: now, original: now });
  } catch (error) {
    notify(reasonOf(error));
    leaveEdit(messageId);
  }
}

/** The Markdown source of a message. */
export async function sourceOf(messageId: number): Promise<string> {
  const { raw_content: text } = await read("/messages/{message_id}", { message_id: messageId });
  return text;
}

/** The key of an edit's text, under which files that are being uploaded find it. */
export const editKey = (messageId: number): string => `edit ${messageId}`;

export function changeText(messageId: number, text: string): void {
  change(messageId, { text });
  keep(messageId);
}

/** Shows why a text cannot be saved; undefined removes that reason. */
export const tellEditor = (messageId: number, refusal: string | undefined): void =>
  change(messageId, { refusal });

/** Closes the box. A changed text is kept. */
export function leaveEdit(messageId: number): void {
  const edit = edits.value.get(messageId);
  if (!edit) return;
  const isChanged = edit.original !== undefined && edit.text !== edit.original;
  setEdit(messageId, isChanged ? { ...edit, ...closed } : undefined);
  keep(messageId);
}

/** Discards a changed text. This can be undone. */
export function cancelEdit(messageId: number): void {
  // The lines of its files are removed from the text, because Undo brings the text back without the
  // files.
  cancelUploadsOf(editKey(messageId));
  const edit = edits.value.get(messageId);
  if (!edit) return;
  setEdit(messageId, undefined);
  keep(messageId);
  if (edit.text === edit.original) return;
  notify(words.actions.editCancelled, () => {
    setEdit(messageId, { ...edit, isSaving: false });
    keep(messageId);
  });
}

/** Replaces the person's text by the one that somebody else has saved. */
export function acceptOtherText(messageId: number): void {
  const theirs = edits.value.get(messageId)?.theirs;
  if (theirs === undefined) return;
  change(messageId, { text: theirs, original: theirs, theirs: undefined });
  keep(messageId);
}

/** Saves a changed text. If the server refuses it, it stays in the box with the reason. */
export async function saveEdit(messageId: number): Promise<void> {
  const edit = edits.value.get(messageId);
  if (!edit || edit.isSaving || edit.original === undefined) return;
  if (edit.text === edit.original) return leaveEdit(messageId);
  const wait = waitsForFiles(edit.text, editKey(messageId));
  if (wait !== undefined) return tellEditor(messageId, wait);
  // The box says by itself that the text is too long.
  if (tooLong(edit.text) !== undefined) return;
  change(messageId, { isSaving: true, refusal: undefined });
  try {
    const hash = await sha256(edit.original);
    await patch("/messages/{message_id}", {
      message_id: messageId,
      content: edit.text,
      ...(hash === undefined ? {} : { prev_content_sha256: hash }),
    });
    if (edits.value.get(messageId)?.text === edit.text) return end(messageId);
    change(messageId, {
      original: messageText(edit.text),
      isSaving: false,
      theirs: undefined,
    });
    keep(messageId);
  } catch (error) {
    change(messageId, { isSaving: false, refusal: reasonOf(error) });
    if (error instanceof Refusal && error.code === "EXPECTATION_MISMATCH")
      await showTheirs(messageId);
  }
}

async function showTheirs(messageId: number): Promise<void> {
  try {
    const theirs = await sourceOf(messageId);
    if (endSaved(messageId, theirs)) return;
    // Saving once more replaces the text that is there now.
    change(messageId, { theirs, original: theirs, refusal: undefined });
  } catch (error) {
    change(messageId, { refusal: reasonOf(error) });
  }
}

/** The hash of a text; undefined on addresses without https, where browsers cannot compute it. */
async function sha256(text: string): Promise<string | undefined> {
  if (!globalThis.isSecureContext) return undefined;
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Loads the current state of the messages that are being edited, because events may have been
 * missed. Otherwise the text of a deleted message would stay in the browser unseen.
 */
export async function renewEditing(): Promise<void> {
  for (const id of edits.value.keys())
    try {
      takeNote(id, await sourceOf(id));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 400) lose(id);
    }
}

/** Tells changes of messages that others make while the person is at them, and deletions. */
export function applyToEditing(events: readonly Event[]): void {
  if (edits.value.size === 0) return;
  for (const event of events) {
    if (event.type === "delete_message") for (const id of deletedBy(event)) lose(id);
    if (event.type === "update_message" && event.content !== undefined && !event.rendering_only)
      takeNote(event.message_id, event.content);
  }
}

function takeNote(messageId: number, content: string): void {
  const edit = edits.value.get(messageId);
  if (!edit || edit.original === undefined || edit.original === content) return;
  if (endSaved(messageId, content) || edit.isSaving) return;
  if (edit.text === edit.original) change(messageId, { text: content, original: content });
  else change(messageId, { theirs: content, original: content });
}

/** Ends an edit whose text the message already has: it was saved, although no answer arrived. */
function endSaved(messageId: number, content: string): boolean {
  const isSaved = edits.value.get(messageId)?.text.trim() === content.trim();
  if (isSaved) end(messageId);
  return isSaved;
}

function end(messageId: number): void {
  setEdit(messageId, undefined);
  keep(messageId);
  cancelUploadsOf(editKey(messageId));
}

function lose(messageId: number): void {
  cancelUploadsOf(editKey(messageId));
  const edit = edits.value.get(messageId);
  if (!edit) return;
  setEdit(messageId, undefined);
  keep(messageId);
  if (edit.text !== edit.original) lostTexts.value = [...lostTexts.value, edit.text];
}
