import { ownRows, type StateLoader } from "../core/state";
import { listAlertWords } from "./queries";

/** `alert_words`: those of the user. */
export const alertWordState: StateLoader = {
  fetchTypes: ["alert_words"],
  own: ownRows((t) => t.alertWords, { alert_words: [] }),
  load: async ({ realm, actor }, reader) => ({ alert_words: await listAlertWords(reader, realm.id, actor.user.id) }),
};
