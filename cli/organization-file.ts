import { basename, dirname } from "node:path";
import { lineNotUtf8 } from "../src/core/text/encoding";
import type { Declared } from "../src/moving/organization/declaration";
import { refuse } from "../src/moving/organization/file/problems";
import { parseDeclaration } from "../src/moving/organization/parse";
import { readFileBelow, readPlainFile } from "./plain-file";

const fileBytesMax = 16 * 1_048_576;

/** Reads an organization's file; refuses it with all of its mistakes before any data is opened. */
export function readOrganizationFile(path: string): Declared {
  const name = basename(path);
  return parseDeclaration({
    name,
    text: textOf(name, readPlainFile(path, path, fileBytesMax)),
    readFile: (file: string, bytesMax: number) => readFileBelow(dirname(path), file, bytesMax),
  });
}

/** Refuses other encodings, because wrong characters would be stored in names. */
function textOf(name: string, bytes: Buffer): string {
  const line = lineNotUtf8(bytes);
  if (line === undefined) return bytes.toString();
  const position = { line, column: 1 };
  const message = "this line is not in UTF-8: save the file in UTF-8.";
  return refuse({ name, positionOf: () => position }, [{ path: [], message, position }]);
}
