import { Type } from "@sinclair/typebox";
import { ownRows, type StateLoader } from "../../core/state";
import { listScheduledMessages } from "./queries";
import { scheduledMessageObject, scheduledMessageWire } from "./wire";

/** `scheduled_messages`: the user's own. */
export const scheduledMessagesState = {
  fetchTypes: ["scheduled_messages"],
  keys: { scheduled_messages: Type.Array(scheduledMessageObject) },
  own: ownRows((t) => t.scheduledMessages, { scheduled_messages: [] }),
  async load({ realm, actor }, reader) {
    const rows = await listScheduledMessages(reader, realm.id, actor.user.id);
    return { scheduled_messages: rows.map(scheduledMessageWire) };
  },
} satisfies StateLoader;
