import { badImage } from "./refusal";

/**
 * The pixels that cameras take in one picture: with four bytes for each of them, it takes 96 MB
 * while it is decoded.
 */
export const pixelsMax = 24_000_000;
/** Greatest width and height of a picture, in pixels: the most that a WebP can be. */
export const sideMax = 16_383;

/** Whether a picture is one that nobody here unpacks, as its head tells. */
export const isTooLarge = ({ width, height }: { width: number; height: number }): boolean =>
  Math.max(width, height) > sideMax || width * height > pixelsMax;

export const pictureTooLarge = () =>
  badImage(
    `The picture is too large: at most ${sideMax} pixels wide and high, and at most ${pixelsMax / 1_000_000} million pixels in all.`,
  );
