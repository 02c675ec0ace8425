import { signal } from "@preact/signals";
import { boxKey } from "../store/box";
import { shownKind } from "../store/place";
import { server } from "../store/state";
import { upload } from "../store/uploads";
import { words } from "../words/words";
import { insertLines, replaceInDraft } from "./field";
import { obstacle } from "./send";
import { closedBecause } from "./warnings";

const bytesPerMib = 1_048_576;

/** Uploads files into the text of the box, each with a line that holds its place. */
export function takeFiles(files: readonly File[]): void {
  if (closedBecause() !== undefined) return;
  const max = server.value.max_file_upload_size_mib;
  const key = boxKey.peek();
  for (const file of files) {
    if (file.size > max * bytesPerMib) obstacle.value = words.compose.fileTooLarge(file.name, max);
    else insertLines(upload(file, key, replaceInDraft));
  }
}

/** Lets the person choose files. */
export function chooseFiles(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.onchange = () => takeFiles([...(input.files ?? [])]);
  input.click();
}

/** Whether files are held over the page. */
export const isDropping = signal(false);

/** Whether there is a box that shows what becomes of a file. */
const hasBox = (): boolean => shownKind() !== undefined;

/** Takes files that are dropped anywhere on the page. */
export function followDrops(): void {
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    isDropping.value = hasBox() && closedBecause() === undefined;
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) isDropping.value = false;
  });
  document.addEventListener("drop", (event) => {
    isDropping.value = false;
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (hasBox()) takeFiles([...(event.dataTransfer?.files ?? [])]);
  });
}
