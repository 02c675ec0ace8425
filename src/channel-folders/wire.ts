import type { FolderRow } from "./queries";

/** A folder as the protocol shows it (`api/api-surface.json`, ChannelFolder). */
export const folderWire = (folder: FolderRow) => ({
  id: folder.id,
  name: folder.name,
  description: folder.description,
  rendered_description: folder.renderedDescription,
  order: folder.position,
  is_archived: folder.isArchived,
  creator_id: folder.creatorId,
  date_created: folder.createdAt,
});
