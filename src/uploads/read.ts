import { type Static, Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { FileAnswer } from "../core/answer";
import type { App, Context, Person, RealmRow } from "../core/context";
import { notFound } from "../core/errors";
import { type Input, record, text } from "../core/params";
import { isSameHash } from "../core/secrets/secrets";
import { DamagedFileError } from "../files/damaged";
import { findUser } from "../people/users/queries";
import { readerOf } from "../reading/queries";
import { isShown, sentType } from "./content-type";
import { contentDisposition } from "./file-name";
import { findReadableAttachment, findReadableAttachmentById } from "./queries";
import { type AttachmentRow, keyOf } from "./wire";

/** Seconds for which a temporary address works. They suffice to open it. */
const temporarySeconds = 60;

/**
 * Policy for the content of a file: no script in it runs and it loads nothing, even where a browser
 * shows it as a page.
 */
export const filePolicy =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";

export const GetFile = record({ realmIdStr: text(), filename: text() });

/**
 * The answer for a missing file, and for a file that the reader may not read, so that clients
 * cannot distinguish the two.
 */
export const noSuchFile = () => notFound("There is no such file, or you may not read it.");

/**
 * The content of a file, for its uploader and for people who may now read a message that links to
 * it. Browsers may cache it, but must ask before each use.
 */
export async function getFile(
  ctx: Context<Person>,
  { realmIdStr, filename }: Input<typeof GetFile>,
): Promise<FileAnswer> {
  const row = await findReadableAttachment(ctx.reader, readerOf(ctx), `${realmIdStr}/${filename}`);
  if (!row) throw noSuchFile();
  return answerFile(ctx.app, row);
}

/** A file as a download, which browsers never display. Source: `test/recorded/api/routes.tsv`. */
export async function downloadFile(
  ctx: Context<Person>,
  input: Input<typeof GetFile>,
): Promise<FileAnswer> {
  const { content, headers } = await getFile(ctx, input);
  const disposition = (headers["content-disposition"] ?? "").replace(/^inline/, "attachment");
  return new FileAnswer(content, { ...headers, "content-disposition": disposition });
}

/** The content of a file. It does not check whether somebody may read the file. */
export async function answerFile(app: App, row: AttachmentRow): Promise<FileAnswer> {
  const { pathId, name, contentType, createdAt } = row;
  const content = await app.files.find(keyOf(pathId));
  if (content?.size !== row.sizeBytes) throw await whyNotWhole(app, row, content?.size);
  return new FileAnswer(content, {
    "content-type": sentType(contentType),
    "content-disposition": contentDisposition(isShown(contentType) ? "inline" : "attachment", name),
    "content-security-policy": filePolicy,
    "cache-control": "private, no-cache",
    etag: `"${keyOf(pathId).split("/")[1]}"`,
    "last-modified": new Date(createdAt * 1_000).toUTCString(),
  });
}

/**
 * The error for a file whose stored size is wrong: the file was just removed, or the store has lost
 * data.
 */
async function whyNotWhole({ engine }: App, row: AttachmentRow, foundBytes: number | undefined) {
  const { attachments: a } = engine.schema;
  const isIt = and(eq(a.realmId, row.realmId), eq(a.id, row.id));
  const [still] = await engine.reader.db.select({ id: a.id }).from(a).where(isIt);
  return still ? new DamagedFileError(keyOf(row.pathId), row.sizeBytes, foundBytes) : noSuchFile();
}

/** Address of a file that works without signing in. */
export const TemporaryUrl = Type.Object({ url: Type.String() });

/**
 * An address of a file that works for a minute without signing in, for programs that cannot send
 * headers. Refuses as `getFile` does. Source: `test/recorded/api/api-surface.json`,
 * get-file-temporary-url.
 */
export async function getTemporaryUrl(
  ctx: Context<Person>,
  { realmIdStr, filename }: Input<typeof GetFile>,
): Promise<Static<typeof TemporaryUrl>> {
  const row = await findReadableAttachment(ctx.reader, readerOf(ctx), `${realmIdStr}/${filename}`);
  if (!row) throw noSuchFile();
  const pass = {
    attachmentId: row.id,
    userId: ctx.actor.user.id,
    expiresAt: ctx.now + temporarySeconds,
  };
  const name = row.pathId.slice(keyOf(row.pathId).length + 1);
  return { url: `/user_uploads/temporary/${sealPass(ctx.app, ctx.realm, pass)}/${name}` };
}

/** Permission in a temporary address: one user may read one file until a time in UNIX seconds. */
interface Pass {
  attachmentId: number;
  userId: number;
  expiresAt: number;
}

function sealPass(
  { secrets }: App,
  realm: RealmRow,
  { attachmentId, userId, expiresAt }: Pass,
): string {
  const text = `${attachmentId}-${userId}-${expiresAt}`;
  return `${text}-${secrets.hash("file-link", `${realm.id}-${text}`)}`;
}

function openPass(app: App, realm: RealmRow, token: string): Pass | undefined {
  const [, attachmentId, userId, expiresAt, seal = ""] =
    /^(\d{1,15})-(\d{1,15})-(\d{1,15})-([0-9a-f]{64})$/.exec(token) ?? [];
  const pass = {
    attachmentId: Number(attachmentId),
    userId: Number(userId),
    expiresAt: Number(expiresAt),
  };
  return isSameHash(sealPass(app, realm, pass).split("-").at(-1) ?? "", seal) ? pass : undefined;
}

export const GetTemporaryFile = record({ token: text(), filename: text() });

/** The file at a temporary address, if the user who got the address may still read the file. */
export async function getTemporaryFile(
  { app, reader, realm, now }: Context,
  { token }: Input<typeof GetTemporaryFile>,
): Promise<FileAnswer> {
  const pass = openPass(app, realm, token);
  if (!pass || now >= pass.expiresAt || !realm.isActive) throw noSuchFile();
  const user = await findUser(reader, realm.id, pass.userId);
  if (!user?.isActive) throw noSuchFile();
  const who = { realmId: realm.id, userId: user.id, role: user.role };
  const row = await findReadableAttachmentById(reader, who, pass.attachmentId);
  if (!row) throw noSuchFile();
  return answerFile(app, row);
}
