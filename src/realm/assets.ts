import type { RealmRow } from "../core/context";
import { identiconPath } from "../pictures/identicon";

/** Data that the server serves without a login, as `register` refers to it. */
export const realmAssets = (url: string) => ({ emojiData: `${url}/emoji/names.json` });

/** The pictures of an organization: its icon, and its logos for light and for dark screens. */
export const realmPictureKeys = ["icon", "logo", "night_logo"] as const;

export type RealmPicture = (typeof realmPictureKeys)[number];

/** Names of the pictures, as people read them. */
export const realmPictureNames: Readonly<Record<RealmPicture, string>> = {
  icon: "icon",
  logo: "logo",
  night_logo: "logo for dark screens",
};

/** Columns with their files' names. */
export const pictureColumns = {
  icon: "iconFile",
  logo: "logoFile",
  night_logo: "nightLogoFile",
} as const;

/** Columns with the digests of the files that the pictures were made from. */
export const digestColumns = {
  icon: "iconDigest",
  logo: "logoDigest",
  night_logo: "nightLogoDigest",
} as const;

type Pictured = Pick<RealmRow, "id" | (typeof pictureColumns)[RealmPicture]>;

/** Where a picture comes from, in the protocol and in archives of the reference server. */
export const pictureSources = { uploaded: "U", generated: "G", ours: "D" } as const;

/** Address and source of an organization's picture, as in the protocol. */
export function realmPicture(
  realm: Pictured,
  picture: RealmPicture,
): { url: string; source: string } {
  const file = realm[pictureColumns[picture]];
  if (file !== null)
    return { url: `/user_avatars/${realm.id}/realm/${file}.png`, source: pictureSources.uploaded };
  if (picture === "icon")
    return { url: identiconPath(realm.id, `realm:${realm.id}`), source: pictureSources.generated };
  return { url: "/static/realm-logo.svg", source: pictureSources.ours };
}
