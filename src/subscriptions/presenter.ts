import type { Reader } from "../../db/reader";
import { findChannelsByIds, mayKnowChannel } from "../channels/queries";
import { isSubscribed } from "../core/audience";
import type { LogEntry, LoggedEvent } from "../core/context";
import type { Presenter, Recipient } from "../core/event-hub";
import { subscribersByChannel } from "./queries";
import { subscriberListWire } from "./wire";

/** Texts that are the same for all who get the event, kept as long as the log keeps it in memory. */
const sharedTexts = new WeakMap<LoggedEvent, string>();

const membersOf = (event: object) => JSON.stringify(event).slice(1, -1);

function sharedText(event: LoggedEvent): string {
  const known = sharedTexts.get(event);
  if (known !== undefined) return known;
  const text = membersOf(event);
  sharedTexts.set(event, text);
  return text;
}

interface Subscribed {
  stream_id: number;
}

const namesChannel = (value: unknown): value is Subscribed =>
  typeof value === "object" && value !== null && "stream_id" in value && typeof value.stream_id === "number";

/** The subscriptions that an add event tells of; none for every other event. */
function addedBy({ op, subscriptions }: LoggedEvent): Subscribed[] {
  return op === "add" && Array.isArray(subscriptions) ? subscriptions.filter(namesChannel) : [];
}

/**
 * Writes `subscription` events. The log does not hold who is in a channel: a thousand new subscribers of a channel of
 * thousands would fill it. A client that asked for the lists gets them as of now; the `peer_add` and `peer_remove`
 * events that follow name some of them again, which changes nothing, so that it ends with the true list. Of a channel
 * that the recipient may not know any more it gets an empty one.
 */
export function makeSubscriptionPresenters(reader: Reader): ReadonlyMap<string, Presenter> {
  const presenter: Presenter = {
    async late(entries, recipient) {
      const include = recipient.options.includeSubscribers;
      const lists = include === "false" ? new Map<number, number[]>() : await listsFor(reader, entries, recipient);
      return new Map(
        entries.map(({ id, event }) => {
          const added = include === "false" ? [] : addedBy(event);
          if (added.length === 0) return [id, sharedText(event)];
          const subscriptions = added.map((one) => ({
            ...one,
            ...subscriberListWire(include, lists.get(one.stream_id) ?? []),
          }));
          return [id, membersOf({ ...event, subscriptions })];
        }),
      );
    },
  };
  return new Map([["subscription", presenter]]);
}

async function listsFor(reader: Reader, entries: LogEntry[], recipient: Recipient): Promise<Map<number, number[]>> {
  const realmId = entries[0]?.realmId ?? 0;
  const ids = new Set(entries.flatMap(({ event }) => addedBy(event)).map((one) => one.stream_id));
  const channels = await findChannelsByIds(reader, realmId, [...ids]);
  const known = channels.filter((channel) =>
    mayKnowChannel(recipient.role, channel, isSubscribed(recipient, channel.id)),
  );
  return subscribersByChannel(
    reader,
    realmId,
    known.map(({ id }) => id),
  );
}
