import { type Given, statement } from "../../db/reader";
import type { App, Context, Person, Tx } from "../core/context";
import { refusedFor } from "../core/errors";
import { onlyRow } from "../core/write";
import { contentTypeOf } from "./content-type";
import { attachmentAdded } from "./events";
import type { ImageFacts } from "./image-facts";
import { addUsed, bytesPerMib } from "./room";
import { type AttachmentRow, attachmentWire } from "./wire";

/**
 * Refuses a file that is larger than the server allows (BAD_REQUEST; `status` is 413 for clients
 * that understand it).
 */
export function requireSize({ maxFileUploadSizeMib: mib }: App["config"], sizeBytes: number): void {
  if (sizeBytes > mib * bytesPerMib) {
    throw mib === 0
      ? refusedFor("files-off", "This server does not accept files.")
      : refusedFor("file-size", `A file may have at most ${mib} MiB.`, String(mib));
  }
}

/** A file that is in the store and has no row yet, with the facts about it. */
export interface NewFile {
  key: string;
  pathId: string;
  name: string;
  sizeBytes: number;
  image: ImageFacts | undefined;
}

type NewRow = Omit<AttachmentRow, "id" | "unlinkedAt">;

const insertRow = statement((db, { attachments: a }, given: Given<NewRow>) =>
  db
    .insert(a)
    .values({
      realmId: given.realmId,
      ownerId: given.ownerId,
      pathId: given.pathId,
      name: given.name,
      contentType: given.contentType,
      sizeBytes: given.sizeBytes,
      createdAt: given.createdAt,
      imageWidth: given.imageWidth,
      imageHeight: given.imageHeight,
      isAnimated: given.isAnimated,
    })
    .returning(),
);

/**
 * Adds the row of a file that the actor has uploaded. There must be room for it. Event: attachment
 * add, to the actor.
 */
export async function attachIn(
  tx: Tx,
  { realm, actor }: Context<Person>,
  { pathId, name, sizeBytes, image }: NewFile,
): Promise<AttachmentRow> {
  const rows = await insertRow(tx, {
    realmId: realm.id,
    ownerId: actor.user.id,
    pathId,
    name,
    contentType: contentTypeOf(name),
    sizeBytes,
    createdAt: tx.now,
    imageWidth: image?.width ?? null,
    imageHeight: image?.height ?? null,
    isAnimated: image?.isAnimated ?? false,
  });
  const used = await addUsed(tx, realm.id, actor.user.id, sizeBytes);
  const row = onlyRow(rows);
  const event = attachmentAdded({ attachment: attachmentWire(row, []), upload_space_used: used });
  await tx.emit({ to: "users", ids: [actor.user.id] }, event);
  return row;
}
