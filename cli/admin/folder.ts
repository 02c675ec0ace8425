import {
  createFolder as createVerb,
  getFolders,
  reorderFolders,
  updateFolder as updateVerb,
} from "../../src/channels/channel-folders/service";
import type { Context } from "../../src/core/context";
import { loadFolderId } from "../../src/moving/organization/lookup";
import { listed, printAdded } from "../addition";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printResult, UsageError } from "../output";

const listAll = async (ctx: Context) =>
  (await getFolders(ctx, { includeArchived: true })).channel_folders;

/** A folder after a command, in the form of the protocol. */
const shown = async (ctx: Context, folderId: number) =>
  listed(await listAll(ctx), folderId, "folder");

type Shown = Awaited<ReturnType<typeof shown>>;

/** `chatd admin folder list [--archived]` */
export async function listFolders(options: RealmOptions & { archived?: boolean }) {
  const all = await withOperator(options, listAll);
  const folders = all.filter(({ is_archived }) => options.archived || !is_archived);
  const rows = folders.map(({ id, name, is_archived, description }) => [
    String(id),
    name,
    is_archived ? "archived" : "active",
    description,
  ]);
  printResult(options, { folders }, formatTable(["ID", "NAME", "STATE", "DESCRIPTION"], rows));
}

/** `chatd admin folder create NAME [--description TEXT] [--if-missing]` */
export async function createFolder(name: string, options: RealmOptions & { description: string }) {
  await printAdded<Shown>(options, "folder", (ctx) => ({
    find: async () =>
      (await listAll(ctx)).find((one) => !one.is_archived && isSameName(one.name, name)),
    async add() {
      const { description } = options;
      const { channel_folder_id } = await createVerb(ctx, { name, description });
      return shown(ctx, channel_folder_id);
    },
    added: (folder) => `Created the channel folder ${folder.name} (ID ${folder.id}).`,
    describe: (folder) => `There is a channel folder ${folder.name} already (ID ${folder.id}).`,
  }));
}

const isSameName = (one: string, other: string) => one.toLowerCase() === other.trim().toLowerCase();

/** `chatd admin folder update FOLDER [--name NAME] [--description TEXT]` */
export async function updateFolder(
  folder: string,
  options: RealmOptions & { name?: string; description?: string },
) {
  const { name, description } = options;
  if (name === undefined && description === undefined) {
    throw new UsageError("Nothing to change: give --name or --description.");
  }
  const updated = await change(folder, options, { name, description });
  printResult(options, { folder: updated }, [`Changed the channel folder ${updated.name}.`]);
}

/** `chatd admin folder archive FOLDER` and `unarchive FOLDER` */
export async function archiveFolder(folder: string, isArchived: boolean, options: RealmOptions) {
  const archived = await change(folder, options, { isArchived });
  const what = isArchived ? "Archived" : "Unarchived";
  printResult(options, { folder: archived }, [`${what} the channel folder ${archived.name}.`]);
}

const change = (
  folder: string,
  options: RealmOptions,
  values: { name?: string | undefined; description?: string | undefined; isArchived?: boolean },
) =>
  withOperator(options, async (ctx) => {
    const channelFolderId = await loadFolderId(ctx, folder);
    await updateVerb(ctx, { channelFolderId, ...values });
    return shown(ctx, channelFolderId);
  });

/**
 * `chatd admin folder reorder FOLDER…`: these come first; the others follow in their present order.
 */
export async function reorder(names: string[], options: RealmOptions) {
  const folders = await withOperator(options, async (ctx) => {
    const first = await Promise.all(names.map((name) => loadFolderId(ctx, name)));
    const others = (await listAll(ctx)).map(({ id }) => id).filter((id) => !first.includes(id));
    await reorderFolders(ctx, { order: [...first, ...others] });
    return listAll(ctx);
  });
  printResult(options, { folders }, [
    `Their order is now: ${folders.map(({ name }) => name).join(", ")}.`,
  ]);
}
