import { type Static, Type } from "@sinclair/typebox";
import type { Schema } from "../../../db/schema";

export type DraftRow = Schema["drafts"]["$inferSelect"];

/** A draft as the protocol shows it. */
export const draftObject = Type.Object(
  {
    id: Type.Integer(),
    type: Type.String({
      enum: ["", "stream", "private"],
      description: "`stream`, `private`, or empty without recipients.",
    }),
    to: Type.Array(Type.Integer(), {
      description: "The id of the channel, or the ids of the people.",
    }),
    topic: Type.String(),
    content: Type.String(),
    timestamp: Type.Integer({ description: "When it was changed last, in UNIX seconds." }),
  },
  { title: "Draft" },
);

export type WireDraft = Static<typeof draftObject>;

export function draftWire({ id, type, to, topic, content, editedAt }: DraftRow): WireDraft {
  return { id, type, to: JSON.parse(to), topic, content, timestamp: editedAt };
}
