import { asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";

export type FolderRow = Schema["channelFolders"]["$inferSelect"];

const selectAll = statement((db, { channelFolders }, given: Given<{ realmId: number }>) =>
  db
    .select()
    .from(channelFolders)
    .where(eq(channelFolders.realmId, given.realmId))
    .orderBy(asc(channelFolders.position), asc(channelFolders.id)),
);

/** The folders of a realm, including archived ones, in their order. */
export async function listFolders(reader: Reader, realmId: number): Promise<FolderRow[]> {
  return selectAll(reader, { realmId });
}
