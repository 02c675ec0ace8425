import type { NewPlayground } from "../../management/playgrounds/service";
import { declarables } from "./declarables";
import type { DeclaredBot } from "./declarables/bots";
import type { DeclaredChannel } from "./declarables/channels";
import type { DeclaredDefaultGroup } from "./declarables/default-groups";
import type { DeclaredDomain } from "./declarables/domains";
import type { DeclaredEmoji } from "./declarables/emoji";
import type { DeclaredFolder } from "./declarables/folders";
import type { DeclaredGroup } from "./declarables/groups";
import type { DeclaredLinkifier } from "./declarables/linkifiers";
import type { DeclaredProfileField } from "./declarables/profile-fields";
import { type DeclaredRealm, noRealm } from "./declarables/realm";
import type { DeclaredUser } from "./declarables/users";
import { openMapping } from "./file/decode";
import { type Problem, refuse, type Source } from "./file/problems";

/**
 * An organization as its file declares it, by the keys of the file. An undefined part was left out
 * of the file, and the organization keeps it unchanged.
 */
export interface Declaration {
  realm: DeclaredRealm;
  users: DeclaredUser[];
  bots: DeclaredBot[];
  groups: DeclaredGroup[];
  channels: DeclaredChannel[];
  default_groups: DeclaredDefaultGroup[];
  domains: DeclaredDomain[];
  linkifiers: DeclaredLinkifier[];
  playgrounds: NewPlayground[];
  profile_fields: DeclaredProfileField[];
  folders: DeclaredFolder[];
  emoji: DeclaredEmoji[];
}

/** A parsed organization's file. */
export interface Declared {
  source: Source;
  declaration: Declaration;
}

/** Every key of the file, in the order in which messages list the keys. */
const nothingDeclared: Declaration = {
  realm: noRealm,
  users: [],
  bots: [],
  groups: [],
  channels: [],
  default_groups: [],
  domains: [],
  linkifiers: [],
  playgrounds: [],
  profile_fields: [],
  folders: [],
  emoji: [],
};

/** The keys of the file, in the order of `nothingDeclared`. */
export const declarationKeys = Object.keys(nothingDeclared);

/**
 * Reads the content of an organization's file. Refuses it (BAD_REQUEST) with all mistakes that can
 * be found without stored data, each with its place; `problems` are those of the parser.
 */
export function readDeclaration(source: Source, problems: Problem[] = []): Declared {
  const root = openMapping(problems, [], source.value, "an organization", declarationKeys);
  let declaration = nothingDeclared;
  for (const { read } of declarables)
    if (read) declaration = { ...declaration, ...read(root, source) };
  for (const { check } of declarables) check?.(declaration, problems);
  if (problems.length > 0) throw refuse(source, problems);
  return { source, declaration };
}
