import { signal } from "@preact/signals";
import { messageText } from "../model/outgoing";
import { deletedBy } from "../model/unread";
import type { Event } from "../model/wire";
import { patch, Refusal, read } from "../net/api";
import { words } from "../words/words";
import { awaitedByKeys } from "./awaited";
import { keptRows } from "./kept-rows";
import { notify, reasonOf } from "./notices";
import { me } from "./state";
import { cancelUploadsOf, waitsForFiles } from "./uploads";

/** The new text of a message that the person is changing. */
export interface Edit {
  readonly text: string;
  /** Text of the message that the change begins from; undefined until the server has told it. */
  readonly original: string | undefined;
  /** Whether the box is open. A text that was left stays, and is there again when it opens. */
  readonly isOpen: boolean;
  readonly isSaving: boolean;
  /** Reason why it is not saved. */
  readonly refusal: string | undefined;
  /** Text that somebody else has given the message meanwhile. */
  readonly theirs: string | undefined;
}

type KeptEdit = Pick<Edit, "text" | "original">;

const closed = { isOpen: false, isSaving: false, refusal: undefined, theirs: undefined };
const edits = signal<ReadonlyMap<number, Edit>>(new Map());

/** Texts of messages that were deleted while the person changed them. */
export const lostTexts = signal<readonly string[]>([]);

const kept = keptRows<KeptEdit>(
  `edit ${me.value}`,
  (json) => JSON.parse(json),
  (key, row) => {
    const id = Number(key);
    // A box that is open here goes on as it is: the server tells the second of two to save.
    if (edits.value.get(id)?.isOpen) return;
    setEdit(id, row && { ...row, ...closed });
  },
);
edits.value = new Map(
  [...kept.readAll()].map(([key, row]) => [Number(key), { ...row, ...closed }]),
);

/** The change of a message that the person has begun. */
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

/** Whether the box of a message was just opened, so that the caret belongs into it; once. */
export function takeFocus(messageId: number): boolean {
  const isWanted = focusWanted === messageId;
  if (isWanted) focusWanted = undefined;
  return isWanted;
}

/** Begins to change a message, or goes on with a text that was left. */
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

/** The text of a message as it was written. */
export async function sourceOf(messageId: number): Promise<string> {
  const { raw_content: text } = await read("/messages/{message_id}", { message_id: messageId });
  return text;
}

/** Key of the text that a message is given: files on their way to it are found by it. */
export const editKey = (messageId: number): string => `edit ${messageId}`;

export function changeText(messageId: number, text: string): void {
  change(messageId, { text });
  keep(messageId);
}

/** Tells why a text cannot be saved; undefined takes that back. */
export const tellEditor = (messageId: number, refusal: string | undefined): void =>
  change(messageId, { refusal });

/** Closes the box; a changed text stays. */
export function leaveEdit(messageId: number): void {
  const edit = edits.value.get(messageId);
  if (!edit) return;
  const isChanged = edit.original !== undefined && edit.text !== edit.original;
  setEdit(messageId, isChanged ? { ...edit, ...closed } : undefined);
  keep(messageId);
}

/** Gives a changed text up; it can be undone. */
export function cancelEdit(messageId: number): void {
  // Their lines go from the text, which can come back without them alone.
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

/** Takes the text that somebody else has given the message, in place of one's own. */
export function acceptOtherText(messageId: number): void {
  const theirs = edits.value.get(messageId)?.theirs;
  if (theirs === undefined) return;
  change(messageId, { text: theirs, original: theirs, theirs: undefined });
  keep(messageId);
}

/** Saves a changed text; it stays in the box, with the reason, where that is refused. */
export async function saveEdit(messageId: number): Promise<void> {
  const edit = edits.value.get(messageId);
  if (!edit || edit.isSaving || edit.original === undefined) return;
  if (edit.text === edit.original) return leaveEdit(messageId);
  const wait = waitsForFiles(edit.text, editKey(messageId));
  if (wait !== undefined) return tellEditor(messageId, wait);
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
    // Saving once more takes the place of what is there now.
    change(messageId, { theirs, original: theirs, refusal: undefined });
  } catch (error) {
    change(messageId, { refusal: reasonOf(error) });
  }
}

/** The hash of a text; undefined where the browser makes none, on addresses without https. */
async function sha256(text: string): Promise<string | undefined> {
  if (!globalThis.isSecureContext) return undefined;
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Asks for the current state of the messages that are being edited, if events may have been missed.
 * Otherwise the text for a deleted message would stay in the browser unseen.
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
