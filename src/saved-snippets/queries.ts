import { and, asc, eq, sql } from "drizzle-orm";
import { type Reader, statement } from "../../db/reader";
import type { SavedSnippetRow } from "./wire";

const selectOwn = statement((db, { savedSnippets: t }) =>
  db
    .select()
    .from(t)
    .where(and(eq(t.realmId, sql.placeholder("realmId")), eq(t.userId, sql.placeholder("userId"))))
    .orderBy(asc(t.id)),
);

/** Somebody's saved snippets, oldest first. */
export const listSavedSnippets = (reader: Reader, realmId: number, userId: number): PromiseLike<SavedSnippetRow[]> =>
  selectOwn(reader, { realmId, userId });
