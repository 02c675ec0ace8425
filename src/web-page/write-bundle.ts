/**
 * Writes the files of the web client into a folder, for `make build` to embed: `bun run
 * src/web-page/write-bundle.ts FOLDER`. Each file is written as it is, and compressed with `.br`
 * and `.gz`.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { encodings } from "../core/content-encoding";
import { bundleWeb } from "./bundle";
import { endings } from "./forms";

const [, , folder] = process.argv;
if (folder === undefined) throw new Error("Name the folder to write to.");

rmSync(folder, { recursive: true, force: true });
for (const [name, forms] of await bundleWeb("small"))
  for (const encoding of encodings)
    await Bun.write(join(folder, name + endings[encoding]), forms[encoding]);
