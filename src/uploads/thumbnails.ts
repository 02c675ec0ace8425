import { type Static, Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { FileAnswer } from "../core/answer";
import type { Context, Person } from "../core/context";
import { tellFailure } from "../core/log";
import type { Input } from "../core/params";
import { perServer } from "../core/per-server";
import { laneOf } from "../core/turns/fair-queue";
import { write } from "../core/write";
import { storeBytes } from "../files/store";
import { claimStrayIn, noteStray } from "../files/stray";
import { makeThumbnailPicture } from "../pictures/decode";
import { readerOf } from "../reading/queries";
import { findReadableAttachment } from "./queries";
import { answerFile, filePolicy, type GetFile, noSuchFile } from "./read";
import { findThumbnailFormat, type ThumbnailFormat, thumbnailKey } from "./thumbnail-formats";
import { type AttachmentRow, keyOf } from "./wire";

/**
 * A thumbnail in a format of `thumbnailFormats`, for people who may read the file. Its address is
 * the file's address with the name of the format appended. It is made on the first request. For
 * animated formats, an animated picture is answered unchanged. Refuses as `getFile` does; also
 * refuses files that are not pictures and unknown formats (404), and every request while too many
 * pictures wait to be decoded (503). Source: `test/recorded/api/routes.tsv`.
 */
export async function getThumbnail(
  ctx: Context<Person>,
  { realmIdStr, filename }: Input<typeof GetFile>,
): Promise<FileAnswer> {
  const cut = filename.lastIndexOf("/");
  const format = findThumbnailFormat(filename.slice(cut + 1));
  const row = await findReadableAttachment(
    ctx.reader,
    readerOf(ctx),
    `${realmIdStr}/${filename.slice(0, cut)}`,
  );
  if (!row || !format || row.imageWidth === null) throw noSuchFile();
  if (format.animated && row.isAnimated) return answerFile(ctx.app, row);
  const content = await findThumbnail(ctx, row, format);
  return new FileAnswer(content, {
    "content-type": "image/webp",
    "content-security-policy": filePolicy,
    "cache-control": "private, no-cache",
    etag: `"${thumbnailKey(row.pathId, format).split("/")[1]}"`,
    "last-modified": new Date(row.createdAt * 1_000).toUTCString(),
  });
}

export const ThumbnailStatus = Type.Object({ has_thumbnail: Type.Boolean() });

/**
 * Whether a file has thumbnails. A picture always has, because they are made on request. Refuses as
 * `getFile` does.
 */
export async function getThumbnailStatus(
  ctx: Context<Person>,
  { realmIdStr, filename }: Input<typeof GetFile>,
): Promise<Static<typeof ThumbnailStatus>> {
  const row = await findReadableAttachment(ctx.reader, readerOf(ctx), `${realmIdStr}/${filename}`);
  if (!row) throw noSuchFile();
  return { has_thumbnail: row.imageWidth !== null };
}

/**
 * Thumbnails that are being made, by their keys. Simultaneous requests for one thumbnail share it.
 */
const underWay = perServer(() => new Map<string, Promise<Blob>>());

async function findThumbnail(ctx: Context, row: AttachmentRow, format: ThumbnailFormat) {
  const { app } = ctx;
  const key = thumbnailKey(row.pathId, format);
  const stored = await app.files.find(key);
  if (stored) return stored;
  const making = underWay.of(app);
  const thumbnail =
    making.get(key) ?? makeThumbnail(ctx, row, format, key).finally(() => making.delete(key));
  making.set(key, thumbnail);
  return thumbnail;
}

async function makeThumbnail(
  ctx: Context,
  row: AttachmentRow,
  format: ThumbnailFormat,
  key: string,
): Promise<Blob> {
  const { app } = ctx;
  const original = await app.files.find(keyOf(row.pathId));
  if (!original) throw noSuchFile();
  const load = async () => new Uint8Array(await original.arrayBuffer());
  const webp = await makeThumbnailPicture(laneOf(ctx), load, format.max_width, format.max_height);
  // A thumbnail that cannot be stored is answered anyway, because it can be made again.
  await storeThumbnail(ctx, row, key, webp).catch((error: unknown) =>
    tellFailure(app.log.warn, "thumbnail_not_stored", error, { key }),
  );
  return new Blob([webp]);
}

/** Stores a thumbnail, only while its file exists. */
async function storeThumbnail(ctx: Context, { id }: AttachmentRow, key: string, webp: Uint8Array) {
  const { app, realm } = ctx;
  await noteStray(ctx, [key]);
  await storeBytes(app.files, key, webp);
  await write(ctx, async (tx) => {
    const { attachments: a } = tx.t;
    const isIt = and(eq(a.realmId, realm.id), eq(a.id, id));
    const [still] = await tx.db.select({ id: a.id }).from(a).where(isIt);
    if (still) await claimStrayIn(tx, realm.id, [key]);
  });
}
