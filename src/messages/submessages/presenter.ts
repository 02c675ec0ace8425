import type { Reader } from "../../../db/reader";
import { messageIdOf, type Presenter } from "../../core/event-hub";
import { plainMembers } from "../../core/json/raw-json";
import { filterReadable, findPlaces } from "../../reading/queries";

/**
 * Writes `submessage` events. One that is read late is left out when its message was deleted or the
 * recipient may no longer read it, because it contains what somebody has written.
 */
export const submessagePresenter = (reader: Reader): Presenter => ({
  live: ({ event }) => plainMembers(event),
  async late(entries, recipient) {
    const texts = new Map<number, string>();
    const [first] = entries;
    if (!first) return { texts };
    const who = { realmId: first.realmId, userId: recipient.userId, role: recipient.role };
    const places = await findPlaces(reader, who.realmId, [...new Set(entries.map(messageIdOf))]);
    const readable = new Set((await filterReadable(reader, who, places)).map(({ id }) => id));
    for (const entry of entries)
      if (readable.has(messageIdOf(entry))) texts.set(entry.id, plainMembers(entry.event));
    return { texts };
  },
});
