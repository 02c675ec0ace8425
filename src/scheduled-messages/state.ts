import { ownRows, type StateLoader } from "../core/state";
import { listScheduledMessages } from "./queries";
import { scheduledMessageWire } from "./wire";

/** `scheduled_messages`: the user's own. */
export const scheduledMessagesState: StateLoader = {
  fetchTypes: ["scheduled_messages"],
  own: ownRows((t) => t.scheduledMessages, { scheduled_messages: [] }),
  async load({ realm, actor }, reader) {
    const rows = await listScheduledMessages(reader, realm.id, actor.user.id);
    return { scheduled_messages: rows.map(scheduledMessageWire) };
  },
};
