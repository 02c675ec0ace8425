import { signal } from "@preact/signals";
import { applyFiles, filesFrom, type OwnFile, type OwnFiles } from "../model/files";
import type { Event } from "../model/wire";
import { read, remove } from "../net/api";
import { reasonOf } from "./notices";

/** The person's files; undefined until they are loaded, or why they could not be loaded. */
export const ownFiles = signal<OwnFiles | { readonly refusal: string } | undefined>(undefined);

/** Events that arrived while the list was requested. The answer may not include them. */
let late: Event[] | undefined;

/** Loads the list when it is opened. */
export async function openFiles(): Promise<void> {
  if (late) return;
  const since: Event[] = [];
  late = since;
  try {
    const answer = filesFrom(await read("/attachments"));
    ownFiles.value = since.reduce(applyFiles, answer);
  } catch (error) {
    ownFiles.value = { refusal: reasonOf(error) };
  } finally {
    late = undefined;
  }
}

/** Applies events to the list, if it is loaded. */
export function applyToFiles(events: readonly Event[]): void {
  late?.push(...events);
  const own = ownFiles.value;
  if (own && "files" in own) ownFiles.value = events.reduce(applyFiles, own);
}

/** Loads the list again, if it was loaded, because events were missed. */
export function renewFiles(): void {
  if (ownFiles.value) void openFiles();
}

/** Deletes a file for everybody. */
export const removeFile = ({ id }: OwnFile): Promise<unknown> =>
  remove("/attachments/{attachment_id}", { attachment_id: id });
