import { and, count, eq, gt, isNull, lte } from "drizzle-orm";
import type { Schema } from "../../db/schema";
import type { App, Context, Person } from "../core/context";
import { ApiError, badRequest } from "../core/errors";
import { describeError } from "../core/log";
import { makeToken } from "../core/secrets/secrets";
import { onlyRow, write } from "../core/write";
import { draftSecondsMax, makeFileKey } from "../files/store";
import { noteStrayIn } from "../files/stray";
import { renewContext } from "../people/users/renew-context";
import { attachIn, requireSize } from "./attach";
import { addressName, shownName } from "./file-name";
import { findImageFacts } from "./image-facts";
import { requireRoom, roomTaken } from "./room";
import { type Uploaded, uploadedAs } from "./service";

/**
 * Uploads in several requests. An upload has a row, and its received bytes are in the file store,
 * under the key that the row names. When a process ends, the next request continues after the bytes
 * in the store.
 */

/** Time limit of an upload. */
export const resumableSeconds = draftSecondsMax;
/** Number of unfinished uploads that somebody may have. */
const unfinishedMax = 100;
const metadataLengthMax = 4_096;
const perTidy = 100;

export type ResumableRow = Schema["resumableUploads"]["$inferSelect"];

interface NewResumable {
  id: string;
  sizeBytes: number;
  metadata: Readonly<Record<string, string | null>>;
}

/**
 * Begins an upload in several requests, which must be complete within a day. Refuses a file that is
 * too large (413), a file for which the organization or the person has no room besides unfinished
 * uploads (REALM_UPLOAD_QUOTA), and an upload of somebody with too many unfinished ones
 * (BAD_REQUEST).
 */
export async function beginResumable(
  ctx: Context<Person>,
  { id, sizeBytes, metadata }: NewResumable,
): Promise<void> {
  const { app, realm, actor } = ctx;
  requireSize(app.config, sizeBytes);
  const text = JSON.stringify(metadata);
  if (text.length > metadataLengthMax) throw badRequest("Upload-Metadata is too long.");
  const name = shownName(metadata["filename"] ?? metadata["name"] ?? "");
  const fileKey = makeFileKey(realm.id, makeToken());
  await write(ctx, async (tx) => {
    const now = await renewContext(tx, ctx);
    const { resumableUploads: r } = tx.t;
    const [unfinished] = await tx.db
      .select({ count: count() })
      .from(r)
      .where(and(eq(r.realmId, realm.id), eq(r.ownerId, actor.user.id), isNull(r.attachmentId)));
    if ((unfinished?.count ?? 0) >= unfinishedMax) {
      throw badRequest(
        `You have ${unfinishedMax} unfinished uploads. Finish some of them, or wait for a day.`,
      );
    }
    requireRoom(now, await roomTaken(tx, realm.id, actor.user.id), sizeBytes);
    const file = { fileKey, name, metadata: text, sizeBytes, createdAt: tx.now };
    await tx.db.insert(r).values({ realmId: realm.id, id, ownerId: actor.user.id, ...file });
  });
}

/** An upload of the actor that has not expired. Another person's upload is treated as missing. */
export async function findResumable(
  { reader, realm, actor, now }: Context<Person>,
  id: string,
): Promise<ResumableRow | undefined> {
  const { resumableUploads: r } = reader.t;
  const isTheirs = and(eq(r.realmId, realm.id), eq(r.id, id), eq(r.ownerId, actor.user.id));
  const [row] = await reader.db
    .select()
    .from(r)
    .where(and(isTheirs, gt(r.createdAt, now - resumableSeconds)));
  return row;
}

/** Number of bytes of an upload that the store has received. */
export async function countArrived(
  { files }: App,
  { fileKey, sizeBytes, attachmentId }: ResumableRow,
) {
  if (attachmentId !== null || (await files.find(fileKey))) return sizeBytes;
  const draft = await files.resume(fileKey);
  const arrived = draft.sizeBytes;
  await draft.rest();
  // An empty draft is not deleted, because another node may be using it, or may have kept the file
  // just now.
  return arrived === 0 && (await files.find(fileKey)) ? sizeBytes : arrived;
}

