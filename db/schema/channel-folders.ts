import type { Columns } from "./columns";
import { html, markdown, personOrNull, uniqueName } from "./traits";

/** Folders of an organization's channels. */
export function channelFolderTables({
  table,
  identity,
  identityKey,
  integer,
  text,
  boolean,
  index,
}: Columns) {
  const channelFolders = table(
    "channel_folders",
    {
      of: "realm",
      exported: true,
      holds: {
        creatorId: personOrNull,
        name: uniqueName("Folder"),
        description: markdown,
        renderedDescription: html("description", "description"),
      },
      onPersonDeleted: { keep: "channels are in the folder" },
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      name: text("name").notNull(),
      description: text("description").notNull(),
      renderedDescription: text("rendered_description").notNull(),
      isArchived: boolean("is_archived").notNull().default(false),
      position: integer("position").notNull(),
      creatorId: integer("creator_id"),
      createdAt: integer("created_at").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      index("channel_folders_order").on(t.realmId, t.position),
    ],
  );
  return { channelFolders };
}
