import { Type } from "@sinclair/typebox";
import { ownRows, type StateLoader } from "../../core/state";
import { listReminders } from "./queries";
import { reminderObject, reminderWire } from "./wire";

/** `reminders`: the user's own. */
export const remindersState = {
  fetchTypes: ["reminders"],
  keys: { reminders: Type.Array(reminderObject) },
  own: ownRows((t) => t.reminders, { reminders: [] }),
  async load({ realm, actor }, reader) {
    return { reminders: (await listReminders(reader, realm.id, actor.user.id)).map(reminderWire) };
  },
} satisfies StateLoader;
