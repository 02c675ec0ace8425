import type { UserRow } from "../../core/context";
import { identiconPath } from "../../pictures/identicon";

/** Columns of a user that decide their picture, beside the address. */
export type Pictured = Pick<
  UserRow,
  "id" | "realmId" | "avatarSource" | "avatarVersion" | "avatarFile"
>;

/**
 * A user as far as their picture tells who they are: `email` is the address that the onlooker knows
 * them by.
 */
export interface Portrayed {
  email: string;
  picture: Pictured;
}

/** The widths and heights of the two sizes that clients show, in pixels. */
export const avatarSides = { "": 100, "-medium": 500 } as const;
export type AvatarSize = keyof typeof avatarSides;

/** Sources of a picture: made by us, from Gravatar by the e-mail address, or uploaded. */
export const avatarSources = { generated: "J", gravatar: "G", uploaded: "U" } as const;

/**
 * The address of a user's picture; null for a client that makes those at Gravatar itself
 * (`client_gravatar`).
 */
export function avatarUrl(person: Portrayed, clientGravatar: false): string;
export function avatarUrl(person: Portrayed, clientGravatar: boolean): string | null;
export function avatarUrl(person: Portrayed, clientGravatar: boolean): string | null {
  return clientGravatar && person.picture.avatarSource === avatarSources.gravatar
    ? null
    : addressOf(person, "");
}

/** Address of a person's picture in the size for profile pages. */
export const mediumAvatarUrl = (person: Portrayed): string => addressOf(person, "-medium");

/** The picture of somebody of whom nothing may be known: it follows from the id alone. */
export const anonymousPicture = ({ id, realmId }: Pick<UserRow, "id" | "realmId">): Pictured => ({
  id,
  realmId,
  avatarSource: avatarSources.generated,
  avatarVersion: 1,
  avatarFile: null,
});

function addressOf({ email, picture }: Portrayed, size: AvatarSize): string {
  const { id, realmId, avatarSource, avatarVersion, avatarFile } = picture;
  if (avatarFile !== null)
    return `/user_avatars/${realmId}/${avatarFile}${size}.png?version=${avatarVersion}`;
  if (avatarSource === avatarSources.generated)
    return `${identiconPath(realmId, `user:${realmId}:${id}`, size)}?version=1`;
  const hash = new Bun.CryptoHasher("md5").update(email.toLowerCase()).digest("hex");
  const wanted = size === "" ? "" : `&s=${avatarSides[size]}`;
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon&version=${avatarVersion}${wanted}`;
}
