import { type Static, Type } from "@sinclair/typebox";
import type { Schema } from "../../../db/schema";

export type SavedSnippetRow = Schema["savedSnippets"]["$inferSelect"];

/** A saved snippet as the protocol shows it. */
export const savedSnippetObject = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    content: Type.String(),
    date_created: Type.Integer({ description: "UNIX seconds." }),
  },
  { title: "SavedSnippet" },
);

export type WireSavedSnippet = Static<typeof savedSnippetObject>;

export const savedSnippetWire = ({
  id,
  title,
  content,
  createdAt,
}: SavedSnippetRow): WireSavedSnippet => ({
  id,
  title,
  content,
  date_created: createdAt,
});
