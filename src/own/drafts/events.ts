import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { draftObject } from "./wire";

/** Somebody has created drafts. To their own clients. */
export const draftsAdded = event("drafts", "add", { drafts: Type.Array(draftObject) });

/** A draft has changed. To its owner's clients. */
export const draftUpdated = event("drafts", "update", { draft: draftObject });

/** A draft was deleted. To its owner's clients. */
export const draftRemoved = event("drafts", "remove", { draft_id: Type.Integer() });
