import {
  addRealmEmoji,
  cleanEmojiName,
  getRealmEmoji,
  removeRealmEmoji,
} from "../../src/management/realm-emoji/service";
import { printAdded } from "../addition";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printResult } from "../output";
import { readPlainFile } from "../plain-file";
import { readValue } from "../read-value";

/**
 * Size limit of a file on the command line; the size of the picture itself is checked when it is
 * decoded.
 */
const pictureBytesMax = 64 * 1_048_576;

/** `chatd admin emoji list`: active emoji. */
export async function listEmoji(options: RealmOptions) {
  const all = Object.values((await withOperator(options, getRealmEmoji)).emoji);
  const emoji = all.filter(({ deactivated }) => !deactivated);
  const rows = emoji.map(({ id, name, still_url }) => [
    id,
    name,
    still_url === null ? "still" : "moving",
  ]);
  printResult(options, { emoji }, formatTable(["ID", "NAME", "PICTURE"], rows));
}

/** `chatd admin emoji add NAME FILE [--if-missing]` */
export async function addEmoji(emojiName: string, path: string, options: RealmOptions) {
  const wanted = readValue(() => cleanEmojiName(emojiName));
  const picture = readPicture(path);
  await printAdded(options, "name", (ctx) => ({
    async find() {
      const all = Object.values((await getRealmEmoji(ctx)).emoji);
      return all.find((one) => !one.deactivated && one.name === wanted)?.name;
    },
    async add() {
      await addRealmEmoji(ctx, { emojiName }, { picture });
      return wanted;
    },
    added: (name) => `Added the emoji :${name}:.`,
    describe: (name) => `There is an emoji :${name}: already.`,
  }));
}

/** The bytes of a picture file; refuses a file that cannot be read. */
export function readPicture(path: string): Uint8Array {
  return readPlainFile(path, path, pictureBytesMax);
}

/** `chatd admin emoji remove NAME`: existing uses still show it. */
export async function removeEmoji(emojiName: string, options: RealmOptions) {
  await withOperator(options, (ctx) => removeRealmEmoji(ctx, { emojiName }));
  printResult(options, { name: emojiName }, [`Removed the emoji :${emojiName}:.`]);
}
