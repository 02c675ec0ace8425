import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

const draft = Type.Object({
  id: Type.Integer(),
  type: Type.String(),
  to: Type.Array(Type.Integer()),
  topic: Type.String(),
  content: Type.String(),
  timestamp: Type.Integer(),
});

/** Somebody has begun drafts. */
export const draftsAdded = event("drafts", "add", { drafts: Type.Array(draft) });

/** A draft is another one than before. */
export const draftUpdated = event("drafts", "update", { draft });

/** A draft is gone. */
export const draftRemoved = event("drafts", "remove", { draft_id: Type.Integer() });
