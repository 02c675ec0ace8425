import { prepareRealm } from "../../../management/organization/create";
import { realmPictureKeys } from "../../../realm/assets";
import type { Change } from "../change";
import type { Declarable } from "../declarable";
import { type Node, openMapping, requireText } from "../file/decode";
import type { Source } from "../file/problems";
import { type DeclaredRealmPictures, readRealmPictures } from "./realm-pictures";
import { type DeclaredSettings, noSettings, readSettings, readUserDefaults } from "./settings";

export interface DeclaredRealm extends DeclaredSettings {
  name: string;
  host: string;
  /** Initial settings of new users, by the protocol's names. */
  userDefaults: Record<string, unknown>;
  pictures: DeclaredRealmPictures;
}

/** The values for a file that does not declare the organization itself. */
export const noRealm: DeclaredRealm = {
  name: "",
  host: "",
  ...noSettings,
  userDefaults: {},
  pictures: {},
};

/** The organization itself, identified by its host. */
export const realm: Declarable = {
  read: (root, source) => ({ realm: readRealm(root, source) }),
  load: async (from) => ({ realm: from.realm }),
  dump: ({ realm: { name, host } }) => ({ realm: { name, host } }),
  plan({ declaration, stored, changes }) {
    if (!stored.realm) changes.push(addRealm(declaration.realm));
  },
};

function readRealm(root: Node, source: Source): DeclaredRealm {
  const { problems, fields } = root;
  if (fields.realm === undefined) {
    problems.push({ path: [], message: "'realm' is missing: {name: …, host: …}." });
    return noRealm;
  }
  const keys = ["name", "host", "settings", "user_defaults", ...realmPictureKeys];
  const node = openMapping(problems, ["realm"], fields.realm, "realm", keys);
  const name = requireText(
    node,
    "name",
    (text) => prepareRealm({ name: text, host: "localhost" }).name,
  );
  const host = requireText(node, "host", (text) => prepareRealm({ name: "any", host: text }).host);
  const pictures = readRealmPictures(node, source);
  return { name, host, ...readSettings(node), userDefaults: readUserDefaults(node), pictures };
}

/** Adds an organization. It is made before the write that makes everything else. */
const addRealm = ({ name, host }: DeclaredRealm): Change => ({
  lines: [`+ organization ${name} (${host})`],
  path: ["realm"],
  carryOut: async () => undefined,
});
