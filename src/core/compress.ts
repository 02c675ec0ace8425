import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Encoding } from "./forms";

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
