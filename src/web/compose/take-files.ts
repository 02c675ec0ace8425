import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { shownKind } from "../store/place";
import { server } from "../store/state";
import { lineLeftOf, refuseFile, upload } from "../store/uploads";
import { composeWords } from "../words/compose";
import { insertLines, replacerIn } from "./field";
import { messageBox } from "./message-box";
import type { TextBox } from "./text-box";
import { closedBecause } from "./warnings";

const bytesPerMib = 1_048_576;

interface Given {
  readonly file: File;
  /** Browsers present folders as files that cannot be read. */
  readonly isFolder: boolean;
}

/** Uploads files into the text of a box, each with a line that marks its place. */
const takeFiles = (box: TextBox, files: readonly File[]): void =>
  take(
    box,
    files.map((file) => ({ file, isFolder: false })),
  );

/** Uploads files that are dropped on a box or pasted into it. */
export const takeTransfer = (box: TextBox, { items }: DataTransfer): void =>
  take(
    box,
    [...items].flatMap((item) => {
      const file = item.getAsFile();
      return file ? [{ file, isFolder: item.webkitGetAsEntry()?.isDirectory === true }] : [];
    }),
  );

function take(box: TextBox, given: readonly Given[]): void {
  if (!isOpen(box)) return;
  const key = box.key.peek();
  for (const one of given) {
    const why = whyNot(one);
    if (why === undefined) takeFile(box, one.file, key);
    else refuseFile(one.file, key, why);
  }
}

/** Why a file cannot be uploaded; undefined if it can. */
function whyNot({ file: { name, size }, isFolder }: Given): string | undefined {
  if (isFolder) return composeWords.isFolder(name);
  const max = server.value.max_file_upload_size_mib;
  return size > max * bytesPerMib ? composeWords.fileTooLarge(name, max) : undefined;
}

function takeFile(box: TextBox, file: File, key: string): void {
  const left = lineLeftOf(file.name, box.text.peek(), key);
  const replace = replacerIn(box);
  const line = upload(file, key, replace);
  if (left === undefined) insertLines(box, line);
  else replace(key, left, line);
}

/** Whether the box is shown, so that it can show the progress of a file. */
const isOpen = (box: TextBox): boolean =>
  box !== messageBox || (shownKind() !== undefined && closedBecause() === undefined);

/** Lets the person choose files for a box. */
export function chooseFiles(box: TextBox): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.onchange = () => takeFiles(box, [...(input.files ?? [])]);
  input.click();
}

/** The box that receives the files that are being dragged over the page. */
export const dropBox = signal<TextBox | undefined>(undefined);

/** Boxes of messages that are being edited, by their elements. */
const areas = new Map<HTMLElement, TextBox>();

/**
 * Lets a box receive files that are dropped on its element, or anywhere while one is writing in it.
 */
export function useDropArea(box: TextBox, element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    areas.set(current, box);
    return () => void areas.delete(current);
  }, [box, element]);
}

function boxFor({ target }: DragEvent): TextBox {
  const at = [target, document.activeElement].filter((node) => node instanceof Node);
  const found = at.flatMap((node) => [...areas].filter(([area]) => area.contains(node)));
  return found[0]?.[1] ?? messageBox;
}

/**
 * The box that takes files which are dropped now; undefined while a dialog is open, because it
 * covers the boxes.
 */
function receiverOf(event: DragEvent): TextBox | undefined {
  if (document.querySelector("dialog[open]")) return undefined;
  const box = boxFor(event);
  return isOpen(box) ? box : undefined;
}

/** Handles files that are dropped anywhere on the page. */
export function followDrops(): void {
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    dropBox.value = receiverOf(event);
    if (!dropBox.value && event.dataTransfer) event.dataTransfer.dropEffect = "none";
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) dropBox.value = undefined;
  });
  document.addEventListener("drop", (event) => {
    dropBox.value = undefined;
    if (!hasFiles(event)) return;
    event.preventDefault();
    const box = receiverOf(event);
    if (box && event.dataTransfer) takeTransfer(box, event.dataTransfer);
  });
}
