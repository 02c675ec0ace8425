import type { Static } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { accountOf } from "../../core/account";
import type { FileAnswer } from "../../core/answer";
import type { Context, Tx } from "../../core/context";
import type { Connection } from "../../core/endpoint";
import { refusedFor } from "../../core/errors";
import { type Input, record, text } from "../../core/params";
import { laneOf } from "../../core/turns/fair-queue";
import { write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { answerPicture, noSuchPicture } from "../../pictures/answer";
import { pictureDigest } from "../../pictures/digest";
import { pictureKey, type StoredPicture, withStoredPicture } from "../../pictures/store";
import { requirePicture } from "../../pictures/upload";
import { lengthsMax } from "../../protocol/limits";
import { realmEmojiChanged } from "../../realm/realm-emoji/events";
import { type EmojiImage, makeEmojiImage } from "../../realm/realm-emoji/image";
import { findActiveEmoji, listRealmEmoji, stillName } from "../../realm/realm-emoji/queries";
import { realmEmojiById, realmEmojiMap } from "../../realm/realm-emoji/wire";
import { loadEmojiToRemove, requireMayAdd } from "./permission";

/** A limit, because each change sends all of them to all clients. */
const emojiMax = 10_000;
/** Suffixes of the keys of an emoji's two pictures. */
const [movingVariant, stillVariant] = ["", "-still"] as const;

export const ListRealmEmoji = record({});

export const RealmEmojiList = record({ emoji: realmEmojiById });

/** The organization's emoji by id, including deactivated ones. */
export async function getRealmEmoji({
  reader,
  realm,
}: Context): Promise<Static<typeof RealmEmojiList>> {
  return { emoji: realmEmojiMap(await listRealmEmoji(reader, realm.id)) };
}

export const AddRealmEmoji = record({ emojiName: text() });

/**
 * Adds an emoji with the picture of the form. Announces `realm_emoji` to the realm. Refuses
 * (BAD_REQUEST) actors as `requireMayAdd` does, a name with characters other than small letters,
 * digits and `-_.` or that does not end in a letter or digit, one that is in use, no file or
 * several, one of more than 5 MiB; and a file that is no picture (BAD_IMAGE).
 */
export async function addRealmEmoji(
  ctx: Context,
  { emojiName }: Input<typeof AddRealmEmoji>,
  connection: Pick<Connection, "picture">,
): Promise<undefined> {
  const name = cleanEmojiName(emojiName);
  await requireMayAdd(ctx.reader, ctx, name);
  await requireUnused(ctx.reader, ctx.realm.id, name);
  const emoji = await prepareEmoji(laneOf(ctx), name, requirePicture(connection));
  await withStoredPicture(ctx, emojiFiles(emoji), async (tx, picture) =>
    addRealmEmojiIn(tx, await renewContext(tx, ctx), emoji, picture),
  );
}

/** An emoji that is ready to be stored. */
export interface PreparedEmoji {
  name: string;
  image: EmojiImage;
  sourceDigest: string;
}

/** Makes the picture of an emoji from a file; see `makeEmojiImage`. */
export const prepareEmoji = async (
  whose: string,
  name: string,
  file: Uint8Array,
): Promise<PreparedEmoji> => ({
  name,
  image: await makeEmojiImage(whose, file),
  sourceDigest: pictureDigest(file),
});

/**
 * Key of the picture of an emoji in the store; `name` is that of its file without the extension.
 */
export const emojiPictureKey = (realmId: number, name: string) =>
  pictureKey(realmId, name, movingVariant);

/** The files of an emoji, by variant, in the form of `storePicture`. */
export const emojiFiles = ({ image: { bytes, still } }: PreparedEmoji) => ({
  [movingVariant]: bytes,
  ...(still ? { [stillVariant]: still } : {}),
});

/** The stored form of an emoji's name. Refuses (BAD_REQUEST) an invalid one. */
export function cleanEmojiName(given: string): string {
  const name = given.trim().replaceAll(" ", "_");
  if (name === "") throw refusedFor("emoji-name-empty", "Emoji name is missing.");
  if (name.length > lengthsMax.emojiName) {
    const message = `An emoji's name has at most ${lengthsMax.emojiName} characters.`;
    throw refusedFor("emoji-name-long", message, String(lengthsMax.emojiName));
  }
  if (/^[0-9a-z._-]*[0-9a-z]$/.test(name)) return name;
  throw refusedFor(
    "emoji-name-form",
    "An emoji's name consists of lowercase letters, digits, dashes, underscores and periods, and ends in a letter or digit.",
  );
}

async function requireUnused(reader: Tx | Context["reader"], realmId: number, name: string) {
  if (await findActiveEmoji(reader, realmId, name))
    throw refusedFor("emoji-name-taken", "A custom emoji with this name already exists.", name);
}

/**
 * Adds an emoji, as part of a write; the caller claims the picture. Event and refusals as above.
 */
export async function addRealmEmojiIn(
  tx: Tx,
  ctx: Context,
  { name, image, sourceDigest }: PreparedEmoji,
  picture: StoredPicture,
) {
  const { realm, actor } = ctx;
  await requireMayAdd(tx, ctx, name);
  await requireUnused(tx, realm.id, name);
  if ((await listRealmEmoji(tx, realm.id)).length >= emojiMax) {
    const message = `An organization can have ${emojiMax} emoji, including removed ones.`;
    throw refusedFor("emoji-count", message, String(emojiMax));
  }
  await tx.db.insert(tx.t.realmEmoji).values({
    realmId: realm.id,
    name,
    activeName: name,
    authorId: accountOf(actor)?.id ?? null,
    fileName: `${picture.name}.${image.extension}`,
    isAnimated: image.still !== undefined,
    sourceDigest,
  });
  await announce(tx);
  tx.audit(ctx, { action: "emoji.add", kind: "emoji", after: { name } });
}

async function announce(tx: Tx) {
  // The event's presenter fills them in.
  await tx.emit({ to: "realm" }, realmEmojiChanged({ realm_emoji: {} }));
}

export const RemoveRealmEmoji = record({ emojiName: text() });

/**
 * Deactivates an emoji: old messages still show it, but it cannot be used any more, and its name is
 * free again. Announces `realm_emoji` to the realm. For its author and for administrators; refuses
 * as `loadEmojiToRemove` does.
 */
export async function removeRealmEmoji(
  ctx: Context,
  { emojiName }: Input<typeof RemoveRealmEmoji>,
): Promise<undefined> {
  await write(ctx, async (tx) => removeRealmEmojiIn(tx, await renewContext(tx, ctx), emojiName));
}

/** Deactivates an emoji, as part of a write. */
export async function removeRealmEmojiIn(tx: Tx, ctx: Context, name: string) {
  const { id } = await loadEmojiToRemove(tx, ctx, name);
  const { realmEmoji } = tx.t;
  await tx.db
    .update(realmEmoji)
    .set({ activeName: null })
    .where(and(eq(realmEmoji.realmId, ctx.realm.id), eq(realmEmoji.id, id)));
  await announce(tx);
  tx.audit(ctx, { action: "emoji.remove", kind: "emoji", before: { name } });
}

export const GetEmojiImage = record({ realmIdStr: text(), filename: text() });

/**
 * The picture of an emoji of this organization, for everybody who has its address, which cannot be
 * guessed, because clients show pictures without signing in. It never changes. Refuses any other
 * address (404).
 */
export async function getEmojiImage(
  { app, reader, realm }: Context,
  { realmIdStr, filename }: Input<typeof GetEmojiImage>,
): Promise<FileAnswer> {
  if (realmIdStr !== String(realm.id) || !realm.isActive) throw noSuchPicture();
  const all = await listRealmEmoji(reader, realm.id);
  const emoji = all.find(
    (one) => one.fileName === filename || (one.stillUrl && stillName(one.fileName) === filename),
  );
  if (!emoji) throw noSuchPicture();
  const [token = "", extension = ""] = emoji.fileName.split(".");
  const isStill = emoji.fileName !== filename;
  const key = pictureKey(realm.id, token, isStill ? stillVariant : movingVariant);
  return answerPicture(app, key, isStill ? "image/png" : `image/${extension}`);
}
