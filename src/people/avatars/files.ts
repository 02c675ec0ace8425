import { makeSquaresAndOriginal } from "../../pictures/decode";
import { avatarSides } from "../users/avatar";

/** Suffixes of the keys of an avatar's files, which distinguish them from files in messages. */
export const avatarVariants = {
  "": "-avatar",
  "-medium": "-avatar-medium",
  "-original": "-avatar-original",
} as const;

/** Length of the name of an avatar's files, which addresses of avatars have. */
export const avatarNameLength = 32;

/** The files of one avatar, by the suffixes of their keys. */
type AvatarFiles = Readonly<Record<string, Uint8Array>>;

/**
 * Makes the files of an avatar from a picture: its middle as squares of two sizes, and the whole
 * picture. Takes up to a second off the event loop. `makeFitting` explains `whose` and the
 * refusals.
 */
export async function makeAvatarFiles(whose: string, file: Uint8Array): Promise<AvatarFiles> {
  const sides = [avatarSides[""], avatarSides["-medium"]];
  const { squares, original } = await makeSquaresAndOriginal(whose, file, sides);
  const [normal = original, medium = original] = squares;
  return {
    [avatarVariants[""]]: normal,
    [avatarVariants["-medium"]]: medium,
    [avatarVariants["-original"]]: original,
  };
}
