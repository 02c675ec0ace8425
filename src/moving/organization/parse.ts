import { type Declared, readDeclaration } from "./declaration";
import { type ReadFile, refuse } from "./file/problems";
import { parseYaml } from "./file/yaml";

/** The text of an organization's file; `name` is its name in messages. */
interface OrganizationFile {
  name: string;
  text: string;
  readFile?: ReadFile;
}

/**
 * Parses an organization's file. Refuses it (BAD_REQUEST) with all mistakes that can be found
 * without stored data, each with its line and column: syntax errors, unknown or repeated keys,
 * wrong types, invalid values, repeated names, groups that contain each other.
 */
export function parseDeclaration({ name, text, readFile }: OrganizationFile): Declared {
  const { value, problems, isReadable, positionOf } = parseYaml(text);
  if (!isReadable) throw refuse({ name, positionOf }, problems);
  return readDeclaration({ name, value, positionOf, readFile }, problems);
}
