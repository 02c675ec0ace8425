import { and, eq, inArray } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import type { UploadedPicture } from "../markdown/names";
import { isMediaName } from "../markdown/previews";
import { contentTypeOf } from "./content-type";
import { decodedPath } from "./file-name";
import { mayOpenFile, type Writing } from "./opening-right";
import { thumbnailAddress } from "./thumbnail-formats";
import type { AttachmentRow } from "./wire";

/** Number of media that are looked up for one text. Further ones are not shown. */
const mediaMax = 24;

/**
 * The uploaded pictures, videos and sounds that a text links to and that it opens (`mayOpenFile`),
 * by the address in the text. The value is undefined for a file that has no thumbnails.
 */
export async function findMedia(
  reader: Reader,
  writing: Writing,
  source: string,
): Promise<ReadonlyMap<string, UploadedPicture | undefined>> {
  const pictures = new Map<string, UploadedPicture | undefined>();
  const addresses = mediaAddresses(source);
  const { attachments: a } = reader.t;
  const paths = [...addresses.keys()];
  const rows =
    paths.length === 0
      ? []
      : await reader.db
          .select()
          .from(a)
          .where(and(eq(a.realmId, writing.realmId), inArray(a.pathId, paths)));
  const add = (pathId: string, picture: UploadedPicture | undefined) => {
    for (const address of [...(addresses.get(pathId) ?? []), `/user_uploads/${pathId}`]) {
      pictures.set(address, picture);
      pictures.set(encodeURI(address), picture);
    }
  };
  for (const row of rows)
    if (await mayOpenFile(reader, writing, row)) add(row.pathId, pictureOf(row));
  for (const { pathId, name, image } of writing.files ?? []) {
    const contentType = contentTypeOf(name);
    if (addresses.has(pathId)) add(pathId, image && shownAs({ pathId, contentType, ...image }));
  }
  return pictures;
}

function pictureOf(row: AttachmentRow): UploadedPicture | undefined {
  const { pathId, contentType, imageWidth: width, imageHeight: height, isAnimated } = row;
  if (width === null || height === null) return undefined;
  return shownAs({ pathId, contentType, width, height, isAnimated });
}

const shownAs = ({
  pathId,
  ...facts
}: Omit<UploadedPicture, "thumbnail"> & Pick<AttachmentRow, "pathId">): UploadedPicture => ({
  ...facts,
  thumbnail: thumbnailAddress({ pathId, isAnimated: facts.isAnimated }),
});

/**
 * An address of a file with the characters of `addressName`, encoded or not. The match ends with
 * the extension of a media file, because a full stop or an asterisk of the text may follow the
 * address.
 */
const fileAddress =
  /\/user_uploads\/(\d+\/[\w-]+\/(?:[\p{L}\p{M}\p{N}_.-]|%[\da-f]{2})*[a-z\d])/giu;

/** The addresses of media, by their path. */
function mediaAddresses(source: string): Map<string, Set<string>> {
  const addresses = new Map<string, Set<string>>();
  for (const [address, path = ""] of source.matchAll(fileAddress)) {
    const decoded = decodedPath(path);
    if (!isMediaName(decoded) || (addresses.size >= mediaMax && !addresses.has(decoded))) continue;
    addresses.set(decoded, (addresses.get(decoded) ?? new Set()).add(address));
  }
  return addresses;
}
