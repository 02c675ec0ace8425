import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { App } from "../../src/core/context";
import { badRequest } from "../../src/core/errors";
import { whyNotWritten } from "../../src/core/storage/file-failure";
import { dumpOrganization } from "../../src/moving/organization/dump";
import type { DumpedPicture } from "../../src/moving/organization/dumping";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { printResult } from "../output";

/** Means stdout, as for backups. */
const standardOutput = "-";

/** `chatd admin realm dump [FILE]`: an organization as the file that `chatd admin apply` reads. */
export async function dumpRealm(target: string | undefined, options: RealmOptions) {
  const path = target === standardOutput ? undefined : target;
  const folder =
    path === undefined ? undefined : `${basename(path).replace(/\.ya?ml$/, "")}-pictures`;
  const { text, pictureCount } = await withOperator(options, async ({ app, realm }) => {
    const { text, pictures } = await dumpOrganization(app, realm, folder);
    if (path === undefined) return { text, pictureCount: 0 };
    const contents = await Promise.all(pictures.map((picture) => loadPicture(app, picture)));
    // The text is written first, because an existing file must not be replaced.
    writeNew(path, () => writeWhole(path, text));
    try {
      writePictures(join(dirname(path), folder ?? ""), contents);
    } catch (error) {
      rmSync(path);
      throw error;
    }
    return { text, pictureCount: pictures.length };
  });
  if (path === undefined) return printText(options, text);
  printResult(options, { file: path, pictures: pictureCount }, [
    `Wrote ${path}, with ${pictureCount} pictures next to it.`,
  ]);
}

interface Picture {
  /** File name in the folder of the pictures. */
  name: string;
  bytes: Uint8Array;
}

async function loadPicture(app: App, { file, key }: DumpedPicture): Promise<Picture> {
  const content = await app.files.find(key);
  if (!content) throw badRequest(`The picture ${file} is not in the file store any more.`);
  return { name: basename(file), bytes: new Uint8Array(await content.arrayBuffer()) };
}

function writePictures(folder: string, pictures: readonly Picture[]) {
  if (pictures.length > 0)
    writeNew(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  for (const { name, bytes } of pictures) {
    const path = join(folder, name);
    writeNew(path, () => writeFileSync(path, bytes, { mode: 0o600 }));
  }
}

/** Each line is printed separately, because control characters are removed from lines. */
const printText = (options: RealmOptions, text: string) =>
  printResult(options, { text }, text.trimEnd().split("\n"));

/** Writes a file that does not exist yet, and leaves none with a part of the text. */
function writeWhole(path: string, text: string) {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, text);
  } catch (error) {
    rmSync(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

function writeNew(path: string, write: () => unknown) {
  try {
    write();
  } catch (error) {
    throw badRequest(whyNotWritten(path, error));
  }
}
