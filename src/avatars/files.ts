import { makeSquaresAndOriginal } from "../pictures/decode";
import { avatarSides } from "../users/avatar";

/** What the keys of an avatar's files end in: they are none of the files that people share in messages. */
export const avatarVariants = { "": "-avatar", "-medium": "-avatar-medium", "-original": "-avatar-original" } as const;

/** The files of one avatar, by the ends of their keys. */
export type AvatarFiles = Readonly<Record<string, Uint8Array>>;

/**
 * Makes the files of an avatar from a picture: its middle as squares of two sizes, and all of it. Takes up to a second, on a
 * thread of its own. Refuses what is no picture (BAD_IMAGE).
 */
export async function makeAvatarFiles(file: Uint8Array): Promise<AvatarFiles> {
  const { squares, original } = await makeSquaresAndOriginal(file, [avatarSides[""], avatarSides["-medium"]]);
  const [normal = original, medium = original] = squares;
  return {
    [avatarVariants[""]]: normal,
    [avatarVariants["-medium"]]: medium,
    [avatarVariants["-original"]]: original,
  };
}
