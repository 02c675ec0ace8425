import { listFolders } from "../../../channels/channel-folders/queries";
import {
  cleanFolder,
  createFolderIn,
  prepareFolder,
  prepareFolderChange,
  updateFolderIn,
} from "../../../channels/channel-folders/service";
import type { Change } from "../change";
import type { Declarable } from "../declarable";
import type { Dumping } from "../dumping";
import {
  type Item,
  openMapping,
  readItems,
  readText,
  refuseRepeatedTexts,
  requireText,
} from "../file/decode";
import type { Path, Problem } from "../file/problems";
import type { Planning } from "../planning";

export interface DeclaredFolder {
  name: string;
  description: string | undefined;
}

/** Folders of channels, identified by their names ignoring case. */
export const folders: Declarable = {
  read: (root) => ({
    folders: readItems(root, "folders").map((item) => readFolder(root.problems, item)),
  }),
  check(declaration, problems) {
    const names = declaration.folders.map(({ name }) => name);
    refuseRepeatedTexts(problems, { part: "folders", key: "name" }, names);
  },
  load: async ({ reader, realm }) => ({ folders: await listFolders(reader, realm.id) }),
  plan: planFolders,
  dump: (dumping) => ({ folders: dumpFolders(dumping) }),
  prune: { part: "folders", changes: pruneFolders },
};

function readFolder(problems: Problem[], { path, value }: Item): DeclaredFolder {
  const node = openMapping(problems, path, value, "a folder", ["name", "description"]);
  return {
    name: requireText(node, "name", (name) => cleanFolder({ name, description: "" }).name),
    description: readText(
      node,
      "description",
      (text) => cleanFolder({ name: "any", description: text }).description,
    ),
  };
}

function planFolders({ declaration, stored, changes }: Planning) {
  for (const [index, folder] of declaration.folders.entries()) {
    const path = ["folders", index];
    const { name, description } = folder;
    const storedFolder = stored.folders.find((one) => !one.isArchived && isNamed(one.name, name));
    if (!storedFolder) changes.push(addFolder(path, folder));
    else if (description !== undefined && description !== storedFolder.description)
      changes.push(describeFolder(path, storedFolder, description));
  }
}

const isNamed = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

const addFolder = (path: Path, { name, description = "" }: DeclaredFolder): Change => ({
  lines: [`+ folder ${name}`],
  path,
  description,
  async carryOut({ tx, ctx, folders: ids, descriptions }) {
    const prepared = prepareFolder({ name, description }, descriptions);
    const { channel_folder_id } = await createFolderIn(tx, ctx, prepared);
    ids.set(name.toLowerCase(), channel_folder_id);
  },
});

const describeFolder = (
  path: Path,
  { id, name }: { id: number; name: string },
  description: string,
): Change => ({
  lines: [`~ folder ${name}: description ${JSON.stringify(description)}`],
  path,
  description,
  carryOut: ({ tx, ctx, descriptions }) =>
    updateFolderIn(tx, ctx, id, prepareFolderChange({ description }, descriptions)),
});

/** Whether a folder with that name exists after the plan; adds a problem if it does not. */
export function requireFolder(
  { declaration, stored, problems }: Planning,
  name: string,
  path: Path,
): boolean {
  const isThere =
    declaration.folders.some((folder) => isNamed(folder.name, name)) ||
    stored.folders.some((folder) => !folder.isArchived && isNamed(folder.name, name));
  if (isThere) return true;
  problems.push({ path, message: `there is no folder '${name}', here or in the organization.` });
  return false;
}

/** The name of a channel's folder; null for none. */
export const folderNameOf = (
  { stored }: Pick<Planning, "stored">,
  folderId: number | null,
): string | null => stored.folders.find(({ id }) => id === folderId)?.name ?? null;

/** Whether two names are names of one folder. Null means no folder. */
export const isSameFolder = (one: string | null, other: string | null) =>
  one === other || (one !== null && other !== null && isNamed(one, other));

const dumpFolders = ({ stored }: Dumping) =>
  stored.folders
    .filter(({ isArchived }) => !isArchived)
    .map(({ name, description }) => ({ name, description }));

/**
 * Archives undeclared folders. A folder must be empty by then: other changes before have archived
 * its channels or moved them to other folders.
 */
function pruneFolders({ declaration, stored }: Planning): Change[] {
  return stored.folders
    .filter(
      ({ isArchived, name }) =>
        !isArchived && !declaration.folders.some((folder) => isNamed(folder.name, name)),
    )
    .map(({ id, name }) => ({
      lines: [`- folder ${name}: not declared, archived`],
      path: ["folders"],
      prunes: "folders",
      carryOut: ({ tx, ctx }) =>
        updateFolderIn(tx, ctx, id, prepareFolderChange({ isArchived: true })),
    }));
}
