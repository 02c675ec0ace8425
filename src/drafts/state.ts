import { ownRows, type StateLoader } from "../core/state";
import { listDrafts } from "./queries";
import { draftWire } from "./wire";

/** `drafts`: the user's own, those that were changed last first. */
export const draftsState: StateLoader = {
  fetchTypes: ["drafts"],
  own: ownRows((t) => t.drafts, { drafts: [] }),
  async load({ realm, actor }, reader) {
    const rows = await listDrafts(reader, realm.id, actor.user.id);
    return { drafts: rows.reverse().map(draftWire) };
  },
};
