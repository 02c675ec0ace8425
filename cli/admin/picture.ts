import { removeRealmPicture, setRealmPicture } from "../../src/management/realm-pictures/change";
import { loadAccount } from "../../src/moving/organization/lookup";
import { resetUserAvatar, setUserAvatar } from "../../src/people/avatars/change";
import { type RealmPicture, realmPictureNames } from "../../src/realm/assets";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { printResult, UsageError } from "../output";
import { readPicture } from "./emoji";

type PictureOptions = RealmOptions & { remove?: boolean };

/** The picture in a file, or undefined if the current one is to be removed. */
function pictureIn(
  path: string | undefined,
  { remove = false }: PictureOptions,
): Uint8Array | undefined {
  if ((path === undefined) !== remove)
    throw new UsageError("Give the file of a picture, or --remove.");
  return path === undefined ? undefined : readPicture(path);
}

/** `chatd admin user avatar EMAIL [FILE] [--remove]`: sets or removes a person's picture. */
export async function changeAvatar(
  email: string,
  path: string | undefined,
  options: PictureOptions,
) {
  const picture = pictureIn(path, options);
  const user = await withOperator(options, async (ctx) => {
    const { id } = await loadAccount(ctx, email);
    return picture ? setUserAvatar(ctx, id, picture) : resetUserAvatar(ctx, id);
  });
  const { id: user_id, avatarSource: avatar_source, avatarVersion: avatar_version } = user;
  const line = picture
    ? `${user.email} has a new picture.`
    : `${user.email} has no picture of their own.`;
  printResult(options, { user: { user_id, email: user.email, avatar_source, avatar_version } }, [
    line,
  ]);
}

async function changePicture(
  picture: RealmPicture,
  path: string | undefined,
  options: PictureOptions,
) {
  const file = pictureIn(path, options);
  const realm = await withOperator(options, (ctx) =>
    file ? setRealmPicture(ctx, picture, file) : removeRealmPicture(ctx, picture),
  );
  const line = `${realm.name} has ${file ? "a new" : "no"} ${realmPictureNames[picture]}${file ? "" : " of its own"}.`;
  printResult(options, { realm: realm.host, picture, is_own: file !== undefined }, [line]);
}

/** `chatd admin realm icon [FILE] [--remove]` */
export const changeIcon = (path: string | undefined, options: PictureOptions) =>
  changePicture("icon", path, options);

/**
 * `chatd admin realm logo [FILE] [--night] [--remove]`: the logo for light screens, or for dark
 * ones.
 */
export const changeLogo = (
  path: string | undefined,
  options: PictureOptions & { night?: boolean },
) => changePicture(options.night ? "night_logo" : "logo", path, options);
