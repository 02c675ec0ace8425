import { and, eq } from "drizzle-orm";
import { accountOf } from "../../core/account";
import { changedFacts } from "../../core/audit";
import type { Context, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { flag, type Input, id, ids, optional, record, text } from "../../core/params";
import { requireAdministrator } from "../../core/rights/permission";
import { looksLike } from "../../core/text/look-alikes";
import { cleanName, isLonger } from "../../core/text/name";
import { onlyRow, write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { lengthsMax } from "../../protocol/limits";
import { describedBy, type RenderedDescriptions } from "../../realm/descriptions";
import { folderAdded, folderChanged, foldersReordered } from "./events";
import { type FolderRow, listFolders } from "./queries";
import { folderWire } from "./wire";

const { channelFolderName: nameLengthMax, channelFolderDescription: descriptionLengthMax } =
  lengthsMax;
const foldersMax = 1_000;

export const ListFolders = record({ includeArchived: optional(flag()) });

/** The folders of the organization in their order; archived ones on request. */
export async function getFolders(
  { reader, realm }: Context,
  { includeArchived = false }: Input<typeof ListFolders>,
) {
  const folders = await listFolders(reader, realm.id);
  return {
    channel_folders: folders
      .filter(({ isArchived }) => includeArchived || !isArchived)
      .map(folderWire),
  };
}

export const CreateFolder = record({ name: text(), description: text() });

/**
 * Adds a channel folder at the end, for administrators; answers its id. Announces `channel_folder`
 * add to the realm. Refuses a name that is blank, too long or another folder's, and a description
 * that is too long (BAD_REQUEST). Source: `docs/protocol/specification.md`, POST
 * /channel_folders/create.
 */
export async function createFolder(
  ctx: Context,
  input: Input<typeof CreateFolder>,
): Promise<{ channel_folder_id: number }> {
  const folder = prepareFolder(input);
  return write(ctx, (tx) => createFolderIn(tx, ctx, folder));
}

/**
 * The stored form of a folder; refuses a name that is blank or too long, and a description that is
 * too long (BAD_REQUEST).
 */
export const prepareFolder = (
  { name, description }: { name: string; description: string },
  rendered?: RenderedDescriptions,
) => ({
  name: cleanFolderName(name),
  ...describedBy(cleanDescription(description), rendered),
});

/** A folder of an organization's file; refuses as `prepareFolder` does. */
export const cleanFolder = ({ name, description }: { name: string; description: string }) => ({
  name: cleanFolderName(name),
  description: cleanDescription(description),
});

/** Adds a folder, as part of a write. */
export async function createFolderIn(
  tx: Tx,
  ctx: Context,
  prepared: ReturnType<typeof prepareFolder>,
): Promise<{ channel_folder_id: number }> {
  const { realm, actor } = await renewContext(tx, ctx);
  requireAdministrator(actor);
  const folders = await listFolders(tx, realm.id);
  if (folders.length >= foldersMax)
    throw badRequest(`An organization has at most ${foldersMax} channel folders.`);
  requireFreeName(folders, prepared.name, { isNew: true });
  const position = Math.max(-1, ...folders.map((folder) => folder.position)) + 1;
  const creatorId = accountOf(actor)?.id ?? null;
  const rows = await tx.db
    .insert(tx.t.channelFolders)
    .values({ realmId: realm.id, ...prepared, position, creatorId, createdAt: tx.now })
    .returning();
  const folder = onlyRow(rows);
  await tx.emit({ to: "realm" }, folderAdded({ channel_folder: folderWire(folder) }));
  const after = { name: folder.name, description: folder.description };
  tx.audit(ctx, { action: "folder.create", kind: "folder", ids: [folder.id], after });
  return { channel_folder_id: folder.id };
}

export const UpdateFolder = record({
  channelFolderId: id(),
  name: optional(text()),
  description: optional(text()),
  isArchived: optional(flag()),
});

/**
 * Renames, describes or archives a channel folder, for administrators. Announces `channel_folder`
 * update to the realm where something changes. Refuses a missing folder, values that `createFolder`
 * refuses, and archiving a folder with channels (BAD_REQUEST).
 */
export async function updateFolder(
  ctx: Context,
  input: Input<typeof UpdateFolder>,
): Promise<undefined> {
  const asked = prepareFolderChange(input);
  await write(ctx, (tx) => updateFolderIn(tx, ctx, input.channelFolderId, asked));
}

/** Changed columns of a folder; refuses as `prepareFolder` does. */
export const prepareFolderChange = (
  input: Omit<Input<typeof UpdateFolder>, "channelFolderId">,
  rendered?: RenderedDescriptions,
) => ({
  ...(input.name === undefined ? {} : { name: cleanFolderName(input.name) }),
  ...(input.description === undefined
    ? {}
    : describedBy(cleanDescription(input.description), rendered)),
  ...(input.isArchived === undefined ? {} : { isArchived: input.isArchived }),
});

/** Changes a folder, as part of a write. */
export async function updateFolderIn(
  tx: Tx,
  ctx: Context,
  folderId: number,
  asked: ReturnType<typeof prepareFolderChange>,
): Promise<void> {
  const { realm, actor } = await renewContext(tx, ctx);
  requireAdministrator(actor);
  const folders = await listFolders(tx, realm.id);
  const before = findFolder(folders, folderId);
  const after: FolderRow = { ...before, ...asked };
  if (!after.isArchived)
    requireFreeName(folders, after.name, {
      exceptId: before.id,
      isNew: after.name !== before.name,
    });
  if (after.isArchived && !before.isArchived) await requireEmpty(tx, before);
  const data = {
    ...(after.name === before.name ? {} : { name: after.name }),
    ...(after.description === before.description
      ? {}
      : { description: after.description, rendered_description: after.renderedDescription }),
    ...(after.isArchived === before.isArchived ? {} : { is_archived: after.isArchived }),
  };
  if (Object.keys(data).length === 0) return;
  await tx.db
    .update(tx.t.channelFolders)
    .set(asked)
    .where(isFolder(tx, realm.id, before.id));
  await tx.emit({ to: "realm" }, folderChanged({ channel_folder_id: before.id, data }));
  tx.audit(ctx, {
    action: "folder.update",
    kind: "folder",
    ids: [before.id],
    ...changedFacts(folderFacts(before), folderFacts(after)),
  });
}

const folderFacts = ({ name, description, isArchived }: FolderRow) => ({
  name,
  description,
  is_archived: isArchived,
});

export const ReorderFolders = record({ order: ids() });

/**
 * Changes the order of the channel folders, for administrators, by the ids of all of them,
 * including archived ones. Announces `channel_folder` reorder to the realm. Refuses a list that
 * does not contain each folder once (BAD_REQUEST).
 */
export async function reorderFolders(
  ctx: Context,
  { order }: Input<typeof ReorderFolders>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const { realm, actor } = await renewContext(tx, ctx);
    requireAdministrator(actor);
    const folders = await listFolders(tx, realm.id);
    const isWhole =
      order.length === folders.length && folders.every((folder) => order.includes(folder.id));
    if (!isWhole) throw badRequest("'order' names each channel folder once, archived ones too.");
    for (const [position, folderId] of order.entries()) {
      await tx.db
        .update(tx.t.channelFolders)
        .set({ position })
        .where(isFolder(tx, realm.id, folderId));
    }
    await tx.emit({ to: "realm" }, foldersReordered({ order }));
    const before = { order: folders.map((folder) => folder.id) };
    tx.audit(ctx, { action: "folder.reorder", kind: "folder", before, after: { order } });
  });
}

