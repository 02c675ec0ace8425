import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { App, RealmRow, Tx } from "../../core/context";
import { ApiError } from "../../core/errors";
import { emojiPictureKey, prepareEmoji } from "../../management/realm-emoji/service";
import { prepareRealmPicture, realmVariant } from "../../management/realm-pictures/change";
import { pictureDigest } from "../../pictures/digest";
import { pictureKey } from "../../pictures/store";
import {
  digestColumns,
  pictureColumns,
  type RealmPicture,
  realmPictureKeys,
} from "../../realm/assets";
import { findRealmByHost } from "../../realm/queries";
import { listRealmEmoji } from "../../realm/realm-emoji/queries";
import type { DeclaredRealmPictures } from "./declarables/realm-pictures";
import type { Declared } from "./declaration";
import { type DeclaredPicture, operator } from "./pictures";

/**
 * A stored picture: key of its bytes, and digest of the file that it was made from; null if that is
 * unknown, because an import from another system brought the picture.
 */
interface Stored {
  key: string;
  sourceDigest: string | null;
}

/** Makes the bytes that a declared picture would be stored as. */
type Make = (bytes: Uint8Array) => Promise<Uint8Array | undefined>;

/**
 * The declaration, in which each picture that is a stored picture itself, as in a dump, has the
 * digest of the file that the stored picture was made from. Pictures are stored in another form
 * than they are uploaded in, so these would otherwise count as different. A picture whose file is
 * unknown, because an import brought it, is also compared with the form that the declared one
 * would be stored in.
 */
export async function recognizePictures(app: App, declared: Declared): Promise<Declared> {
  const { declaration } = declared;
  const realm = await findRealmByHost(app.engine.reader, declaration.realm.host);
  if (!realm) return declared;
  const pictures: DeclaredRealmPictures = { ...declaration.realm.pictures };
  for (const key of realmPictureKeys) {
    const picture = pictures[key];
    if (!picture) continue;
    const make: Make = async (bytes) =>
      (await prepareRealmPicture(operator, key, bytes)).files[realmVariant];
    pictures[key] = await recognize(app, picture, storedRealmPicture(realm, key), make);
  }
  const emoji = [];
  const storedEmoji = await listRealmEmoji(app.engine.reader, realm.id);
  for (const { name, picture } of declaration.emoji) {
    const found = storedEmoji.find((one) => one.name === name && !one.isDeactivated);
    const [stem = ""] = found?.fileName.split(".") ?? [];
    const stored = found && { ...found, key: emojiPictureKey(realm.id, stem) };
    const make: Make = async (bytes) => (await prepareEmoji(operator, name, bytes)).image.bytes;
    emoji.push({ name, picture: picture && (await recognize(app, picture, stored, make)) });
  }
  const settled = { ...declaration, realm: { ...declaration.realm, pictures }, emoji };
  return { ...declared, declaration: settled };
}

function storedRealmPicture(realm: RealmRow, picture: RealmPicture): Stored | undefined {
  const file = realm[pictureColumns[picture]];
  if (file === null) return undefined;
  const key = pictureKey(realm.id, file, realmVariant);
  return { key, sourceDigest: realm[digestColumns[picture]] };
}

async function recognize(
  { files }: App,
  picture: DeclaredPicture,
  stored: Stored | undefined,
  make: Make,
): Promise<DeclaredPicture> {
  if (!stored || stored.sourceDigest === picture.digest) return picture;
  const isUnknown = stored.sourceDigest === null;
  const content = await files.find(stored.key);
  if (!content || (!isUnknown && content.size !== picture.bytes.length)) return picture;
  const digest = pictureDigest(new Uint8Array(await content.arrayBuffer()));
  if (digest === picture.digest) return { ...picture, digest: stored.sourceDigest };
  const isMade = isUnknown && digest === (await digestOfMade(picture, make));
  return isMade ? { ...picture, digest: null, sourceToNote: picture.digest } : picture;
}

/**
 * Stores the digests of the files that recognized pictures of an import were made from, so that
 * these files need not be decoded again.
 */
export async function noteSources(
  { db, t: { realms, realmEmoji } }: Tx,
  realmId: number,
  { declaration: { realm, emoji } }: Declared,
): Promise<void> {
  for (const key of realmPictureKeys) {
    const sourceDigest = realm.pictures[key]?.sourceToNote;
    if (!sourceDigest) continue;
    const [file, digest] = [pictureColumns[key], digestColumns[key]];
    await db
      .update(realms)
      .set({ [digest]: sourceDigest })
      .where(and(eq(realms.id, realmId), isNotNull(realms[file]), isNull(realms[digest])));
  }
  for (const { name, picture } of emoji) {
    const sourceDigest = picture?.sourceToNote;
    if (!sourceDigest) continue;
    const e = realmEmoji;
    await db
      .update(e)
      .set({ sourceDigest })
      .where(and(eq(e.realmId, realmId), eq(e.activeName, name), isNull(e.sourceDigest)));
  }
}

/**
 * Digest of the form that a picture would be stored in; undefined for a file that is no picture.
 */
async function digestOfMade({ bytes }: DeclaredPicture, make: Make): Promise<string | undefined> {
  try {
    const made = await make(bytes);
    return made && pictureDigest(made);
  } catch (error) {
    // The application refuses this file, and names its place.
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
