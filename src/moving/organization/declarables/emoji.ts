import {
  addRealmEmojiIn,
  cleanEmojiName,
  emojiFiles,
  emojiPictureKey,
  prepareEmoji,
  removeRealmEmojiIn,
} from "../../../management/realm-emoji/service";
import { listRealmEmoji } from "../../../realm/realm-emoji/queries";
import type { Change } from "../change";
import type { Declarable } from "../declarable";
import type { Dumping } from "../dumping";
import {
  type Item,
  openMapping,
  readItems,
  refuseRepeatedTexts,
  requireText,
} from "../file/decode";
import type { Problem, Source } from "../file/problems";
import { claimPicture, type DeclaredPicture, isStoredAs, operator, readPicture } from "../pictures";
import type { Planning } from "../planning";

export interface DeclaredEmoji {
  name: string;
  picture: DeclaredPicture | undefined;
}

/** The organization's own emoji: `emoji: [{name: parrot, file: emoji/parrot.gif}]`. */
export const emoji: Declarable = {
  read: (root, source) => ({
    emoji: readItems(root, "emoji").map((item) => readOne(root.problems, item, source)),
  }),
  check(declaration, problems) {
    const names = declaration.emoji.map(({ name }) => name);
    refuseRepeatedTexts(problems, { part: "emoji", key: "name" }, names);
  },
  load: async ({ reader, realm }) => ({ emoji: await listRealmEmoji(reader, realm.id) }),
  plan: planEmoji,
  dump: (dumping) => ({ emoji: dumpEmoji(dumping) }),
  prune: { part: "emoji", changes: pruneEmoji },
};

function readOne(problems: Problem[], { path, value }: Item, source: Source): DeclaredEmoji {
  const node = openMapping(problems, path, value, "an emoji", ["name", "file"]);
  const name = requireText(node, "name", cleanEmojiName);
  if (node.fields.file === undefined) problems.push({ path, message: "'file' is missing." });
  return { name, picture: readPicture(node, "file", source) };
}

/** Plans changes of emoji. Two emoji count as equal when they were made from one file. */
function planEmoji({ declaration, stored, changes }: Planning) {
  for (const [index, { name, picture }] of declaration.emoji.entries()) {
    const storedEmoji = stored.emoji.find((one) => one.name === name && !one.isDeactivated);
    if (!picture || isStoredAs(picture, storedEmoji?.sourceDigest)) continue;
    changes.push(setEmoji(index, name, picture, storedEmoji !== undefined));
  }
}

function setEmoji(
  index: number,
  name: string,
  { file, bytes }: DeclaredPicture,
  isThere: boolean,
): Change {
  const key = `emoji ${name}`;
  return {
    lines: [`${isThere ? "~" : "+"} emoji ${name}: ${file}`],
    path: ["emoji", index, "file"],
    picture: {
      key,
      file,
      async decode() {
        const prepared = await prepareEmoji(operator, name, bytes);
        return { files: emojiFiles(prepared), digest: prepared.sourceDigest, emoji: prepared };
      },
    },
    carryOut: ({ tx, ctx, pictures }) =>
      claimPicture(tx, ctx, { pictures, key }, async ({ stored, emoji: prepared }) => {
        if (!prepared) return;
        if (isThere) await removeRealmEmojiIn(tx, ctx, name);
        await addRealmEmojiIn(tx, ctx, prepared, stored);
      }),
  };
}

const dumpEmoji = ({ realm, stored, namePicture }: Dumping) =>
  stored.emoji
    .filter(({ isDeactivated }) => !isDeactivated)
    .map(({ name, fileName }) => {
      const [stem = "", extension = ""] = fileName.split(".");
      const key = emojiPictureKey(realm.id, stem);
      return { name, file: namePicture({ name: `emoji-${name}.${extension}`, key }) };
    });

/** Deactivates undeclared emoji. Old messages still show a deactivated emoji. */
function pruneEmoji({ declaration, stored }: Planning): Change[] {
  const declared = new Set(declaration.emoji.map(({ name }) => name));
  return stored.emoji
    .filter(({ isDeactivated, name }) => !isDeactivated && !declared.has(name))
    .map(({ name }) => ({
      lines: [`- emoji ${name}: not declared, deactivated`],
      path: ["emoji"],
      prunes: "emoji",
      carryOut: ({ tx, ctx }) => removeRealmEmojiIn(tx, ctx, name),
    }));
}
