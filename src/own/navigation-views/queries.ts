import { and, asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";

/** A view in somebody's navigation. */
export interface NavigationView {
  fragment: string;
  isPinned: boolean;
  name: string | null;
}

const selectOwn = statement(
  (db, { navigationViews: t }, given: Given<{ realmId: number; userId: number }>) =>
    db
      .select({ fragment: t.fragment, isPinned: t.isPinned, name: t.name })
      .from(t)
      .where(and(eq(t.realmId, given.realmId), eq(t.userId, given.userId)))
      .orderBy(asc(t.fragment)),
);

/** The views in somebody's navigation, by their fragments. */
export async function listNavigationViews(
  reader: Reader,
  realmId: number,
  userId: number,
): Promise<NavigationView[]> {
  return selectOwn(reader, { realmId, userId });
}
