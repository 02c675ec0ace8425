import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../../core/params";
import type { FolderRow } from "./queries";

/** A folder as the protocol shows it (`test/recorded/api/api-surface.json`, ChannelFolder). */
export const folderObject = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    rendered_description: Type.String(),
    order: Type.Integer({ description: "Position among the folders, in ascending order." }),
    is_archived: Type.Boolean(),
    creator_id: nullable(Type.Integer()),
    date_created: Type.Integer(),
  },
  { title: "ChannelFolder" },
);

export const folderWire = (folder: FolderRow): Static<typeof folderObject> => ({
  id: folder.id,
  name: folder.name,
  description: folder.description,
  rendered_description: folder.renderedDescription,
  order: folder.position,
  is_archived: folder.isArchived,
  creator_id: folder.creatorId,
  date_created: folder.createdAt,
});
