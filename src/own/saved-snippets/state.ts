import { Type } from "@sinclair/typebox";
import { ownRows, type StateLoader } from "../../core/state";
import { listSavedSnippets } from "./queries";
import { savedSnippetObject, savedSnippetWire } from "./wire";

/** `saved_snippets`: the user's own. */
export const savedSnippetsState = {
  fetchTypes: ["saved_snippets"],
  keys: { saved_snippets: Type.Array(savedSnippetObject) },
  own: ownRows((t) => t.savedSnippets, { saved_snippets: [] }),
  async load({ realm, actor }, reader) {
    return {
      saved_snippets: (await listSavedSnippets(reader, realm.id, actor.user.id)).map(
        savedSnippetWire,
      ),
    };
  },
} satisfies StateLoader;
