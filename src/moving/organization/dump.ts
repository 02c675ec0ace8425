import type { App, RealmRow } from "../../core/context";
import { declarables } from "./declarables";
import { isDeclarableBot } from "./declarables/bots";
import { declarationKeys } from "./declaration";
import { type DumpedPart, type DumpedPicture, type Dumping, declarableAccounts } from "./dumping";
import { isMapping } from "./file/decode";
import { writeYaml } from "./file/yaml";
import { readStored, type Stored } from "./stored";

/** An organization as the text of a file, with the pictures in the folder beside it. */
interface Dump {
  text: string;
  pictures: DumpedPicture[];
}

const head = [
  "An organization as chatd admin realm dump has written it, for chatd admin apply.",
  "Settings and permissions that are as in a new organization are left out.",
  "No file can hold: passwords and API keys; messages, topics and uploaded files; the data of each",
  "person (avatar, profile, own settings, drafts); invitations; deactivated accounts and groups;",
  "archived channels and folders; bots whose owner is deactivated.",
];

/**
 * Writes an organization as a file that `applyOrganization` reads; `pictureFolder` is the path of
 * its pictures, relative to the file. Without a folder the file names no pictures.
 */
export async function dumpOrganization(
  app: App,
  realm: RealmRow,
  pictureFolder: string | undefined,
): Promise<Dump> {
  const stored = await app.engine.snapshot((reader) =>
    readStored(app, reader, realm.id, app.clock.now()),
  );
  const pictures: DumpedPicture[] = [];
  const whole = dumpStored(stored, stored.realm ?? realm, ({ name, key }) => {
    const file = `${pictureFolder ?? "."}/${name}`;
    pictures.push({ file, key });
    return file;
  });
  if (pictureFolder !== undefined) return { text: writeYaml(head, whole), pictures };
  const noPictures =
    "Its pictures (icon, logos, emoji) are left out: name a file to have them too.";
  return { text: writeYaml([...head, noPictures], withoutPictures(whole)), pictures: [] };
}

/** An organization by the keys of its file, in their order. */
export function dumpStored(
  stored: Stored,
  realm: RealmRow,
  namePicture: Dumping["namePicture"],
): DumpedPart {
  const accounts = declarableAccounts(stored, realm, isDeclarableBot);
  const dumping = { realm, stored, accounts, namePicture };
  const parts = declarables.map(({ dump }) => dump?.(dumping) ?? {});
  const realmParts = parts.map((part) => (isMapping(part.realm) ? part.realm : {}));
  const whole = Object.assign({}, ...parts, { realm: Object.assign({}, ...realmParts) });
  return Object.fromEntries(declarationKeys.map((key) => [key, whole[key]]));
}

function withoutPictures({ emoji: _, realm, ...whole }: DumpedPart): DumpedPart {
  const { icon: _icon, logo: _logo, night_logo: _night, ...rest } = isMapping(realm) ? realm : {};
  return { realm: rest, ...whole };
}
