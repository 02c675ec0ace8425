import { asc, eq, sql } from "drizzle-orm";
import { type Reader, statement } from "../../db/reader";
import type { Schema } from "../../db/schema";

export type FolderRow = Schema["channelFolders"]["$inferSelect"];

const selectAll = statement((db, { channelFolders }) =>
  db
    .select()
    .from(channelFolders)
    .where(eq(channelFolders.realmId, sql.placeholder("realmId")))
    .orderBy(asc(channelFolders.position), asc(channelFolders.id)),
);

/** The folders of a realm, archived ones included, in their order. */
export async function listFolders(reader: Reader, realmId: number): Promise<FolderRow[]> {
  return selectAll(reader, { realmId });
}
