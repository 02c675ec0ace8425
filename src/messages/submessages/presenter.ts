import type { Reader } from "../../../db/reader";
import type { LogEntry } from "../../core/context";
import type { Presenter } from "../../core/event-hub";
import { filterReadable, findPlaces } from "../../reading/queries";

/**
 * Writes `submessage` events. One that is read late is left out when its message was deleted or the
 * recipient may no longer read it, because it contains what somebody has written.
 */
export const submessagePresenter = (reader: Reader): Presenter => ({
  live: membersOf,
  async late(entries, recipient) {
    const texts = new Map<number, string>();
    const [first] = entries;
    if (!first) return { texts };
    const who = { realmId: first.realmId, userId: recipient.userId, role: recipient.role };
    const places = await findPlaces(reader, who.realmId, [...new Set(entries.map(messageIdOf))]);
    const readable = new Set((await filterReadable(reader, who, places)).map(({ id }) => id));
    for (const entry of entries)
      if (readable.has(messageIdOf(entry))) texts.set(entry.id, membersOf(entry));
    return { texts };
  },
});

const membersOf = ({ event }: LogEntry): string => JSON.stringify(event).slice(1, -1);

const messageIdOf = ({ event: { message_id: id } }: LogEntry): number =>
  typeof id === "number" ? id : 0;
