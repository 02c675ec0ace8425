import { makeFitting } from "../../pictures/decode";
import { badImage } from "../../pictures/refusal";

/** The stored picture of an emoji. */
export interface EmojiImage {
  bytes: Uint8Array;
  /** File extension, which gives its format. */
  extension: "png" | "gif";
  /** A still picture beside an animated one. */
  still: Uint8Array | undefined;
}

/** Width and height of emoji, in pixels. */
const side = 64;
const bytesPerMib = 1_048_576;
/** Greatest size of an animated picture, because it is stored unchanged. */
export const animatedMibMax = 1;

/**
 * Makes the picture of an emoji from a file: small, and encoded again as PNG, so that nothing else
 * of the file is kept. An animated GIF stays unchanged and gets a still picture beside it.
 * `makeFitting` explains `whose` and the refusals; an animated one of more than a mebibyte is
 * refused, too (BAD_IMAGE).
 */
export async function makeEmojiImage(whose: string, file: Uint8Array): Promise<EmojiImage> {
  const still = await makeFitting(whose, file, side, side);
  if (!isAnimatedGif(file)) return { bytes: still, extension: "png", still: undefined };
  if (file.byteLength > animatedMibMax * bytesPerMib) {
    throw badImage(`An emoji that moves may have at most ${animatedMibMax} MiB.`, {
      name: "picture-moving",
      values: [String(animatedMibMax)],
    });
  }
  return { bytes: file, extension: "gif", still };
}

const gifSignature = "GIF8";
const headerBytes = 13;
const [extension, imageDescriptor] = [0x21, 0x2c];

/**
 * Whether a file is a GIF of more than one frame. Source: GIF89a specification, sections 17 to 26.
 */
export function isAnimatedGif(file: Uint8Array): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (
    bytes.toString("latin1", 0, gifSignature.length) !== gifSignature ||
    bytes.length < headerBytes
  )
    return false;
  let at = headerBytes + colorTableBytes(bytes[10] ?? 0);
  let frames = 0;
  while (at < bytes.length) {
    if (bytes[at] === extension) at = skipBlocks(bytes, at + 2);
    else if (bytes[at] === imageDescriptor) {
      frames += 1;
      if (frames > 1) return true;
      at = skipBlocks(bytes, at + 11 + colorTableBytes(bytes[at + 9] ?? 0));
    } else return false;
  }
  return false;
}

/** The size of the colour table, by the byte of flags. */
const colorTableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/**
 * The place after a chain of blocks, each of which begins with its length, the last with length 0.
 */
function skipBlocks(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}
