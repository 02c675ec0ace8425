import { signal } from "@preact/signals";
import { keepPage } from "../net/build";
import { deleteParts, type Parts, uploadFile } from "../net/upload";
import { composeWords } from "../words/compose";
import { type FilePlace, filePlaces, isPlaceOf, linkText, placeholderOf } from "./file-places";
import { reasonOf } from "./notices";

/** A file on its way to the server, for a draft. */
export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  /** The draft whose text has a line that holds the file's place. */
  readonly draftKey: string;
  readonly placeholder: string;
  /** Bytes that have arrived. */
  readonly sent: number;
  /** Reason why it has not worked; undefined while it goes on. */
  readonly why: string | undefined;
  /** Whether it may go to the server: a file that is too large has no place in the text. */
  readonly isAllowed: boolean;
}

const uploads = signal<readonly Upload[]>([]);

export const uploadsOf = (draftKey: string): readonly Upload[] =>
  uploads.value.filter((upload) => upload.draftKey === draftKey);

interface Work {
  readonly file: File;
  readonly cut: AbortController;
  readonly parts: Parts;
  /** Puts a text in the place of the line that holds the file's place in a draft. */
  readonly replace: (draftKey: string, line: string, text: string) => void;
}

const atOnceMax = 3;
const works = new Map<number, Work>();
const running = new Set<number>();
let newestId = 0;

/** Uploads a file for a draft; answers the line that holds its place until it is there. */
export function upload(file: File, draftKey: string, replace: Work["replace"]): string {
  newestId += 1;
  const id = newestId;
  const placeholder = placeholderOf(file.name, id);
  const { name, size } = file;
  works.set(id, { file, cut: new AbortController(), parts: { address: undefined }, replace });
  add({ id, name, size, draftKey, placeholder, sent: 0, why: undefined, isAllowed: true });
  // The line is in the text first.
  queueMicrotask(startNext);
  return placeholder;
}

const add = (one: Upload): void => {
  uploads.value = [...uploads.value, one];
};

/** Tells beside a draft why a file does not go to the server, until its writer has seen it. */
export function refuseFile({ name, size }: File, draftKey: string, why: string): void {
  newestId += 1;
  add({ id: newestId, name, size, draftKey, placeholder: "", sent: 0, why, isAllowed: false });
}

/**
 * Whether a file is being uploaded from this page. After a reload, or in another tab, it is not.
 */
const isOnItsWay = ({ line }: FilePlace, draftKey: string): boolean =>
  uploadsOf(draftKey).some(({ placeholder }) => placeholder === line);

/** Reason why a text waits for its files; undefined where all of them have arrived. */
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

/** Line of a file that an earlier page has not brought to its end: the file goes there once more. */
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

/** Gives an upload up, and takes its line out of the text. */
export function cancelUpload(id: number): void {
  const work = works.get(id);
  work?.cut.abort();
  finish(id, "");
  if (work) void deleteParts(work.parts);
}

/** Goes on with a file that has not arrived. */
export function uploadAgain(id: number): void {
  change(id, { why: undefined });
  startNext();
}

/** Files go where their draft goes. */
export function moveUploads(from: string, to: string): void {
  for (const { id } of uploads.peek().filter(({ draftKey }) => draftKey === from))
    change(id, { draftKey: to });
}

/** A text that was deleted, or that has gone out without them, needs none of its files. */
export function cancelUploadsOf(draftKey: string): void {
  for (const { id } of uploadsOf(draftKey)) cancelUpload(id);
}
