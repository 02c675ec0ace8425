import { ownRows, type StateLoader } from "../core/state";
import { listSavedSnippets } from "./queries";
import { savedSnippetWire } from "./wire";

/** `saved_snippets`: the user's own. */
export const savedSnippetsState: StateLoader = {
  fetchTypes: ["saved_snippets"],
  own: ownRows((t) => t.savedSnippets, { saved_snippets: [] }),
  async load({ realm, actor }, reader) {
    return { saved_snippets: (await listSavedSnippets(reader, realm.id, actor.user.id)).map(savedSnippetWire) };
  },
};
