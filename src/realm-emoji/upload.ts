import { badRequest } from "../core/errors";
import type { Part } from "../http/endpoint";

const fileMibMax = 5;
const fileBytesMax = fileMibMax * 1_048_576;
/** So much of what is no file in the form is passed over. */
const fieldBytesMax = 65_536;

/** The one file of a form, in memory. Refuses (BAD_REQUEST) none, several, and one of more than 5 MiB. */
export async function readOneFile(parts: AsyncIterable<Part>): Promise<Uint8Array> {
  let file: Uint8Array | undefined;
  for await (const { filename, chunks } of parts) {
    if (!filename) await readAll(chunks, fieldBytesMax);
    else if (file) throw badRequest("You must upload exactly one file.");
    else file = await readAll(chunks, fileBytesMax);
  }
  if (!file) throw badRequest("You must upload exactly one file.");
  return file;
}

async function readAll(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > bytesMax) throw badRequest(`The picture of an emoji may have at most ${fileMibMax} MiB.`);
    // The part's bytes are only lent.
    read.push(chunk.slice());
  }
  return Buffer.concat(read);
}
