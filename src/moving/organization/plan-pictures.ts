import { digestColumns, pictureColumns } from "../../realm/assets";
import { realmPictureKeys } from "./declared-pictures";
import type { Planning } from "./planning";

/** Pictures are the same when they were made from the same file. */
export function planPictures({ declaration, stored, changes }: Planning) {
  const { pictures } = declaration.realm;
  for (const picture of realmPictureKeys) {
    const file = pictures[picture];
    if (file === undefined) continue;
    const isSame =
      file === null
        ? !stored.realm?.[pictureColumns[picture]]
        : file.digest === stored.realm?.[digestColumns[picture]];
    if (!isSame) changes.push({ kind: "setRealmPicture", picture, file });
  }
  for (const { name, picture: file } of declaration.emoji) {
    const known = stored.emoji.find((one) => one.name === name && !one.isDeactivated);
    if (!file || known?.sourceDigest === file.digest) continue;
    changes.push({ kind: known ? "replaceEmoji" : "addEmoji", name, file });
  }
}
