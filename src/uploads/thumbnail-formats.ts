import { type AttachmentRow, keyOf } from "./wire";

/** A size and format of thumbnails, as `register` announces it. */
export interface ThumbnailFormat {
  name: string;
  max_width: number;
  max_height: number;
  format: string;
  animated: boolean;
}

const thumbnail = (max_width: number, max_height: number, animated: boolean): ThumbnailFormat => ({
  name: `${max_width}x${max_height}${animated ? "-anim" : ""}.webp`,
  max_width,
  max_height,
  format: "webp",
  animated,
});

const still = thumbnail(840, 560, false);
const moving = thumbnail(840, 560, true);

/**
 * Formats of thumbnails. Messages show the first format. Of animated pictures they show the second
 * format, because the first one does not move.
 */
export const thumbnailFormats: readonly ThumbnailFormat[] = [
  still,
  moving,
  thumbnail(300, 200, false),
];

/** Address of the thumbnail that a message shows. */
export const thumbnailAddress = ({
  pathId,
  isAnimated,
}: Pick<AttachmentRow, "pathId" | "isAnimated">): string =>
  `/user_uploads/thumbnail/${pathId}/${(isAnimated ? moving : still).name}`;

export const findThumbnailFormat = (name: string): ThumbnailFormat | undefined =>
  thumbnailFormats.find((format) => format.name === name);

/** Key of a thumbnail in the store. */
export const thumbnailKey = (pathId: string, { max_width, max_height }: ThumbnailFormat): string =>
  `${keyOf(pathId)}-${max_width}x${max_height}`;

/** All keys under which the store may have thumbnails of a file. */
export const thumbnailKeys = ({
  pathId,
  imageWidth,
}: Pick<AttachmentRow, "pathId" | "imageWidth">): string[] =>
  imageWidth === null
    ? []
    : [...new Set(thumbnailFormats.map((format) => thumbnailKey(pathId, format)))];
