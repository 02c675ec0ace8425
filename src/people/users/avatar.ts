import type { UserRow } from "../../core/context";
import { identiconPath } from "../../pictures/identicon";

/** Columns of a user that decide their avatar, in addition to the address. */
export type Pictured = Pick<
  UserRow,
  "id" | "realmId" | "avatarSource" | "avatarVersion" | "avatarFile"
>;

/**
 * A user, by the facts that their avatar depends on: `email` is the address that the viewer sees.
 */
export interface AvatarOwner {
  email: string;
  picture: Pictured;
}

/** Width and height of the two sizes in clients, in pixels. */
export const avatarSides = { "": 100, "-medium": 500 } as const;
type AvatarSize = keyof typeof avatarSides;

/** Sources of an avatar: generated here, from Gravatar by the e-mail address, or uploaded. */
export const avatarSources = { generated: "J", gravatar: "G", uploaded: "U" } as const;

/**
 * The address of a user's avatar; null for a client that makes Gravatar's addresses itself
 * (`client_gravatar`).
 */
export function avatarUrl(person: AvatarOwner, clientGravatar: false): string;
export function avatarUrl(person: AvatarOwner, clientGravatar: boolean): string | null;
export function avatarUrl(person: AvatarOwner, clientGravatar: boolean): string | null {
  return clientGravatar && person.picture.avatarSource === avatarSources.gravatar
    ? null
    : addressOf(person, "");
}

/** Address of a person's avatar in the size for profile pages. */
export const mediumAvatarUrl = (person: AvatarOwner): string => addressOf(person, "-medium");

/** The avatar of somebody who must stay unknown: it depends on the id alone. */
export const anonymousPicture = ({ id, realmId }: Pick<UserRow, "id" | "realmId">): Pictured => ({
  id,
  realmId,
  avatarSource: avatarSources.generated,
  avatarVersion: 1,
  avatarFile: null,
});

function addressOf(person: AvatarOwner, size: AvatarSize): string {
  const { id, realmId, avatarSource, avatarVersion, avatarFile } = person.picture;
  if (avatarFile !== null)
    return `/user_avatars/${realmId}/${avatarFile}${size}.png?version=${avatarVersion}`;
  if (avatarSource === avatarSources.generated)
    return `${identiconPath(realmId, `user:${realmId}:${id}`, size)}?version=1`;
  const wanted = size === "" ? "" : `&s=${avatarSides[size]}`;
  return `https://secure.gravatar.com/avatar/${hashOf(person)}?d=identicon&version=${avatarVersion}${wanted}`;
}

/** The hash of the address of a person that was shown last. */
const hashes = new WeakMap<Pictured, { email: string; hash: string }>();

/** Gravatar's hash of a person's address. It is kept, because each of their messages shows it. */
function hashOf({ email, picture }: AvatarOwner): string {
  const kept = hashes.get(picture);
  if (kept?.email === email) return kept.hash;
  const hash = new Bun.CryptoHasher("md5").update(email.toLowerCase()).digest("hex");
  hashes.set(picture, { email, hash });
  return hash;
}
