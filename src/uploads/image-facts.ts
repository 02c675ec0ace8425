import type { FileContent } from "../files/store";
import { isTooLarge } from "../pictures/bounds";
import { isAnimatedGif } from "../realm/realm-emoji/image";

/** Facts about a picture that are known without decoding it. */
export interface ImageFacts {
  /** In pixels. */
  width: number;
  height: number;
  isAnimated: boolean;
}

/** The formats of pictures that have thumbnails. */
const formats = new Set(["png", "jpeg", "webp", "gif"]);
/**
 * Number of bytes at the beginning of a file that are read. They include the picture's header, even
 * after the metadata that cameras put before it.
 */
const headBytes = 524_288;
/** Size limit of a picture, because a thumbnail reads the whole file into memory. */
const pictureBytesMax = 33_554_432;
const pictureName = /\.(?:gif|jpe?g|png|webp)$/i;

/**
 * Facts about a picture from its header; undefined where the name or the header is not that of a
 * picture, or the picture is too large to decode.
 */
export async function findImageFacts(
  name: string,
  content: FileContent | undefined,
): Promise<ImageFacts | undefined> {
  if (!content || !pictureName.test(name) || content.size > pictureBytesMax) return undefined;
  const head = new Uint8Array(
    await content.slice(0, Math.min(headBytes, content.size)).arrayBuffer(),
  );
  const { width, height, format } = await new Bun.Image(head, {
    maxPixels: Number.MAX_SAFE_INTEGER,
  })
    .metadata()
    .catch(() => ({ width: 0, height: 0, format: "" }));
  if (!formats.has(format) || width < 1 || height < 1 || isTooLarge({ width, height }))
    return undefined;
  return { width, height, isAnimated: moves(format, Buffer.from(head.buffer)) };
}

/** Whether a picture has several frames, by its header. */
function moves(format: string, head: Buffer): boolean {
  if (format === "webp")
    return head.subarray(12, 16).toString("latin1") === "VP8X" && (head[20] ?? 0) % 4 >= 2;
  if (format === "png") {
    const control = head.indexOf("acTL");
    return control >= 0 && control < head.indexOf("IDAT");
  }
  return format === "gif" && (head.includes("NETSCAPE2.0") || isAnimatedGif(head));
}
