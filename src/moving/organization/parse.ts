import { type Declared, readDeclaration } from "./declaration";
import { type ReadFile, refuse } from "./file/problems";
import { parseYaml } from "./file/yaml";

/** The text of an organization's file; `name` is what messages call it. */
export interface OrganizationFile {
  name: string;
  text: string;
  readFile?: ReadFile;
}

/**
 * Reads an organization's file. Refuses it (BAD_REQUEST) with all that can be told to be wrong
 * without knowing what is stored, each with its line and column: syntax errors, keys that are
 * unknown or stand twice, wrong types, bad values, one name for two things, groups that contain
 * each other.
 */
export function parseDeclaration({ name, text, readFile }: OrganizationFile): Declared {
  const { value, problems, isReadable, positionOf } = parseYaml(text);
  if (!isReadable) throw refuse({ name, positionOf }, problems);
  return readDeclaration({ name, value, positionOf, readFile }, problems);
}
