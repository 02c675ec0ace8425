import { and, asc, eq, sql } from "drizzle-orm";
import type { App, Context, Person, Tx } from "../core/context";
import { badRequest, rateLimitHit } from "../core/errors";
import { describeError } from "../core/log";
import { type Input, id, record } from "../core/params";
import { makeToken } from "../core/secrets";
import { onlyRow, write } from "../core/write";
import { type FileDraft, type FileStore, makeFileKey } from "../files/store";
import type { Connection, Part } from "../http/endpoint";
import { renewContext } from "../users/renew-context";
import { contentTypeOf } from "./content-type";
import { attachmentAdded, attachmentRemoved } from "./events";
import { addressName, shownName } from "./file-name";
import { linksOf, uploadSpaceUsed } from "./queries";
import { attachmentWire, type WireAttachment } from "./wire";

const bytesPerMib = 1_048_576;
/** How many uploads of one user may be under way: each holds a connection and a file open, however slow it is. */
const uploadsAtOnceMax = 20;
const uploadsWaitSeconds = 10;
/** What is no file in the form of an upload has no meaning; so much of it is passed over. */
const fieldBytesMax = 1_048_576;

export const UploadFile = record({});

/** A file that was taken in and that nobody can find yet. */
interface Received {
  name: string;
  sizeBytes: number;
  draft: FileDraft;
}

/**
 * Takes in one file, as it arrives. It is its uploader's alone until a message links to it. Event: attachment add, to the
 * uploader. Refuses no file, several, and one that is too large (BAD_REQUEST); too many at a time (RATE_LIMIT_HIT).
 * Source: `spec/seed.md`, POST /user_uploads.
 */
export async function uploadFile(
  ctx: Context<Person>,
  _input: Input<typeof UploadFile>,
  connection: Pick<Connection, "parts">,
): Promise<{ uri: string; url: string; filename: string }> {
  const { app, actor } = ctx;
  const end = beginUpload(app, actor.user.id);
  try {
    const received = await receive(app.files, connection.parts(), app.config.maxFileUploadSizeMib);
    const pathId = await keep(ctx, received).finally(() => received.draft.discard());
    const url = `/user_uploads/${pathId}`;
    return { uri: url, url, filename: received.name };
  } finally {
    end();
  }
}

const underWay = new WeakMap<App, Map<number, number>>();

/** Counts an upload of a user; the answer ends it. */
function beginUpload(app: App, userId: number): () => void {
  const counts = underWay.get(app) ?? new Map<number, number>();
  underWay.set(app, counts);
  const count = counts.get(userId) ?? 0;
  if (count >= uploadsAtOnceMax) throw rateLimitHit(uploadsWaitSeconds);
  counts.set(userId, count + 1);
  return () => {
    const left = (counts.get(userId) ?? 1) - 1;
    if (left > 0) counts.set(userId, left);
    else counts.delete(userId);
  };
}

/** Reads the form to its end, so that nothing is kept of a body that was cut off. */
async function receive(files: FileStore, parts: AsyncIterable<Part>, sizeMibMax: number): Promise<Received> {
  let received: Received | undefined;
  try {
    for await (const part of parts) {
      if (!part.filename) await passOver(part);
      else if (received) throw badRequest("Upload one file at a time.");
      else {
        received = { name: shownName(part.filename), sizeBytes: 0, draft: await files.begin() };
        await takeIn(received, part, sizeMibMax);
      }
    }
    if (!received) throw badRequest("There is no file in the request: send one as a part with a file name.");
    return received;
  } catch (error) {
    await received?.draft.discard();
    throw error;
  }
}

async function takeIn(received: Received, { chunks }: Part, sizeMibMax: number) {
  for await (const chunk of chunks) {
    received.sizeBytes += chunk.byteLength;
    if (received.sizeBytes > sizeMibMax * bytesPerMib) throw tooLargeFile(sizeMibMax);
    await received.draft.write(chunk);
  }
}

const tooLargeFile = (sizeMibMax: number) =>
  badRequest(sizeMibMax === 0 ? "This server takes no files." : `A file may have at most ${sizeMibMax} MiB.`);

async function passOver({ chunks }: Part) {
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > fieldBytesMax) throw badRequest("There is too much beside the file in the request.");
  }
}

/** The bytes come first: a file that no row knows harms nobody, a row without its file would. */
async function keep(ctx: Context<Person>, { name, sizeBytes, draft }: Received): Promise<string> {
  const { app, realm, actor } = ctx;
  const key = makeFileKey(realm.id, makeToken());
  const pathId = `${key}/${addressName(name)}`;
  try {
    await draft.keep(key);
    await write(ctx, async (tx) => {
      await renewContext(tx, ctx);
      const { attachments } = tx.t;
      const file = { pathId, name, contentType: contentTypeOf(name), sizeBytes };
      const rows = await tx.db
        .insert(attachments)
        .values({ ...file, realmId: realm.id, ownerId: actor.user.id, createdAt: tx.now })
        .returning();
      const used = await addUsed(tx, realm.id, sizeBytes);
      const attachment = attachmentWire(onlyRow(rows), []);
      await tx.emit({ to: "users", ids: [actor.user.id] }, attachmentAdded({ attachment, upload_space_used: used }));
    });
  } catch (error) {
    await removeFile(app, key);
    throw error;
  }
  return pathId;
}

async function addUsed(tx: Tx, realmId: number, bytes: number): Promise<number> {
  const { realms } = tx.t;
  const rows = await tx.db
    .update(realms)
    .set({ uploadedBytes: sql`${realms.uploadedBytes} + ${bytes}` })
    .where(eq(realms.id, realmId))
    .returning({ used: realms.uploadedBytes });
  return onlyRow(rows).used;
}

/** What cannot be removed is left behind, where nobody finds it. */
async function removeFile({ files, log }: App, key: string) {
  await files.remove(key).catch((error: unknown) => log.warn("file_not_removed", { key, ...describeError(error) }));
}

export const ListAttachments = record({});

/** The actor's own files, oldest first, and what all files of the realm take. Shape: `api/api-surface.json`. */
export async function listAttachments({
  reader,
  realm,
  actor,
}: Context<Person>): Promise<{ attachments: WireAttachment[]; upload_space_used: number }> {
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
 * Removes a file of the actor's, for everybody. Event: attachment remove, to the actor. Refuses a file that does not exist
 * and one of somebody else alike (BAD_REQUEST).
 */
export async function removeAttachment(
  ctx: Context<Person>,
  { attachmentId }: Input<typeof RemoveAttachment>,
): Promise<undefined> {
  const { app, realm, actor } = ctx;
  const pathId = await write(ctx, async (tx) => {
    await renewContext(tx, ctx);
    const { attachments, attachmentMessages: links } = tx.t;
    const isIt = and(eq(attachments.id, attachmentId), eq(attachments.ownerId, actor.user.id));
    const [removed] = await tx.db
      .delete(attachments)
      .where(and(eq(attachments.realmId, realm.id), isIt))
      .returning();
    if (!removed) throw badRequest("You have no such file.");
    await tx.db.delete(links).where(and(eq(links.realmId, realm.id), eq(links.attachmentId, attachmentId)));
    const used = await addUsed(tx, realm.id, -removed.sizeBytes);
    const event = attachmentRemoved({ attachment: { id: attachmentId }, upload_space_used: used });
    await tx.emit({ to: "users", ids: [actor.user.id] }, event);
    return removed.pathId;
  });
  await removeFile(app, keyOf(pathId));
}

/** The key that a file is stored under: its address without its name. */
export const keyOf = (pathId: string): string => pathId.split("/").slice(0, 2).join("/");
