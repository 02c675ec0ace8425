import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { draftObject } from "./wire";

/** Somebody has begun drafts. */
export const draftsAdded = event("drafts", "add", { drafts: Type.Array(draftObject) });

/** A draft is another one than before. */
export const draftUpdated = event("drafts", "update", { draft: draftObject });

/** A draft is gone. */
export const draftRemoved = event("drafts", "remove", { draft_id: Type.Integer() });
