import { and, eq } from "drizzle-orm";
import { FileAnswer } from "../core/answer";
import type { App, Context, Person, Tx } from "../core/context";
import { badRequest, notFound } from "../core/errors";
import { describeError } from "../core/log";
import { type Input, record, text } from "../core/params";
import { makeToken } from "../core/secrets";
import { write } from "../core/write";
import { type FileStore, makeFileKey } from "../files/store";
import type { Connection } from "../http/endpoint";
import { renewContext } from "../users/renew-context";
import { realmEmojiChanged } from "./events";
import { type EmojiImage, makeEmojiImage } from "./image";
import { loadEmojiToRemove, requireMayAdd } from "./permission";
import { findActiveEmoji, listRealmEmoji, stillName } from "./queries";
import { readOneFile } from "./upload";
import { realmEmojiMap, type WireRealmEmoji } from "./wire";

/** Each change of them tells all clients of all of them. */
const emojiMax = 10_000;
const nameLengthMax = 100;

export const ListRealmEmoji = record({});

/** The organization's emoji by id, deactivated ones too. */
export async function getRealmEmoji({ reader, realm }: Context): Promise<{ emoji: Record<string, WireRealmEmoji> }> {
  return { emoji: realmEmojiMap(await listRealmEmoji(reader, realm.id)) };
}

export const AddRealmEmoji = record({ emojiName: text() });

/**
 * Adds an emoji with the picture that the form holds. Announces `realm_emoji` to the realm. Refuses (BAD_REQUEST) whom
 * `requireMayAdd` refuses, a name with other than small letters, digits and `-_.` or that does not end in a letter or
 * digit, one that is in use, no file or several, one of more than 5 MiB; and what is no picture (BAD_IMAGE).
 */
export async function addRealmEmoji(
  ctx: Context<Person>,
  { emojiName }: Input<typeof AddRealmEmoji>,
  connection: Pick<Connection, "parts">,
): Promise<undefined> {
  const name = emojiName.trim().replaceAll(" ", "_");
  requireName(name);
  await requireMayAdd(ctx.reader, ctx, name);
  await requireUnused(ctx.reader, ctx.realm.id, name);
  const image = await makeEmojiImage(await readOneFile(connection.parts()));
  const token = makeToken();
  try {
    await storeImage(ctx.app.files, ctx.realm.id, token, image);
    await write(ctx, (tx) => addIn(tx, ctx, { name, fileName: `${token}.${image.extension}`, image }));
  } catch (error) {
    await removeImage(ctx.app, ctx.realm.id, token);
    throw error;
  }
}

function requireName(name: string) {
  if (name === "") throw badRequest("Emoji name is missing.");
  if (name.length > nameLengthMax) throw badRequest(`An emoji's name has at most ${nameLengthMax} characters.`);
  if (/^[0-9a-z._-]*[0-9a-z]$/.test(name)) return;
  throw badRequest(
    "An emoji's name consists of small letters, digits, dashes, underscores and periods, and ends in a letter or digit.",
  );
}

async function requireUnused(reader: Tx | Context["reader"], realmId: number, name: string) {
  if (await findActiveEmoji(reader, realmId, name)) throw badRequest("A custom emoji with this name already exists.");
}

interface NewEmoji {
  name: string;
  fileName: string;
  image: EmojiImage;
}

async function addIn(tx: Tx, ctx: Context<Person>, { name, fileName, image }: NewEmoji) {
  const current = await renewContext(tx, ctx);
  const { realm, actor } = current;
  await requireMayAdd(tx, current, name);
  await requireUnused(tx, realm.id, name);
  if ((await listRealmEmoji(tx, realm.id)).length >= emojiMax) {
    throw badRequest(`An organization can have ${emojiMax} emoji, removed ones included.`);
  }
  await tx.db.insert(tx.t.realmEmoji).values({
    ...{ realmId: realm.id, name, activeName: name, authorId: actor.user.id, fileName },
    isAnimated: image.still !== undefined,
  });
  await announce(tx, realm.id);
}

async function announce(tx: Tx, realmId: number) {
  const realm_emoji = realmEmojiMap(await listRealmEmoji(tx, realmId));
  await tx.emit({ to: "realm" }, realmEmojiChanged({ realm_emoji }));
}

const imageKey = (realmId: number, token: string) => makeFileKey(realmId, token);
const stillKey = (realmId: number, token: string) => makeFileKey(realmId, `${token}-still`);

/** The bytes come first: a picture that no row knows harms nobody, a row without its picture would. */
async function storeImage(files: FileStore, realmId: number, token: string, { bytes, still }: EmojiImage) {
  await storeFile(files, imageKey(realmId, token), bytes);
  if (still) await storeFile(files, stillKey(realmId, token), still);
}

async function storeFile(files: FileStore, key: string, bytes: Uint8Array) {
  const draft = await files.begin();
  try {
    await draft.write(bytes);
    await draft.keep(key);
  } finally {
    await draft.discard();
  }
}

async function removeImage({ files, log }: App, realmId: number, token: string) {
  for (const key of [imageKey(realmId, token), stillKey(realmId, token)]) {
    await files.remove(key).catch((error: unknown) => log.warn("file_not_removed", { key, ...describeError(error) }));
  }
}

export const RemoveRealmEmoji = record({ emojiName: text() });

/**
 * Deactivates an emoji: it is shown where it was used, and cannot be used any more; its name is free again. Announces
 * `realm_emoji` to the realm. For who has added it and for administrators; refuses as `loadEmojiToRemove` does.
 */
export async function removeRealmEmoji(
  ctx: Context<Person>,
  { emojiName }: Input<typeof RemoveRealmEmoji>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const current = await renewContext(tx, ctx);
    const { id } = await loadEmojiToRemove(tx, current, emojiName);
    const { realmEmoji } = tx.t;
    await tx.db
      .update(realmEmoji)
      .set({ activeName: null })
      .where(and(eq(realmEmoji.realmId, ctx.realm.id), eq(realmEmoji.id, id)));
    await announce(tx, ctx.realm.id);
  });
}

export const GetEmojiImage = record({ realmIdStr: text(), filename: text() });

const noSuchImage = () => notFound("There is no such picture.");

/**
 * The picture of an emoji of this organization, for everybody who knows its address, which cannot be guessed: clients show
 * pictures without signing in. It never changes. Refuses any other address (404).
 */
export async function getEmojiImage(
  { app, reader, realm }: Context,
  { realmIdStr, filename }: Input<typeof GetEmojiImage>,
): Promise<FileAnswer> {
  if (realmIdStr !== String(realm.id) || !realm.isActive) throw noSuchImage();
  const all = await listRealmEmoji(reader, realm.id);
  const emoji = all.find((one) => one.fileName === filename || (one.stillUrl && stillName(one.fileName) === filename));
  if (!emoji) throw noSuchImage();
  const [token = "", extension = ""] = emoji.fileName.split(".");
  const isStill = emoji.fileName !== filename;
  const content = await app.files.find(isStill ? stillKey(realm.id, token) : imageKey(realm.id, token));
  if (!content) throw noSuchImage();
  return new FileAnswer(content, {
    "content-type": isStill ? "image/png" : `image/${extension}`,
    "content-security-policy": "sandbox; default-src 'none'",
    "cache-control": "private, max-age=31536000, immutable",
    etag: `"${filename}"`,
  });
}
