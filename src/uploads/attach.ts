import { and, eq, lte, sql } from "drizzle-orm";
import type { App, Context, Person, Tx } from "../core/context";
import { badRequest, uploadQuotaReached } from "../core/errors";
import { onlyRow } from "../core/write";
import { contentTypeOf } from "./content-type";
import { attachmentAdded } from "./events";
import type { ImageFacts } from "./image-facts";
import { type AttachmentRow, attachmentWire } from "./wire";

export const bytesPerMib = 1_048_576;

/** How many bytes all files of an organization may take together; undefined for any number. */
export const quotaBytes = ({ uploadQuotaMib }: App["config"]): number | undefined =>
  uploadQuotaMib === undefined ? undefined : uploadQuotaMib * bytesPerMib;

/** Refuses a file that is larger than the server allows (BAD_REQUEST; `status` is 413 where clients know that). */
export function requireSize({ maxFileUploadSizeMib: mib }: App["config"], sizeBytes: number): void {
  if (sizeBytes > mib * bytesPerMib) {
    throw badRequest(mib === 0 ? "This server takes no files." : `A file may have at most ${mib} MiB.`);
  }
}

/** A file in the store, and what is known of it. */
export interface NewFile {
  key: string;
  pathId: string;
  name: string;
  sizeBytes: number;
  image: ImageFacts | undefined;
}

/**
 * Names a file in a row: from then on it is the actor's. Event: attachment add, to them. Refuses what is too much for the
 * organization (REALM_UPLOAD_QUOTA).
 */
export async function attachIn(
  tx: Tx,
  { app, realm, actor }: Context<Person>,
  { pathId, name, sizeBytes, image }: NewFile,
): Promise<AttachmentRow> {
  const picture = { imageWidth: image?.width, imageHeight: image?.height, isAnimated: image?.isAnimated ?? false };
  const file = { pathId, name, contentType: contentTypeOf(name), sizeBytes, ...picture };
  const rows = await tx.db
    .insert(tx.t.attachments)
    .values({ ...file, realmId: realm.id, ownerId: actor.user.id, createdAt: tx.now })
    .returning();
  const used = await addUsed(tx, realm.id, sizeBytes, quotaBytes(app.config));
  const row = onlyRow(rows);
  const event = attachmentAdded({ attachment: attachmentWire(row, []), upload_space_used: used });
  await tx.emit({ to: "users", ids: [actor.user.id] }, event);
  return row;
}

/** Counts what is added to the files of a realm; answers what they take now. */
export async function addUsed(tx: Tx, realmId: number, bytes: number, bytesMax?: number): Promise<number> {
  const { realms } = tx.t;
  const used = sql`${realms.uploadedBytes} + ${bytes}`;
  const [row] = await tx.db
    .update(realms)
    .set({ uploadedBytes: used })
    .where(and(eq(realms.id, realmId), bytesMax === undefined ? undefined : lte(used, bytesMax)))
    .returning({ used: realms.uploadedBytes });
  if (!row) throw uploadQuotaReached();
  return row.used;
}
