import { basename, dirname } from "node:path";
import type { Declared } from "../src/moving/organization/declaration";
import { parseDeclaration } from "../src/moving/organization/parse";
import { readFileBelow, readPlainFile } from "./plain-file";

const fileBytesMax = 16 * 1_048_576;

/**
 * Reads an organization's file; refuses it with all that is wrong in it, before any data is opened.
 */
export function readOrganizationFile(path: string): Declared {
  return parseDeclaration({
    name: basename(path),
    text: readPlainFile(path, path, fileBytesMax).toString(),
    readFile: (file: string, bytesMax: number) => readFileBelow(dirname(path), file, bytesMax),
  });
}
