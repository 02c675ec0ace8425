import { type Static, Type } from "@sinclair/typebox";
import { and, asc, eq } from "drizzle-orm";
import type { App, Context, Person, Tx } from "../core/context";
import type { Connection, Part } from "../core/endpoint";
import { ApiError, badRequest } from "../core/errors";
import { type Input, id, record } from "../core/params";
import { makeToken } from "../core/secrets/secrets";
import { limitPerUser } from "../core/turns/per-user-limit";
import { write } from "../core/write";
import { type FileDraft, makeFileKey } from "../files/store";
import {
  claimStrayIn,
  noteStray,
  releaseFilesIn,
  removalsSettled,
  removeFiles,
} from "../files/stray";
import { renewContext } from "../people/users/renew-context";
import { attachIn, type NewFile, requireSize } from "./attach";
import { attachmentRemoved } from "./events";
import { addressName, shownName } from "./file-name";
import { findImageFacts } from "./image-facts";
import { linksOf, uploadSpaceUsed } from "./queries";
import { type Arrival, addUsed, beginArrival, requireRoom, roomTaken } from "./room";
import { thumbnailKeys } from "./thumbnail-formats";
import { type AttachmentRow, attachmentObject, attachmentWire, keyOf } from "./wire";

/**
 * Number of simultaneous uploads of one user. It is limited because each upload keeps a connection
 * and a file open.
 */
const uploadsAtOnceMax = 20;
const uploadsWaitSeconds = 10;
/**
 * Number of bytes of form parts without a file that are skipped. Such parts have no meaning here.
 */
const fieldBytesMax = 1_048_576;

export const UploadFile = record({});

/** A file that is not in the store yet. */
interface Incoming {
  key: string;
  name: string;
  draft: FileDraft;
}

/** A received file that no row names yet; it still counts as an upload under way. */
export interface ReceivedFile extends NewFile {
  arrival: Arrival;
}

/** Answer for a file that a client has sent. */
export const UploadedFile = Type.Object({
  uri: Type.String({ description: "Equal to `url`, for clients of older levels." }),
  url: Type.String({ description: "Address of the file on this server, for links in messages." }),
  filename: Type.String({ description: "Name of the file as people see it." }),
});

export type Uploaded = Static<typeof UploadedFile>;

/**
 * Receives one file. Only its uploader can read it until a message links to it. Event: attachment
 * add, to the uploader. Refuses a form without a file or with several files, and a file that is too
 * large (BAD_REQUEST); a file for which the organization or the person has no room
 * (REALM_UPLOAD_QUOTA); and too many uploads at once (RATE_LIMIT_HIT). Source:
 * `docs/protocol/specification.md`, POST /user_uploads.
 */
export async function uploadFile(
  ctx: Context<Person>,
  _input: Input<typeof UploadFile>,
  connection: Pick<Connection, "parts">,
): Promise<Uploaded> {
  const { app, actor } = ctx;
  return whileUploading(app, actor.user.id, async () => {
    const file = await receiveFile(ctx, connection);
    await whileUnattached(app, [file], () =>
      write(ctx, async (tx) => attachReceivedIn(tx, await renewContext(tx, ctx), [file])),
    );
    return uploadedAs(file.pathId, file.name);
  });
}

/** Counts an upload of a user while it runs. Refuses it where too many run (RATE_LIMIT_HIT). */
export const whileUploading = limitPerUser(uploadsAtOnceMax, uploadsWaitSeconds);

/**
 * Receives the only file of a form. Reads the form to its end, so that the file of an incomplete
 * form is not kept.
 */
async function receive(
  ctx: Context<Person>,
  parts: AsyncIterable<Part>,
  arrival: Arrival,
): Promise<Incoming> {
  const { app, realm } = ctx;
  let received: Incoming | undefined;
  try {
    for await (const part of parts) {
      if (!part.filename) await passOver(part);
      else if (received) throw badRequest("You may only upload one file at a time");
      else {
        const key = makeFileKey(realm.id, makeToken());
        received = { key, name: shownName(part.filename), draft: await app.files.begin(key) };
        await takeIn(ctx, received.draft, part, arrival);
      }
    }
    if (!received) throw badRequest("You must specify a file to upload");
    return received;
  } catch (error) {
    await received?.draft.discard();
    throw error;
  }
}

async function takeIn(
  { app }: Context<Person>,
  draft: FileDraft,
  { chunks }: Part,
  arrival: Arrival,
) {
  for await (const chunk of chunks) {
    requireSize(app.config, draft.sizeBytes + chunk.byteLength);
    arrival.add(chunk.byteLength);
    await draft.write(chunk);
  }
}

async function passOver({ chunks }: Part) {
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > fieldBytesMax)
      throw badRequest("The request has too much data besides the file.");
  }
}

/**
 * Receives one file and stores its bytes, noted as stray until `attachReceivedIn` gives it a row.
 * `whileUnattached` has to run what comes next. Refuses as `uploadFile` does.
 */
