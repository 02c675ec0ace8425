import { badImage } from "./refusal";

/**
 * As many pixels as cameras take: with four bytes for each, a picture takes 96 MB while it is
 * decoded.
 */
export const pixelsMax = 24_000_000;
/** Greatest width and height of a picture, in pixels: the limit of WebP. */
const sideMax = 16_383;

/** Whether a picture is too large to be decoded, by the size in its header. */
export const isTooLarge = ({ width, height }: { width: number; height: number }): boolean =>
  Math.max(width, height) > sideMax || width * height > pixelsMax;

export function pictureTooLarge() {
  const millions = pixelsMax / 1_000_000;
  return badImage(
    `The picture is too large: at most ${sideMax} pixels wide and high, and at most ${millions} million pixels in all.`,
    { name: "picture-pixels", values: [String(sideMax), String(millions)] },
  );
}
