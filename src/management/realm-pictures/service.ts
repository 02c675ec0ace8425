import type { Static } from "@sinclair/typebox";
import type { FileAnswer, Page } from "../../core/answer";
import type { Context, Person } from "../../core/context";
import type { Connection } from "../../core/endpoint";
import { flag, type Input, record, text } from "../../core/params";
import { answerPicture, noSuchPicture, redirectToPicture } from "../../pictures/answer";
import { pictureKey } from "../../pictures/store";
import { requirePicture } from "../../pictures/upload";
import { type RealmPicture, realmPicture } from "../../realm/assets";
import { realmVariant, removeRealmPicture, setRealmPicture } from "./change";

type WithPicture = Pick<Connection, "picture">;

export const Icon = record({});
export const IconAddress = record({ icon_url: text() });
export const Logo = record({ night: flag() });

const logoOf = ({ night }: Input<typeof Logo>): RealmPicture => (night ? "night_logo" : "logo");

/**
 * Sets the picture of the form as the organization's icon; answers its address. Event and refusals:
 * see `setRealmPicture`.
 */
export async function uploadIcon(
  ctx: Context<Person>,
  _input: Input<typeof Icon>,
  connection: WithPicture,
): Promise<Static<typeof IconAddress>> {
  const realm = await setRealmPicture(ctx, "icon", requirePicture(connection));
  return { icon_url: realmPicture(realm, "icon").url };
}

/** Removes the icon; answers the address of the default one. See `removeRealmPicture`. */
export async function removeIcon(ctx: Context<Person>): Promise<Static<typeof IconAddress>> {
  return { icon_url: realmPicture(await removeRealmPicture(ctx, "icon"), "icon").url };
}

/** Redirects to the icon. */
export const findIcon = async ({ realm }: Context): Promise<Page> =>
  redirectToPicture(realmPicture(realm, "icon").url);

/**
 * Sets the picture of the form as the organization's logo, for light or (`night`) dark screens. See
 * `setRealmPicture`.
 */
export async function uploadLogo(
  ctx: Context<Person>,
  input: Input<typeof Logo>,
  connection: WithPicture,
): Promise<undefined> {
  await setRealmPicture(ctx, logoOf(input), requirePicture(connection));
}

/** Removes a logo. See `removeRealmPicture`. */
export async function removeLogo(
  ctx: Context<Person>,
  input: Input<typeof Logo>,
): Promise<undefined> {
  await removeRealmPicture(ctx, logoOf(input));
}

/** Redirects to a logo. */
export const findLogo = async ({ realm }: Context, input: Input<typeof Logo>): Promise<Page> =>
  redirectToPicture(realmPicture(realm, logoOf(input)).url);

export const GetRealmPicture = record({ realmIdStr: text(), filename: text() });

/**
 * An icon or logo of this organization, for everybody who has its address, because people see it
 * before they sign in. Refuses any other address (404).
 */
export async function getRealmPicture(
  { app, realm }: Context,
  { realmIdStr, filename }: Input<typeof GetRealmPicture>,
): Promise<FileAnswer> {
  const [, name] = /^([A-Za-z0-9]{32})\.png$/.exec(filename) ?? [];
  if (name === undefined || realmIdStr !== String(realm.id) || !realm.isActive)
    throw noSuchPicture();
  return answerPicture(app, pictureKey(realm.id, name, realmVariant), "image/png");
}
