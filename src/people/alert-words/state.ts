import { Type } from "@sinclair/typebox";
import { ownRows, type StateLoader } from "../../core/state";
import { listAlertWords } from "./queries";

/** `alert_words`: those of the user. */
export const alertWordState = {
  fetchTypes: ["alert_words"],
  keys: { alert_words: Type.Array(Type.String()) },
  own: ownRows((t) => t.alertWords, { alert_words: [] }),
  load: async ({ realm, actor }, reader) => ({
    alert_words: await listAlertWords(reader, realm.id, actor.user.id),
  }),
} satisfies StateLoader;