/** Refuses a folder that cannot take a channel, because it is missing or archived (BAD_REQUEST). */
export async function requireOpenFolder(
  tx: Tx,
  realmId: number,
  folderId: number | null | undefined,
): Promise<void> {
  if (folderId === null || folderId === undefined) return;
  const folder = findFolder(await listFolders(tx, realmId), folderId);
  if (folder.isArchived) throw badRequest(`The channel folder ${folder.name} is archived.`);
}

const isFolder = ({ t: { channelFolders } }: Tx, realmId: number, folderId: number) =>
  and(eq(channelFolders.realmId, realmId), eq(channelFolders.id, folderId));

function findFolder(folders: FolderRow[], folderId: number): FolderRow {
  const folder = folders.find((one) => one.id === folderId);
  if (!folder) throw badRequest(`There is no channel folder with ID ${folderId}.`);
  return folder;
}

async function requireEmpty(tx: Tx, { realmId, id: folderId }: FolderRow) {
  const { channels } = tx.t;
  const isIn = and(
    eq(channels.realmId, realmId),
    eq(channels.folderId, folderId),
    eq(channels.isArchived, false),
  );
  const rows = await tx.db.select({ id: channels.id }).from(channels).where(isIn).limit(1);
  if (rows.length > 0)
    throw badRequest("Take all channels out of the folder before you archive it.");
}

const cleanFolderName = (name: string) => cleanName("The folder's name", name, nameLengthMax);

function cleanDescription(given: string): string {
  const description = given.trim().toWellFormed().replaceAll("\0", "");
  if (isLonger(description, descriptionLengthMax)) {
    throw badRequest(`The folder's description has at most ${descriptionLengthMax} characters.`);
  }
  return description;
}

/** `isNew`: the name was given now. A stored one may look like another, by older rules. */
function requireFreeName(
  folders: FolderRow[],
  name: string,
  { exceptId, isNew }: { exceptId?: number; isNew: boolean },
) {
  const others = folders
    .filter((one) => one.id !== exceptId && !one.isArchived)
    .map((one) => one.name);
  const isTaken = others.some((other) => other.toLowerCase() === name.toLowerCase());
  if (isTaken) throw badRequest(`There is already a channel folder ${name}.`);
  if (isNew && others.some(looksLike(name))) {
    throw badRequest(
      `'${name}' looks like the name of another channel folder. Choose another one.`,
    );
  }
}
