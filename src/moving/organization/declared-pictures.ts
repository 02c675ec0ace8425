import { badRequest } from "../../core/errors";
import { cleanEmojiName } from "../../management/realm-emoji/service";
import { pictureDigest } from "../../pictures/digest";
import type { RealmPicture } from "../../realm/assets";
import { type Node, openMapping, readItems, readText, refuseRepeated, requireText } from "./decode";
import type { Path, Problem, Source } from "./problems";

/** A picture in a file that an organization's file names. */
export interface DeclaredPicture {
  /** Path of the file, beside the organization's file. */
  file: string;
  bytes: Uint8Array;
  digest: string;
}

export interface DeclaredEmoji {
  name: string;
  picture: DeclaredPicture | undefined;
}

/** Null is none of its own. An undefined picture was left out: it stays. */
export type DeclaredRealmPictures = Partial<Record<RealmPicture, DeclaredPicture | null>>;

/** The pictures of the organization itself, as the file calls them. */
export const realmPictureKeys = ["icon", "logo", "night_logo"] as const;

const pictureBytesMax = 5 * 1_048_576;

/** Reads `realm: {icon: acme.png, logo: null}`; what is wrong is noted with its place. */
export function readRealmPictures(node: Node, source: Source): DeclaredRealmPictures {
  const pictures: DeclaredRealmPictures = {};
  for (const key of realmPictureKeys) {
    if (node.fields[key] === undefined) continue;
    const picture = node.fields[key] === null ? null : readPicture(node, key, source);
    if (picture !== undefined) pictures[key] = picture;
  }
  return pictures;
}

/**
 * Reads `emoji: [{name: parrot, file: emoji/parrot.gif}]`; what is wrong is noted with its place.
 */
export function readEmoji(root: Node, source: Source): DeclaredEmoji[] {
  const { problems } = root;
  const emoji = readItems(root, "emoji").map((item) => readOneEmoji(problems, item, source));
  const names = emoji.map(({ name }, index) => ({
    path: ["emoji", index, "name"],
    name,
    shown: `'${name}'`,
  }));
  refuseRepeated(
    problems,
    names.filter(({ name }) => name !== ""),
  );
  return emoji;
}

function readOneEmoji(
  problems: Problem[],
  { path, value }: { path: Path; value: unknown },
  source: Source,
) {
  const node = openMapping(problems, path, value, "an emoji", ["name", "file"]);
  const name = requireText(node, "name", cleanEmojiName);
  if (node.fields.file === undefined) problems.push({ path, message: "'file' is missing." });
  return { name, picture: readPicture(node, "file", source) };
}

function readPicture(node: Node, key: string, { readFile }: Source): DeclaredPicture | undefined {
  let bytes: Uint8Array | undefined;
  const file = readText(node, key, (text) => {
    if (!readFile)
      throw badRequest(
        `${key} names a file, which only an organization that is in a file itself can do.`,
      );
    bytes = readFile(text, pictureBytesMax);
    return text;
  });
  return file === undefined || !bytes ? undefined : { file, bytes, digest: pictureDigest(bytes) };
}
