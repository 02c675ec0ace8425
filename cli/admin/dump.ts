import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { badRequest } from "../../src/core/errors";
import { whyNotWritten } from "../../src/core/file-failure";
import { dumpOrganization } from "../../src/moving/organization/dump";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { printResult } from "../output";

/** `chatd admin realm dump [FILE]`: an organization as the file that `chatd admin apply` reads. */
export async function dumpRealm(path: string | undefined, options: RealmOptions) {
  const folder =
    path === undefined ? undefined : `${basename(path).replace(/\.ya?ml$/, "")}-pictures`;
  const { text, pictureCount } = await withOperator(options, async ({ app, realm }) => {
    const { text, pictures } = await dumpOrganization(app, realm, folder);
    if (path === undefined) return { text, pictureCount: 0 };
    // The text is written first, because it must not replace a file that is there.
    writeNew(path, () => writeFileSync(path, text, { flag: "wx", mode: 0o600 }));
    const place = dirname(path);
    if (folder !== undefined && pictures.length > 0)
      writeNew(folder, () => mkdirSync(join(place, folder), { recursive: true, mode: 0o700 }));
    for (const { file, key } of pictures) {
      const content = await app.files.find(key);
      if (!content) throw badRequest(`The picture ${file} is not in the file store any more.`);
      const bytes = new Uint8Array(await content.arrayBuffer());
      writeNew(file, () => writeFileSync(join(place, file), bytes, { mode: 0o600 }));
    }
    return { text, pictureCount: pictures.length };
  });
  if (path === undefined) return printText(options, text);
  printResult(options, { file: path, pictures: pictureCount }, [
    `Wrote ${path}, with ${pictureCount} pictures beside it.`,
  ]);
}

/** Each line is printed by itself, because control characters are left out of lines. */
const printText = (options: RealmOptions, text: string) =>
  printResult(options, { text }, text.trimEnd().split("\n"));

function writeNew(path: string, write: () => unknown) {
  try {
    write();
  } catch (error) {
    throw badRequest(whyNotWritten(path, error));
  }
}
