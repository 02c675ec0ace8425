import { readBytes } from "../core/answer";
import type { Clock } from "../core/clock";
import { codeOf } from "../core/error-code";
import { describeError, type Log } from "../core/log";
import { makeS3Draft, type S3Drafts } from "./s3-draft";
import { makeMultipart } from "./s3-multipart";
import { makeObjects, type Objects } from "./s3-objects";
import { isMissing, makeS3Requests, type S3Place } from "./s3-requests";
import {
  draftName,
  draftSecondsMax,
  type FileContent,
  type FileStore,
  isFileKey,
  requireFileKey,
  storeUnavailable,
} from "./store";

/**
 * Time between two clean-ups of abandoned uploads, because each clean-up sends a request that may
 * cost money.
 */
const tidySeconds = 3_600;
const draftsPrefix = "drafts/";
/** Memory for all files that are being uploaded to the store. Further uploads are refused. */
const draftBytesMax = 268_435_456;

/**
 * Files in a bucket of an S3 store, which only chatd may use. When the store fails, clients get
 * `storeUnavailable` (503), and the log gets the reason.
 */
export function openS3Files(
  place: S3Place,
  clock: Pick<Clock, "nowMilliseconds" | "after">,
  log: Log,
  bytesMax = draftBytesMax,
): FileStore {
  const request = makeS3Requests(place, clock);
  const [objects, multipart] = [makeObjects(request), makeMultipart(request)];
  const run = <Answer>(what: string, ask: () => Promise<Answer>) => tellingErrors(log, what, ask);
  const tailPrefix = (key: string) => `${draftsPrefix}${draftName(key)}/`;
  const drafts: S3Drafts = { objects, multipart, run, tailPrefix, room: { leftBytes: bytesMax } };
  let tidiedAt = 0;
  return {
    begin: (key) => makeS3Draft(drafts, requireFileKey(key), false),
    resume: (key) => makeS3Draft(drafts, requireFileKey(key), true),
    discard: async (key) => (await makeS3Draft(drafts, requireFileKey(key), true)).discard(),
    find: (key) => run("find", () => findContent(objects, requireFileKey(key), run)),
    remove: (key) => run("remove", () => objects.remove(requireFileKey(key))),
    async removeRealm(realmId) {
      await run("remove", () => removeAll(objects, `${realmId}/`));
      await run("remove", () => removeAll(objects, `${draftsPrefix}${realmId}-`));
      for (const { key, id } of await run("list", () => multipart.list(`${realmId}/`))) {
        await run("abort", () => multipart.abort(key, id));
      }
    },
    list: () => listKept(objects, run),
    async tidy() {
      const now = clock.nowMilliseconds();
      if (now < tidiedAt + tidySeconds * 1_000) return;
      tidiedAt = now;
      await run("tidy", () => tidyDrafts(drafts, now - draftSecondsMax * 1_000));
    },
  };
}

/** Logs the store's refusals, because only the operator should see them. */
async function tellingErrors<Answer>(
  log: Log,
  what: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const code = codeOf(error) || undefined;
    log.warn("file_store_failed", { what, code, ...describeError(error) });
    throw storeUnavailable();
  }
}

async function findContent(
  objects: Objects,
  key: string,
  run: S3Drafts["run"],
): Promise<FileContent | undefined> {
  try {
    return contentOf(objects, key, 0, await objects.size(key), run);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A range of an object. It is fetched in pieces, and no faster than the reader takes them. */
function contentOf(
  objects: Objects,
  key: string,
  start: number,
  end: number,
  run: S3Drafts["run"],
): FileContent {
  const read = (from: number, to: number) =>
    run("read", async () => (from === to ? new ArrayBuffer() : objects.readRange(key, from, to)));
  return {
    size: end - start,
    slice: (from, to) =>
      contentOf(
        objects,
        key,
        Math.min(start + from, end),
        Math.max(Math.min(start + to, end), start),
        run,
      ),
    arrayBuffer: () => read(start, end),
    stream() {
      let position = start;
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const to = Math.min(position + readBytes, end);
            if (to > position) controller.enqueue(new Uint8Array(await read(position, to)));
            position = to;
            if (position >= end) controller.close();
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
}

async function removeAll(objects: Objects, prefix: string) {
  for await (const { key } of objects.list(prefix)) await objects.remove(key);
}

async function* listKept(objects: Objects, run: S3Drafts["run"]) {
  const listed = objects.list("");
  for (;;) {
    const next = await run("list", () => listed.next());
    if (next.done) return;
    const { key, sizeBytes } = next.value;
    if (isFileKey(key)) yield { key, sizeBytes };
  }
}

async function tidyDrafts({ objects, multipart }: S3Drafts, olderThanMilliseconds: number) {
  const isOld = (time: string) => Date.parse(time) < olderThanMilliseconds;
  for (const { key, id, begunAt } of await multipart.list("")) {
    if (isFileKey(key) && isOld(begunAt)) await multipart.abort(key, id);
  }
  for await (const { key, changedAt } of objects.list(draftsPrefix)) {
    if (isOld(changedAt)) await objects.remove(key);
  }
}
