import { signal } from "@preact/signals";
import { keepPage } from "../net/build";
import { deleteParts, type Parts, uploadFile } from "../net/upload";
import { composeWords } from "../words/compose";
import { type FilePlace, filePlaces, isPlaceOf, linkText, placeholderOf } from "./file-places";
import { reasonOf } from "./notices";

/** A file that is being uploaded for a draft. */
export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  /** The key of the draft whose text has a line that marks the file's place. */
  readonly draftKey: string;
  readonly placeholder: string;
  /** Bytes that were uploaded. */
  readonly sent: number;
  /** Why it failed; undefined while it continues. */
  readonly why: string | undefined;
  /** Whether it may be uploaded. A file that is too large has no place in the text. */
  readonly isAllowed: boolean;
}

const uploads = signal<readonly Upload[]>([]);

export const uploadsOf = (draftKey: string): readonly Upload[] =>
  uploads.value.filter((upload) => upload.draftKey === draftKey);

interface Work {
  readonly file: File;
  readonly cut: AbortController;
  readonly parts: Parts;
  /** Replaces the line that marks the file's place in a draft by a text. */
  readonly replace: (draftKey: string, line: string, text: string) => void;
}

const atOnceMax = 3;
const works = new Map<number, Work>();
const running = new Set<number>();
let newestId = 0;

/** Uploads a file for a draft. Returns the line that marks its place until it is uploaded. */
export function upload(file: File, draftKey: string, replace: Work["replace"]): string {
  newestId += 1;
  const id = newestId;
  const placeholder = placeholderOf(file.name, id);
  const { name, size } = file;
  works.set(id, { file, cut: new AbortController(), parts: { address: undefined }, replace });
  add({ id, name, size, draftKey, placeholder, sent: 0, why: undefined, isAllowed: true });
  // The line must be in the text first.
  queueMicrotask(startNext);
  return placeholder;
}

const add = (one: Upload): void => {
  uploads.value = [...uploads.value, one];
};

/** Shows beside a draft why a file is not uploaded, until its writer has seen it. */
export function refuseFile({ name, size }: File, draftKey: string, why: string): void {
  newestId += 1;
  add({ id: newestId, name, size, draftKey, placeholder: "", sent: 0, why, isAllowed: false });
}

/** Whether this page is uploading a file. After a reload, or in another tab, it is not. */
const isOnItsWay = ({ line }: FilePlace, draftKey: string): boolean =>
  uploadsOf(draftKey).some(({ placeholder }) => placeholder === line);

/** Why a text must wait for its files; undefined if all of them are uploaded. */
export function waitsForFiles(text: string, draftKey: string): string | undefined {
  const places = filePlaces(text);
  const left = places.find((place) => !isOnItsWay(place, draftKey));
  if (left) return composeWords.notUploading(left.name);
  const lines = new Set(places.map(({ line }) => line));
  const failed = uploadsOf(draftKey).find(
    ({ why, placeholder }) => why !== undefined && lines.has(placeholder),
  );
  if (failed) return composeWords.notUploaded(failed.name);
  return places.length === 0 ? undefined : composeWords.waitForFiles;
}

/**
 * The line of a file that an earlier page did not finish to upload. The file takes that place when
 * it is uploaded again.
 */
export const lineLeftOf = (fileName: string, text: string, draftKey: string): string | undefined =>
  filePlaces(text).find((place) => !isOnItsWay(place, draftKey) && isPlaceOf(place, fileName))
    ?.line;

function startNext(): void {
  for (const { id, why } of uploads.value) {
    if (running.size >= atOnceMax) return;
    if (why === undefined && !running.has(id)) void run(id);
  }
}

async function run(id: number): Promise<void> {
  const work = works.get(id);
  if (!work) return;
  running.add(id);
  const letPageGo = keepPage();
  try {
    const { url, filename } = await uploadFile(work.file, work.parts, {
      signal: work.cut.signal,
      sent: (bytes) => change(id, { sent: bytes }),
    });
    finish(id, `[${linkText(filename)}](${url})`);
  } catch (error) {
    const why = reasonOf(error);
    if (!work.cut.signal.aborted) change(id, { why });
  } finally {
    running.delete(id);
    startNext();
    letPageGo();
  }
}

function change(id: number, changes: Partial<Upload>): void {
  uploads.value = uploads.value.map((upload) =>
    upload.id === id ? { ...upload, ...changes } : upload,
  );
}

function finish(id: number, text: string): void {
  const done = uploads.value.find((upload) => upload.id === id);
  if (done) works.get(id)?.replace(done.draftKey, done.placeholder, text);
  works.delete(id);
  uploads.value = uploads.value.filter((upload) => upload.id !== id);
}

/** Cancels an upload and removes its line from the text. */
export function cancelUpload(id: number): void {
  const work = works.get(id);
  work?.cut.abort();
  finish(id, "");
  if (work) void deleteParts(work.parts);
}

/** Continues a failed upload. */
export function uploadAgain(id: number): void {
  change(id, { why: undefined });
  startNext();
}

/** Moves uploads along with their draft. */
export function moveUploads(from: string, to: string): void {
  for (const { id } of uploads.peek().filter(({ draftKey }) => draftKey === from))
    change(id, { draftKey: to });
}

/** Cancels the uploads of a text that was deleted, or sent without its files. */
export function cancelUploadsOf(draftKey: string): void {
  for (const { id } of uploadsOf(draftKey)) cancelUpload(id);
}
