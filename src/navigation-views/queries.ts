import { and, asc, eq, sql } from "drizzle-orm";
import { type Reader, statement } from "../../db/reader";

/** A view that somebody keeps at hand. */
export interface NavigationView {
  fragment: string;
  isPinned: boolean;
  name: string | null;
}

const selectOwn = statement((db, { navigationViews: t }) =>
  db
    .select({ fragment: t.fragment, isPinned: t.isPinned, name: t.name })
    .from(t)
    .where(and(eq(t.realmId, sql.placeholder("realmId")), eq(t.userId, sql.placeholder("userId"))))
    .orderBy(asc(t.fragment)),
);

/** The views that somebody keeps at hand, by their fragments. */
export async function listNavigationViews(reader: Reader, realmId: number, userId: number): Promise<NavigationView[]> {
  return selectOwn(reader, { realmId, userId });
}
