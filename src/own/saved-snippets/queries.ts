import { and, asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { SavedSnippetRow } from "./wire";

const selectOwn = statement(
  (db, { savedSnippets: t }, given: Given<{ realmId: number; userId: number }>) =>
    db
      .select()
      .from(t)
      .where(and(eq(t.realmId, given.realmId), eq(t.userId, given.userId)))
      .orderBy(asc(t.id)),
);

/** Somebody's saved snippets, oldest first. */
export const listSavedSnippets = (
  reader: Reader,
  realmId: number,
  userId: number,
): PromiseLike<SavedSnippetRow[]> => selectOwn(reader, { realmId, userId });
