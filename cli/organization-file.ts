import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { badRequest } from "../src/core/errors";
import type { Declared } from "../src/organization/apply";
import { parseDeclaration } from "../src/organization/declaration";

/** Reads an organization's file; refuses it with all that is wrong in it, before any data is opened. */
export function readOrganizationFile(path: string): Declared {
  const source = { name: basename(path), text: readText(path) };
  return { source, declaration: parseDeclaration(source) };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw badRequest(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
