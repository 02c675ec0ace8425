import type { UserRow } from "../core/context";

/** How often the picture of a user has changed: part of its address, so that caches let go of an old one. */
export const avatarVersion = 1;

const mediumPixels = 500;

/**
 * The address of a user's picture, which Gravatar has by the MD5 of the e-mail address; null for a client that makes
 * these addresses itself (`client_gravatar`).
 */
export function avatarUrl(user: Pick<UserRow, "email">, clientGravatar: true): null;
export function avatarUrl(user: Pick<UserRow, "email">, clientGravatar: false): string;
export function avatarUrl(user: Pick<UserRow, "email">, clientGravatar: boolean): string | null;
export function avatarUrl({ email }: Pick<UserRow, "email">, clientGravatar: boolean): string | null {
  if (clientGravatar) return null;
  const hash = new Bun.CryptoHasher("md5").update(email.toLowerCase()).digest("hex");
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon&version=${avatarVersion}`;
}

/** The same picture in the size for profile pages. */
export const mediumAvatarUrl = (user: Pick<UserRow, "email">) => `${avatarUrl(user, false)}&s=${mediumPixels}`;
