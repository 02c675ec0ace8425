import type { Schema } from "../../db/schema";

export type SavedSnippetRow = Schema["savedSnippets"]["$inferSelect"];

/** A saved snippet as the protocol shows it. */
export interface WireSavedSnippet {
  id: number;
  title: string;
  content: string;
  /** UNIX seconds. */
  date_created: number;
}

export const savedSnippetWire = ({ id, title, content, createdAt }: SavedSnippetRow): WireSavedSnippet => ({
  ...{ id, title, content },
  date_created: createdAt,
});
