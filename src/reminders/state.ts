import { ownRows, type StateLoader } from "../core/state";
import { listReminders } from "./queries";
import { reminderWire } from "./wire";

/** `reminders`: the user's own. */
export const remindersState: StateLoader = {
  fetchTypes: ["reminders"],
  own: ownRows((t) => t.reminders, { reminders: [] }),
  async load({ realm, actor }, reader) {
    return { reminders: (await listReminders(reader, realm.id, actor.user.id)).map(reminderWire) };
  },
};
