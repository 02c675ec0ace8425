import { readBytes } from "../core/answer";
import { type Clock, systemClock } from "../core/clock";
import { describeError, type Log } from "../core/log";
import { makeS3Draft, type S3Drafts } from "./s3-draft";
import { isMissing, makeMultipart } from "./s3-multipart";
import { makeS3Requests, type S3Place } from "./s3-requests";
import {
  draftName,
  draftSecondsMax,
  type FileContent,
  type FileStore,
  isFileKey,
  requireFileKey,
  storeUnavailable,
} from "./store";

const keysPerPage = 1_000;
/**
 * Time between two clean-ups of abandoned uploads, because each look is a request that may cost
 * money.
 */
const tidySeconds = 3_600;
const draftsPrefix = "drafts/";
/** Memory for all files on their way into the store; further ones are refused. */
const draftBytesMax = 268_435_456;

/**
 * Files in a bucket of an S3 store. Only chatd may use the bucket. Clients get a failure of the
 * store as `storeUnavailable` (503); its reason goes to the log.
 */
export function openS3Files(
  place: S3Place,
  clock: Pick<Clock, "nowMilliseconds">,
  log: Log,
  bytesMax = draftBytesMax,
): FileStore {
  const client = new Bun.S3Client({ ...place, retry: 2 });
  const multipart = makeMultipart(makeS3Requests(place, systemClock.nowMilliseconds));
  const run = <Answer>(what: string, ask: () => Promise<Answer>) => tellingErrors(log, what, ask);
  const tailPrefix = (key: string) => `${draftsPrefix}${draftName(key)}/`;
  const drafts: S3Drafts = { client, multipart, run, tailPrefix, room: { leftBytes: bytesMax } };
  let tidiedAt = 0;
  return {
    begin: (key) => makeS3Draft(drafts, requireFileKey(key), false),
    resume: (key) => makeS3Draft(drafts, requireFileKey(key), true),
    discard: async (key) => (await makeS3Draft(drafts, requireFileKey(key), true)).discard(),
    find: (key) => run("find", () => findContent(client, requireFileKey(key), run)),
    remove: (key) => run("remove", () => client.delete(requireFileKey(key))),
    async removeRealm(realmId) {
      await run("remove", () => removeAll(client, `${realmId}/`));
      await run("remove", () => removeAll(client, `${draftsPrefix}${realmId}-`));
      for (const { key, id } of await run("list", () => multipart.list(`${realmId}/`))) {
        await run("abort", () => multipart.abort(key, id));
      }
    },
    list: () => listKept(client, run),
    async tidy() {
      const now = clock.nowMilliseconds();
      if (now < tidiedAt + tidySeconds * 1_000) return;
      tidiedAt = now;
      await run("tidy", () => tidyDrafts(drafts, now - draftSecondsMax * 1_000));
    },
  };
}

/** Logs the store's refusals, which only the operator should see. */
async function tellingErrors<Answer>(
  log: Log,
  what: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    log.warn("file_store_failed", { what, code, ...describeError(error) });
    throw storeUnavailable();
  }
}

async function findContent(
  client: Bun.S3Client,
  key: string,
  run: S3Drafts["run"],
): Promise<FileContent | undefined> {
  try {
    const { size } = await client.stat(key);
    return contentOf(client, key, 0, size, run);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A range of an object. It is read in pieces, no faster than the reader takes them. */
function contentOf(
  client: Bun.S3Client,
  key: string,
  start: number,
  end: number,
  run: S3Drafts["run"],
): FileContent {
  const read = (from: number, to: number) =>
    run("read", async () =>
      from === to ? new ArrayBuffer() : client.file(key).slice(from, to).arrayBuffer(),
    );
  return {
    size: end - start,
    slice: (from, to) =>
      contentOf(
        client,
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

type Listed = NonNullable<Bun.S3ListObjectsResponse["contents"]>[number];

/** The objects whose keys have this prefix. */
async function* listObjects(client: Bun.S3Client, prefix: string): AsyncGenerator<Listed> {
  for (let continuationToken: string | undefined; ; ) {
    const page: Bun.S3ListObjectsResponse = await client.list({
      prefix,
      maxKeys: keysPerPage,
      ...(continuationToken === undefined ? {} : { continuationToken }),
    });
    yield* page.contents ?? [];
    continuationToken = page.nextContinuationToken;
    if (!page.isTruncated || continuationToken === undefined) return;
  }
}

async function removeAll(client: Bun.S3Client, prefix: string) {
  for await (const { key } of listObjects(client, prefix)) await client.delete(key);
}

async function* listKept(client: Bun.S3Client, run: S3Drafts["run"]) {
  const objects = listObjects(client, "");
  for (;;) {
    const next = await run("list", () => objects.next());
    if (next.done) return;
    const { key, size } = next.value;
    if (isFileKey(key)) yield { key, sizeBytes: size ?? 0 };
  }
}

async function tidyDrafts({ client, multipart }: S3Drafts, olderThanMilliseconds: number) {
  const isOld = (time: string | undefined) =>
    time !== undefined && Date.parse(time) < olderThanMilliseconds;
  for (const { key, id, begunAt } of await multipart.list("")) {
    if (isFileKey(key) && isOld(begunAt)) await multipart.abort(key, id);
  }
  for await (const { key, lastModified } of listObjects(client, draftsPrefix)) {
    if (isOld(lastModified)) await client.delete(key);
  }
}
