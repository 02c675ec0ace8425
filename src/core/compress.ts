import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzipSync,
} from "node:zlib";
import type { Encoding } from "./content-encoding";

/** Levels of compression: at once, for what is made for one request, or as small as it gets. */
export type Level = "fast" | "small";

/** Bytes in a form that browsers accept. */
export function compress(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: Encoding,
  level: Level,
): Uint8Array<ArrayBuffer> {
  const isFast = level === "fast";
  switch (encoding) {
    case "br":
      return brotliCompressSync(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: isFast ? 1 : constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      });
    case "gzip":
      return gzipSync(bytes, {
        level: isFast ? constants.Z_BEST_SPEED : constants.Z_BEST_COMPRESSION,
      });
    case "identity":
      return bytes;
  }
}

/** Room for what comes out between two looks at it; Node's usual 16 KiB cost a fifth more time. */
const outputBytes = 262_144;

/**
 * Compresses a long text fast, piece by piece and off the event loop, so that no piece delays
 * others for long.
 */
export async function compressPieces(
  pieces: Iterable<string>,
  encoding: Exclude<Encoding, "identity">,
): Promise<Uint8Array<ArrayBuffer>> {
  const coder =
    encoding === "br"
      ? createBrotliCompress({
          chunkSize: outputBytes,
          params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
        })
      : createGzip({ chunkSize: outputBytes, level: constants.Z_BEST_SPEED });
  const parts: Buffer[] = [];
  coder.on("data", (part: Buffer) => parts.push(part));
  const written = new Promise<void>((resolve, reject) =>
    coder.on("end", resolve).on("error", reject),
  );
  for (const piece of pieces)
    await new Promise<void>((resolve) => coder.write(piece, () => resolve()));
  coder.end();
  await written;
  return Buffer.concat(parts);
}
