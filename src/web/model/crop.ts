/** Width and height of a picture. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The square part of a picture that somebody has chosen: its centre and its zoom. */
export interface Crop {
  readonly x: number;
  readonly y: number;
  /** 1 for the largest square that fits into the picture. */
  readonly zoom: number;
}

export const zoomMax = 5;

/** The largest square in the middle of a picture. */
export const wholeCrop = ({ width, height }: Size): Crop => ({
  x: width / 2,
  y: height / 2,
  zoom: 1,
});

/** The side length of a crop, in pixels of the picture. */
export const sideOf = ({ width, height }: Size, { zoom }: Crop): number =>
  Math.min(width, height) / zoom;

/** The crop, moved so that it lies inside the picture. */
export function withinPicture(size: Size, crop: Crop): Crop {
  const zoom = clamp(crop.zoom, 1, zoomMax);
  const half = sideOf(size, { ...crop, zoom }) / 2;
  return {
    x: clamp(crop.x, half, size.width - half),
    y: clamp(crop.y, half, size.height - half),
    zoom,
  };
}

const clamp = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), Math.max(least, most));
