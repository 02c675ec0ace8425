import { and, asc, eq } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import type { ExportRow } from "./wire";

/** All requested exports, oldest first. */
export async function listExports(
  { db, t: { realmExports } }: Reader,
  realmId: number,
): Promise<ExportRow[]> {
  return db
    .select()
    .from(realmExports)
    .where(eq(realmExports.realmId, realmId))
    .orderBy(asc(realmExports.id));
}

export async function findExport(
  { db, t: { realmExports } }: Reader,
  realmId: number,
  id: number,
): Promise<ExportRow | undefined> {
  const isIt = and(eq(realmExports.realmId, realmId), eq(realmExports.id, id));
  const [row] = await db.select().from(realmExports).where(isIt);
  return row;
}