export async function receiveFile(
  ctx: Context<Person>,
  { parts }: Pick<Connection, "parts">,
): Promise<ReceivedFile> {
  const arrival = await beginArrival(ctx);
  try {
    const received = await receive(ctx, parts(), arrival);
    const file = await keep(ctx, received).finally(() => received.draft.discard());
    return { ...file, arrival };
  } catch (error) {
    arrival.end();
    throw error;
  }
}

async function keep(ctx: Context<Person>, { key, name, draft }: Incoming): Promise<NewFile> {
  const { sizeBytes } = draft;
  await noteStray(ctx, [key]);
  await draft.keep();
  const image = await findImageFacts(name, await ctx.app.files.find(key));
  return { key, pathId: `${key}/${addressName(name)}`, name, sizeBytes, image };
}

/**
 * Runs the write that attaches received files, with all that precedes it, and removes the files if
 * it is refused. Others may be added to `files` meanwhile.
 */
export async function whileUnattached<T>(
  app: App,
  files: readonly ReceivedFile[],
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // After any other error it is unknown whether the write was committed, so the files stay.
    if (error instanceof ApiError)
      await removeFiles(
        app,
        files.map(({ key }) => key),
      );
    throw error;
  } finally {
    for (const { arrival } of files) arrival.end();
  }
}

/**
 * Gives received files their rows, in a write with a renewed context. Events: attachment add, to
 * the actor. Refuses files for which there is no room any more (REALM_UPLOAD_QUOTA).
 */
export async function attachReceivedIn(
  tx: Tx,
  now: Context<Person>,
  files: readonly ReceivedFile[],
): Promise<void> {
  if (files.length === 0) return;
  const { realm, actor } = now;
  const keys = files.map(({ key }) => key);
  if (!(await claimStrayIn(tx, realm.id, keys)))
    throw badRequest("Storing the file took too long. Send it again.");
  // Meanwhile other uploads, also on other nodes, may have used the room.
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  requireRoom(now, await roomTaken(tx, realm.id, actor.user.id), sizeBytes);
  for (const file of files) await attachIn(tx, now, file);
}

export function uploadedAs(pathId: string, name: string): Uploaded {
  const url = `/user_uploads/${pathId}`;
  return { uri: url, url, filename: name };
}

export const ListAttachments = record({});

/** Files of the actor, oldest first. */
export const AttachmentList = Type.Object({
  attachments: Type.Array(attachmentObject),
  upload_space_used: Type.Integer({
    description: "Bytes of all files of the organization together.",
  }),
});

/**
 * The actor's own files, oldest first, and the number of bytes of all files of the realm. Shape:
 * `test/recorded/api/api-surface.json`.
 */
export async function listAttachments({
  reader,
  realm,
  actor,
}: Context<Person>): Promise<Static<typeof AttachmentList>> {
  const { attachments } = reader.t;
  const rows = await reader.db
    .select()
    .from(attachments)
    .where(and(eq(attachments.realmId, realm.id), eq(attachments.ownerId, actor.user.id)))
    .orderBy(asc(attachments.id));
  const links = await linksOf(
    reader,
    realm.id,
    rows.map((row) => row.id),
  );
  return {
    attachments: rows.map((row) => attachmentWire(row, links.get(row.id) ?? [])),
    upload_space_used: await uploadSpaceUsed(reader, realm.id),
  };
}

export const RemoveAttachment = record({ attachmentId: id() });

/**
 * Removes a file of the actor, for everybody. Event: attachment remove, to the actor. Refuses
 * another person's file as if it did not exist (BAD_REQUEST).
 */
export async function removeAttachment(
  ctx: Context<Person>,
  { attachmentId }: Input<typeof RemoveAttachment>,
): Promise<undefined> {
  const { app, realm, actor } = ctx;
  await write(ctx, async (tx) => {
    await renewContext(tx, ctx);
    const { attachments, attachmentMessages: links } = tx.t;
    const isIt = and(eq(attachments.id, attachmentId), eq(attachments.ownerId, actor.user.id));
    const [removed] = await tx.db
      .delete(attachments)
      .where(and(eq(attachments.realmId, realm.id), isIt))
      .returning();
    if (!removed) throw badRequest("You have no such file.");
    await tx.db
      .delete(links)
      .where(and(eq(links.realmId, realm.id), eq(links.attachmentId, attachmentId)));
    await releaseRowIn(tx, app, removed);
    const act = { action: "attachment.delete", kind: "attachment", ids: [attachmentId] } as const;
    tx.audit(ctx, { ...act, before: { name: removed.name, size_bytes: removed.sizeBytes } });
  });
  await removalsSettled();
}

/**
 * Releases the bytes, thumbnails and quota of a file, in the write that deletes its row. Event:
 * attachment remove, to its owner.
 */
export async function releaseRowIn(tx: Tx, app: App, row: AttachmentRow): Promise<void> {
  const { id: attachmentId, realmId, ownerId, sizeBytes, pathId } = row;
  const used = await addUsed(tx, realmId, ownerId, -sizeBytes);
  const event = attachmentRemoved({ attachment: { id: attachmentId }, upload_space_used: used });
  await tx.emit({ to: "users", ids: [ownerId] }, event);
  await releaseFilesIn(tx, app, realmId, [keyOf(pathId), ...thumbnailKeys(row)]);
}