/**
 * Receives the next bytes of an upload, from `offset` on. Received bytes are kept even if the
 * request is interrupted. Answers the number of bytes so far; undefined for a wrong offset.
 */
export async function takeNext(
  { files }: App,
  { fileKey }: ResumableRow,
  offset: number,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number | undefined> {
  const draft = await files.resume(fileKey);
  try {
    if (draft.sizeBytes !== offset) return undefined;
    for await (const chunk of chunks) await draft.write(chunk);
  } finally {
    await draft.rest();
  }
  return draft.sizeBytes;
}

/**
 * Makes a complete upload a file. Further calls answer that file. Event: attachment add, to the
 * uploader. There is room for the file, because the upload has counted with its full size from its
 * beginning.
 */
export async function finishResumable(ctx: Context<Person>, row: ResumableRow): Promise<Uploaded> {
  const { app, realm } = ctx;
  const { fileKey: key, name, sizeBytes } = row;
  const pathId = `${key}/${addressName(name)}`;
  if (row.attachmentId === null) {
    await keepArrived(app, row);
    const image = await findImageFacts(name, await app.files.find(key));
    await write(ctx, async (tx) => {
      const now = await renewContext(tx, ctx);
      const { resumableUploads: r } = tx.t;
      const isIt = and(eq(r.realmId, realm.id), eq(r.id, row.id));
      const [waiting] = await tx.db.select().from(r).where(isIt);
      if (!waiting) throw badRequest("The upload has expired. Begin it again.");
      if (waiting.attachmentId !== null) return;
      const { id: attachmentId } = await attachIn(tx, now, { key, pathId, name, sizeBytes, image });
      onlyRow(await tx.db.update(r).set({ attachmentId }).where(isIt).returning({ id: r.id }));
    });
  }
  return uploadedAs(pathId, name);
}

async function keepArrived({ files }: App, { fileKey, sizeBytes }: ResumableRow) {
  if (await files.find(fileKey)) return;
  const draft = await files.resume(fileKey);
  try {
    if (draft.sizeBytes !== sizeBytes)
      throw new ApiError("BAD_REQUEST", "The upload is not complete.", 409);
    await draft.keep();
  } catch (error) {
    // The draft is not deleted, because another node may have kept it just now.
    await draft.rest();
    if (!(await files.find(fileKey))) throw error;
  }
}

/** Deletes an unfinished upload with its bytes. The file of a finished upload stays. */
export async function abandonResumable(ctx: Context<Person>, row: ResumableRow): Promise<void> {
  await forget(ctx, row);
}

/**
 * Deletes the row of an upload, and notes its file as stray in that write, so that the file is
 * removed even after a crash.
 */
async function forget(
  scope: { app: App; realm: { id: number }; now: number },
  { id, fileKey }: ResumableRow,
) {
  const { app, realm } = scope;
  const isUnfinished = await write(scope, async (tx) => {
    const { resumableUploads: r } = tx.t;
    const [gone] = await tx.db
      .delete(r)
      .where(and(eq(r.realmId, realm.id), eq(r.id, id)))
      .returning();
    if (gone?.attachmentId !== null) return false;
    await noteStrayIn(tx, realm.id, [fileKey], tx.now);
    return true;
  });
  if (!isUnfinished) return;
  await app.files
    .discard(fileKey)
    .catch((error: unknown) =>
      app.log.warn("file_not_removed", { key: fileKey, ...describeError(error) }),
    );
}

/** Deletes expired uploads, some at a time. */
export async function tidyResumable(app: App): Promise<void> {
  const { resumableUploads: r } = app.engine.schema;
  const now = app.clock.now();
  const rows = await app.engine.reader.db
    .select()
    .from(r)
    .where(lte(r.createdAt, now - resumableSeconds))
    .limit(perTidy);
  for (const row of rows) await forget({ app, realm: { id: row.realmId }, now }, row);
}
