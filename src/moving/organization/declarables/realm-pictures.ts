import {
  prepareRealmPicture,
  realmVariant,
  setRealmPictureIn,
} from "../../../management/realm-pictures/change";
import { pictureKey } from "../../../pictures/store";
import {
  digestColumns,
  pictureColumns,
  type RealmPicture,
  realmPictureKeys,
  realmPictureNames,
} from "../../../realm/assets";
import type { Change } from "../change";
import type { Declarable } from "../declarable";
import type { Dumping } from "../dumping";
import type { Node } from "../file/decode";
import type { Source } from "../file/problems";
import { claimPicture, type DeclaredPicture, isStoredAs, operator, readPicture } from "../pictures";
import type { Planning } from "../planning";

/**
 * Declared pictures. Null removes a picture that was uploaded; a picture that the file leaves out
 * stays.
 */
export type DeclaredRealmPictures = Partial<Record<RealmPicture, DeclaredPicture | null>>;

/** The organization's icon and logos, which `realm` reads. */
export const realmPictures: Declarable = {
  plan: planRealmPictures,
  dump: (dumping) => ({ realm: dumpRealmPictures(dumping) }),
};

/** Reads `realm: {icon: acme.png, logo: null}`; mistakes become problems with their place. */
export function readRealmPictures(node: Node, source: Source): DeclaredRealmPictures {
  const pictures: DeclaredRealmPictures = {};
  for (const key of realmPictureKeys) {
    if (node.fields[key] === undefined) continue;
    const picture = node.fields[key] === null ? null : readPicture(node, key, source);
    if (picture !== undefined) pictures[key] = picture;
  }
  return pictures;
}

/**
 * Plans changes of pictures. Two pictures count as equal when they were made from one file.
 */
function planRealmPictures({ declaration, stored: { realm }, changes }: Planning) {
  for (const key of realmPictureKeys) {
    const picture = declaration.realm.pictures[key];
    if (picture === undefined) continue;
    const isSame = picture
      ? isStoredAs(picture, realm?.[digestColumns[key]])
      : !realm?.[pictureColumns[key]];
    if (!isSame) changes.push(picture ? setPicture(key, picture) : removePicture(key));
  }
}

const removePicture = (picture: RealmPicture): Change => ({
  lines: [`~ organization: ${realmPictureNames[picture]} none of its own`],
  path: ["realm", picture],
  carryOut: ({ tx, ctx }) => setRealmPictureIn(tx, ctx, picture, null),
});

function setPicture(picture: RealmPicture, { file, bytes }: DeclaredPicture): Change {
  const key = `realm ${picture}`;
  return {
    lines: [`~ organization: ${realmPictureNames[picture]} ${file}`],
    path: ["realm", picture],
    picture: { key, file, decode: () => prepareRealmPicture(operator, picture, bytes) },
    carryOut: ({ tx, ctx, pictures }) =>
      claimPicture(tx, ctx, { pictures, key }, ({ stored: { name }, digest }) =>
        setRealmPictureIn(tx, ctx, picture, { name, digest }),
      ),
  };
}

const dumpRealmPictures = ({ realm, namePicture }: Dumping) =>
  Object.fromEntries(
    realmPictureKeys.flatMap((picture) => {
      const file = realm[pictureColumns[picture]];
      if (file === null) return [];
      const key = pictureKey(realm.id, file, realmVariant);
      return [[picture, namePicture({ name: `${picture}.png`, key })]];
    }),
  );
