import { signal } from "@preact/signals";
import { applyFiles, filesFrom, type OwnFile, type OwnFiles } from "../model/files";
import type { Event } from "../model/wire";
import { read, remove } from "../net/api";
import { reasonOf } from "./notices";

/** Files of the person; undefined until they are loaded, or why they were not. */
export const ownFiles = signal<OwnFiles | { readonly refusal: string } | undefined>(undefined);

/** Events that have come while the list was asked for, which the answer may not know yet. */
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

/** The list after events, as far as it is loaded. */
export function applyToFiles(events: readonly Event[]): void {
  late?.push(...events);
  const own = ownFiles.value;
  if (own && "files" in own) ownFiles.value = events.reduce(applyFiles, own);
}

/** Asks anew for a list that was loaded, because the events in between have not come. */
export function renewFiles(): void {
  if (ownFiles.value) void openFiles();
}

/** Deletes a file for everybody. */
export const removeFile = ({ id }: OwnFile): Promise<unknown> =>
  remove("/attachments/{attachment_id}", { attachment_id: id });
