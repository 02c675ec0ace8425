import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import type { UploadedPicture } from "../markdown/names";
import type { MessageReader } from "../messages/queries";
import { decodedPath } from "./file-name";
import { mayReadAttachment } from "./queries";
import { thumbnailAddress } from "./thumbnail-formats";

/** As many of one text are looked up; others are shown as they are. */
const picturesMax = 24;

/** The uploaded pictures that a text links to and that its writer may read, by the address that the text has. */
export async function findPictures(
  reader: Reader,
  writer: MessageReader,
  source: string,
): Promise<Map<string, UploadedPicture>> {
  const addresses = new Map<string, string>();
  for (const [address, path] of source.matchAll(/\/user_uploads\/(\d+\/[^\s()<>"'\]]+)/g)) {
    if (addresses.size < picturesMax) addresses.set(decodedPath(path ?? ""), address);
  }
  if (addresses.size === 0) return new Map();
  const { attachments: a } = reader.t;
  const rows = await reader.db
    .select()
    .from(a)
    .where(and(eq(a.realmId, writer.realmId), inArray(a.pathId, [...addresses.keys()]), isNotNull(a.imageWidth)));
  const pictures = new Map<string, UploadedPicture>();
  for (const row of rows) {
    const { imageWidth: width, imageHeight: height, contentType, isAnimated } = row;
    if (width === null || height === null || !(await mayReadAttachment(reader, writer, row))) continue;
    const picture = { contentType, width, height, isAnimated, thumbnail: thumbnailAddress(row) };
    for (const address of [addresses.get(row.pathId), `/user_uploads/${row.pathId}`]) {
      if (address !== undefined) pictures.set(address, picture);
      if (address !== undefined) pictures.set(encodeURI(address), picture);
    }
  }
  return pictures;
}
