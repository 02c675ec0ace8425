import type { Multipart, Part, Upload } from "./s3-multipart";
import type { Objects } from "./s3-objects";
import { isMissing } from "./s3-requests";
import { type FileDraft, storeUnavailable } from "./store";

/**
 * Number of bytes in one request. A file takes as much memory while it is received. A store allows
 * 10,000 parts, so a file may have 78 GiB.
 */
const partBytes = 8_388_608;
/** First size of the buffer. It is small, so that a small file takes little memory. */
const firstBytes = 65_536;

export interface S3Drafts {
  objects: Objects;
  multipart: Multipart;
  /** Runs requests, and logs the store's refusals. */
  run<Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer>;
  /** Prefix of the objects that hold bytes which do not fill a part yet. */
  tailPrefix(key: string): string;
  /** Memory that is left for all drafts together. */
  room: Room;
}

interface Room {
  leftBytes: number;
}

interface Begun {
  upload: Pick<Upload, "id"> | undefined;
  parts: Part[];
  tail: Uint8Array;
}

/**
 * A file while it is uploaded to the store, as parts of a multipart upload. When the draft rests,
 * the bytes that do not fill a part yet (the tail) are stored as an object of their own, named by
 * its offset, so that a later draft on any node continues there.
 */
export async function makeS3Draft(
  drafts: S3Drafts,
  key: string,
  isResumed: boolean,
): Promise<FileDraft> {
  const { objects, multipart, run } = drafts;
  const begun = isResumed ? await run("resume", () => findBegun(drafts, key)) : nothingBegun();
  const { parts } = begun;
  let { upload } = begun;
  const buffer = makeBuffer(drafts.room, begun.tail);
  let hasTail = isResumed;
  let isKept = false;
  // An unchanged tail is not stored again, because another node may have continued with it.
  let isChanged = false;
  const storePart = async () => {
    upload ??= { id: await multipart.begin(key) };
    parts.push(await multipart.storePart(key, upload.id, parts.length + 1, buffer.bytes()));
    buffer.clear();
  };
  return {
    get sizeBytes() {
      return sizeOf(parts) + buffer.sizeBytes();
    },
    async write(chunk) {
      isChanged = true;
      for (let taken = 0; taken < chunk.byteLength; ) {
        taken += buffer.take(chunk.subarray(taken));
        if (buffer.sizeBytes() === partBytes) await run("store", storePart);
      }
    },
    async rest() {
      try {
        if (!isChanged || buffer.sizeBytes() === 0) return;
        hasTail = true;
        await run("store", () =>
          storeTail(drafts, `${drafts.tailPrefix(key)}${sizeOf(parts)}`, buffer.bytes()),
        );
      } finally {
        buffer.release();
      }
    },
    keep: () =>
      run("keep", async () => {
        if (upload && buffer.sizeBytes() > 0) await storePart();
        if (upload && parts.length > 0) await multipart.complete(key, upload.id, parts);
        else await objects.write(key, buffer.bytes());
        isKept = true;
        buffer.release();
        // A tail that could not be removed does no harm, and is removed later.
        if (hasTail) await removeTails(drafts, key).catch(() => undefined);
      }),
    discard: () =>
      run("discard", async () => {
        buffer.release();
        if (isKept) return;
        if (upload) await multipart.abort(key, upload.id);
        if (hasTail) await removeTails(drafts, key);
      }),
  };
}

const nothingBegun = (): Begun => ({ upload: undefined, parts: [], tail: new Uint8Array() });

async function removeTails({ objects, tailPrefix }: S3Drafts, key: string) {
  for await (const tail of objects.list(tailPrefix(key))) await objects.remove(tail.key);
}

/**
 * Stores a tail, unless a longer one exists. Another node that receives this upload may have stored
 * a longer one.
 */
async function storeTail({ objects }: S3Drafts, place: string, bytes: Uint8Array<ArrayBuffer>) {
  const storedBytes = await objects.size(place).catch((error: unknown) => {
    if (isMissing(error)) return 0;
    throw error;
  });
  if (storedBytes < bytes.byteLength) await objects.write(place, bytes);
}

/**
 * The bytes that do not fill a part yet. Throws `storeUnavailable` where all drafts together would
 * take too much memory.
 */
function makeBuffer(all: Room, start: Uint8Array) {
  let room: Uint8Array<ArrayBuffer> = new Uint8Array();
  let length = start.byteLength;
  const grow = (bytes: Uint8Array, needed: number) => {
    const added = roomFor(bytes, needed) - room.byteLength;
    if (added > all.leftBytes) throw storeUnavailable();
    all.leftBytes -= added;
    room = grown(bytes, needed);
  };
  grow(start, firstBytes);
  return {
    sizeBytes: () => length,
    bytes: () => room.subarray(0, length),
    /** Takes bytes until the part is full; answers how many. */
    take(chunk: Uint8Array): number {
      const count = Math.min(chunk.byteLength, partBytes - length);
      if (length + count > room.byteLength) grow(room, length + count);
      room.set(chunk.subarray(0, count), length);
      length += count;
      return count;
    },
    clear() {
      length = 0;
    },
    /** Frees the memory. Only the number of bytes stays known. */
    release() {
      all.leftBytes += room.byteLength;
      room = new Uint8Array();
    },
  };
}

/**
 * Size of the next buffer: at least `needed` bytes, and twice the current size, but at most the
 * size of a part.
 */
const roomFor = (bytes: Uint8Array, needed: number) =>
  Math.min(Math.max(needed, bytes.byteLength * 2), partBytes);

function grown(bytes: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(roomFor(bytes, needed));
  larger.set(bytes);
  return larger;
}

const sizeOf = (parts: readonly Part[]) => parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

async function findBegun(
  { objects, multipart, tailPrefix }: S3Drafts,
  key: string,
): Promise<Begun> {
  const [upload] = (await multipart.list(key)).filter((one) => one.key === key);
  const listed = upload ? await multipart.listParts(key, upload.id) : [];
  // Parts after a missing or short part are useless, because their offsets are wrong.
  const parts = listed.filter(
    ({ number, sizeBytes }, index) => number === index + 1 && sizeBytes === partBytes,
  );
  const tail = await objects.read(`${tailPrefix(key)}${sizeOf(parts)}`).catch((error: unknown) => {
    if (isMissing(error)) return new ArrayBuffer();
    throw error;
  });
  return { upload, parts, tail: new Uint8Array(tail) };
}
