import { Type } from "@sinclair/typebox";
import { ownRows, type StateLoader } from "../../core/state";
import { listDrafts } from "./queries";
import { draftObject, draftWire } from "./wire";

/** `drafts`: the user's own, in the order of their last change. */
export const draftsState = {
  fetchTypes: ["drafts"],
  keys: { drafts: Type.Array(draftObject) },
  own: ownRows((t) => t.drafts, { drafts: [] }),
  async load({ realm, actor }, reader) {
    const rows = await listDrafts(reader, realm.id, actor.user.id);
    return { drafts: rows.reverse().map(draftWire) };
  },
} satisfies StateLoader;
