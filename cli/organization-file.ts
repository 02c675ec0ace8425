import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { badRequest } from "../src/core/errors";
import type { Declared } from "../src/organization/apply";
import { parseDeclaration } from "../src/organization/declaration";

/** Reads an organization's file; refuses it with all that is wrong in it, before any data is opened. */
export function readOrganizationFile(path: string): Declared {
  const source = {
    name: basename(path),
    text: readText(path),
    readFile: (file: string) => readBytes(file, resolve(dirname(path), file)),
  };
  return { source, declaration: parseDeclaration(source) };
}

const readText = (path: string): string => readBytes(path, path).toString();

/** `name` is what the person has called the file. */
function readBytes(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw badRequest(`${name} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
