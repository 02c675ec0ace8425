import type { Part } from "../core/endpoint";
import { badRequest, refusedFor } from "../core/errors";
import { limitPerUser } from "../core/turns/per-user-limit";

const bytesPerMib = 1_048_576;
/** Greatest size of a field. */
const fieldBytesMax = 65_536;
/**
 * Number of pictures that one user may upload at a time, because each is in memory until it is
 * stored.
 */
const atOnceMax = 4;
const waitSeconds = 5;

/** A form in memory. */
interface PictureForm {
  fields: Map<string, string>;
  picture: Uint8Array | undefined;
}

/**
 * Reads a form with at most one file, of at most `mibMax` MiB. Refuses (BAD_REQUEST) several files
 * or a larger one, without reading the rest.
 */
export async function readPictureForm(
  parts: AsyncIterable<Part>,
  mibMax: number,
): Promise<PictureForm> {
  const form: PictureForm = { fields: new Map(), picture: undefined };
  for await (const { name, filename, chunks } of parts) {
    if (!filename) {
      const field = await readAll(chunks, fieldBytesMax, () =>
        badRequest("The request has too much data besides the file."),
      );
      form.fields.set(name, Buffer.from(field).toString());
    } else {
      if (form.picture) throw oneFile();
      const refusal = () =>
        refusedFor("file-size", `A picture may have at most ${mibMax} MiB.`, String(mibMax));
      form.picture = await readAll(chunks, mibMax * bytesPerMib, refusal);
    }
  }
  return form;
}

const oneFile = () => badRequest("You must upload exactly one file.");

/** The picture of a request; refuses a request without one (BAD_REQUEST). */
export function requirePicture({ picture }: { picture?: Uint8Array }): Uint8Array {
  if (!picture) throw oneFile();
  return picture;
}

async function readAll(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
  refusal: () => Error,
): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > bytesMax) throw refusal();
    // A copy, because the part's buffer is reused.
    read.push(chunk.slice());
  }
  return Buffer.concat(read);
}

/** Limits the uploads of pictures that one user has under way (RATE_LIMIT_HIT). */
export const whileCounted = limitPerUser(atOnceMax, waitSeconds);
