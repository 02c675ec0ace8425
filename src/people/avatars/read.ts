import type { FileAnswer, Page } from "../../core/answer";
import type { Context, Person } from "../../core/context";
import { type Input, record, text } from "../../core/params";
import {
  answerDrawn,
  answerPicture,
  noSuchPicture,
  redirectToPicture,
} from "../../pictures/answer";
import { drawIdenticon, identiconPath } from "../../pictures/identicon";
import { pictureKey } from "../../pictures/store";
import {
  type AvatarOwner,
  anonymousPicture,
  avatarSides,
  avatarUrl,
  mediumAvatarUrl,
} from "../users/avatar";
import { emailKeyOf, placeholderEmail } from "../users/queries";
import { shownPerson } from "../users/shown";
import { findVisibleUser, viewerOf } from "../users/viewer";
import { avatarVariants } from "./files";

export const FindAvatar = record({ user: text() });

/**
 * Redirects to the avatar of a user, by id or by an address that the actor may know. A user who
 * does not exist, or whom the actor may not see, gets a generated avatar that reveals nothing.
 */
export async function findAvatar(
  ctx: Context<Person>,
  { user }: Input<typeof FindAvatar>,
): Promise<Page> {
  const found = await findAvatarOwner(ctx, user);
  return redirectToPicture(
    typeof found === "string" ? identiconPath(ctx.realm.id, found) : avatarUrl(found, false),
  );
}

/** Redirects to the avatar of a user in the size for profile pages. */
export async function findMediumAvatar(
  ctx: Context<Person>,
  { user }: Input<typeof FindAvatar>,
): Promise<Page> {
  const found = await findAvatarOwner(ctx, user);
  return redirectToPicture(
    typeof found === "string"
      ? identiconPath(ctx.realm.id, found, "-medium")
      : mediumAvatarUrl(found),
  );
}

/** A user, or the seed of a picture that is generated for an unknown address. */
async function findAvatarOwner(ctx: Context<Person>, named: string): Promise<AvatarOwner | string> {
  const { reader, realm } = ctx;
  const id = /^\d{1,15}$/.test(named) ? Number(named) : undefined;
  const user = await findVisibleUser(reader, ctx, id ?? named);
  if (user) {
    return shownPerson(user, {
      viewer: await viewerOf(reader, ctx, [user.id]),
      realmHost: realm.host,
    });
  }
  if (id === undefined) return `address:${realm.id}:${emailKeyOf(named)}`;
  return {
    email: placeholderEmail(realm.host, id),
    picture: anonymousPicture({ id, realmId: realm.id }),
  };
}

export const GetPicture = record({ realmIdStr: text(), filename: text() });

/**
 * An uploaded avatar of this organization, for everybody who has its address, which cannot be
 * guessed, because clients show pictures without signing in. Refuses any other address (404).
 */
export async function getAvatarFile(
  { app, realm }: Context,
  { realmIdStr, filename }: Input<typeof GetPicture>,
): Promise<FileAnswer> {
  if (realmIdStr !== String(realm.id) || !realm.isActive) throw noSuchPicture();
  const [, name, size = ""] = /^([A-Za-z0-9]{32})(-medium)?\.png$/.exec(filename) ?? [];
  if (name !== undefined) {
    const variant = size === "" ? avatarVariants[""] : avatarVariants["-medium"];
    return answerPicture(app, pictureKey(realm.id, name, variant), "image/png");
  }
  const [, original] = /^([A-Za-z0-9]{32})-original\.webp$/.exec(filename) ?? [];
  if (original === undefined) throw noSuchPicture();
  return answerPicture(
    app,
    pictureKey(realm.id, original, avatarVariants["-original"]),
    "image/webp",
  );
}

/**
 * Generates the picture for an address, for everybody, whether or not a user has it. Refuses an
 * address of another form (404).
 */
export async function getGeneratedPicture(
  { realm }: Context,
  { realmIdStr, filename }: Input<typeof GetPicture>,
): Promise<FileAnswer> {
  const [, seed, size = ""] = /^([0-9a-f]{32})(-medium)?\.png$/.exec(filename) ?? [];
  if (seed === undefined || realmIdStr !== String(realm.id) || !realm.isActive)
    throw noSuchPicture();
  return answerDrawn(drawIdenticon(seed, avatarSides[size === "" ? "" : "-medium"]), filename);
}
