import type { App, RealmRow } from "../../core/context";
import { emojiPictureKey } from "../../management/realm-emoji/service";
import { realmVariant } from "../../management/realm-pictures/change";
import { pictureDigest } from "../../pictures/digest";
import { pictureKey } from "../../pictures/store";
import { digestColumns, pictureColumns } from "../../realm/assets";
import { findRealmByHost } from "../../realm/queries";
import { listRealmEmoji } from "../../realm/realm-emoji/queries";
import { type DeclaredRealmPictures, realmPictureKeys } from "./declarables/realm-pictures";
import type { Declared } from "./declaration";
import type { DeclaredPicture } from "./pictures";

/**
 * A stored picture: key of its bytes, and digest of the file that it was made from; null if that is
 * unknown, because an import from another system brought the picture.
 */
interface Stored {
  key: string;
  sourceDigest: string | null;
}

/**
 * The declaration, in which each picture that is a stored picture itself, as in a dump, has the
 * digest of the file that the stored picture was made from. Pictures are stored in another form
 * than they are uploaded in, so these would otherwise count as different.
 */
export async function recognizePictures(app: App, declared: Declared): Promise<Declared> {
  const { declaration } = declared;
  const realm = await findRealmByHost(app.engine.reader, declaration.realm.host);
  if (!realm) return declared;
  const pictures: DeclaredRealmPictures = { ...declaration.realm.pictures };
  for (const key of realmPictureKeys) {
    const picture = pictures[key];
    if (picture) pictures[key] = await recognize(app, picture, storedRealmPicture(realm, key));
  }
  const emoji = [];
  const storedEmoji = await listRealmEmoji(app.engine.reader, realm.id);
  for (const { name, picture } of declaration.emoji) {
    const found = storedEmoji.find((one) => one.name === name && !one.isDeactivated);
    const [stem = ""] = found?.fileName.split(".") ?? [];
    const stored = found && { ...found, key: emojiPictureKey(realm.id, stem) };
    emoji.push({ name, picture: picture && (await recognize(app, picture, stored)) });
  }
  const settled = { ...declaration, realm: { ...declaration.realm, pictures }, emoji };
  return { ...declared, declaration: settled };
}

function storedRealmPicture(
  realm: RealmRow,
  picture: (typeof realmPictureKeys)[number],
): Stored | undefined {
  const file = realm[pictureColumns[picture]];
  if (file === null) return undefined;
  const key = pictureKey(realm.id, file, realmVariant);
  return { key, sourceDigest: realm[digestColumns[picture]] };
}

async function recognize(
  { files }: App,
  picture: DeclaredPicture,
  stored: Stored | undefined,
): Promise<DeclaredPicture> {
  if (!stored || stored.sourceDigest === picture.digest) return picture;
  const content = await files.find(stored.key);
  if (content?.size !== picture.bytes.length) return picture;
  const isStored = pictureDigest(new Uint8Array(await content.arrayBuffer())) === picture.digest;
  return isStored ? { ...picture, digest: stored.sourceDigest } : picture;
}
