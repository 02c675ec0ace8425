import { makeSquaresAndOriginal } from "../../pictures/decode";
import { avatarSides } from "../users/avatar";

/**
 * Endings of the keys of an avatar's files: they are none of the files that people share in
 * messages.
 */
export const avatarVariants = {
  "": "-avatar",
  "-medium": "-avatar-medium",
  "-original": "-avatar-original",
} as const;

/** The files of one avatar, by the ends of their keys. */
export type AvatarFiles = Readonly<Record<string, Uint8Array>>;

/**
 * Makes the files of an avatar from a picture: its middle as squares of two sizes, and all of it.
 * Takes up to a second beside the event loop. `makeFitting` says what `whose` is and what is
 * refused.
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
