import type { Reader } from "../../db/reader";
import type { LoggedEvent } from "../core/context";
import type { Presenter, Recipient } from "../core/event-hub";
import { plainMembers } from "../core/json/raw-json";
import { isSubscribed } from "../core/reading-right/audience";
import { mayKnowChannel } from "../core/reading-right/predicate";
import { isFormFor, withoutForm } from "./archived-events";
import { findChannelsByIds } from "./queries";
import { subscribersByChannel } from "./subscribers";
import { subscriberListWire } from "./subscription-wire";

/** Texts that all recipients of an event share, kept as long as the log keeps it in memory. */
const sharedTexts = new WeakMap<LoggedEvent, string>();

const membersOf = (event: LoggedEvent) => plainMembers(withoutForm(event));

function sharedText(event: LoggedEvent): string {
  const cached = sharedTexts.get(event);
  if (cached !== undefined) return cached;
  const text = membersOf(event);
  sharedTexts.set(event, text);
  return text;
}

interface Subscribed {
  stream_id: number;
}

const namesChannel = (value: unknown): value is Subscribed =>
  typeof value === "object" &&
  value !== null &&
  "stream_id" in value &&
  typeof value.stream_id === "number";

/** The subscriptions in an add event; none for every other event. */
function addedBy({ op, subscriptions }: LoggedEvent): Subscribed[] {
  return op === "add" && Array.isArray(subscriptions) ? subscriptions.filter(namesChannel) : [];
}

type Include = "true" | "partial";

/** An event with subscriptions, with the other subscribers of the channels added. */
function withLists(
  event: LoggedEvent,
  include: Include,
  lists: ReadonlyMap<number, number[]>,
): string {
  const subscriptions = addedBy(event).map((one) => ({
    ...one,
    ...subscriberListWire(include, lists.get(one.stream_id) ?? []),
  }));
  return membersOf({ ...event, subscriptions });
}

/**
 * Writes `subscription` events. The log does not store subscribers, because a thousand new
 * subscribers of a channel of thousands would fill it. Each client that did not decline the lists
 * at register gets them as of when they were first read. The later `peer_add` and `peer_remove`
 * events name some of these subscribers again, which changes nothing, so that the client ends with
 * the correct list. For a channel that the recipient may no longer know the list is empty. A client
 * that does not choose gets the lists too, as recorded of the reference server. Source:
 * `docs/protocol/specification.md`, Subscription object.
 */
export function makeSubscriptionPresenters(reader: Reader): ReadonlyMap<string, Presenter> {
  const writeShared = makeSharedWriter(reader);
  const presenter: Presenter = {
    accepts: isFormFor,
    async late(entries, recipient, { sizeBytesMax }) {
      const asked = recipient.options.includeSubscribers;
      const include = asked === "unsaid" ? "true" : asked;
      const texts = new Map<number, string>();
      let sizeBytes = 0;
      for (const { id, realmId, event, audience } of entries) {
        if (sizeBytes > sizeBytesMax) return { texts, leftFrom: id };
        const added = addedBy(event);
        const isForMany = audience.to === "users" && audience.ids.length > 1;
        const isIn = isForMany && added.every((one) => isSubscribed(recipient, one.stream_id));
        const isPlain = added.length === 0 || include === "false";
        const text = isPlain
          ? sharedText(event)
          : isIn
            ? await writeShared(realmId, event, include)
            : withLists(event, include, await listsFor(reader, realmId, event, recipient));
        texts.set(id, text);
        sizeBytes += Buffer.byteLength(text);
      }
      return { texts };
    },
  };
  return new Map([["subscription", presenter]]);
}

/**
 * Reads the lists once for all subscribers. They are kept as long as the event, which is not worth
 * it for one recipient.
 */
function makeSharedWriter(reader: Reader) {
  const written = new WeakMap<LoggedEvent, Map<Include, Promise<string>>>();
  return (realmId: number, event: LoggedEvent, include: Include): Promise<string> => {
    const texts = written.get(event) ?? new Map<Include, Promise<string>>();
    written.set(event, texts);
    const cached = texts.get(include);
    if (cached) return cached;
    const channelIds = addedBy(event).map((one) => one.stream_id);
    const text = subscribersByChannel(reader, realmId, channelIds).then((lists) =>
      withLists(event, include, lists),
    );
    texts.set(include, text);
    text.catch(() => texts.delete(include));
    return text;
  };
}

/** Subscribers of those of an event's channels that the recipient may know. */
async function listsFor(
  reader: Reader,
  realmId: number,
  event: LoggedEvent,
  recipient: Recipient,
): Promise<Map<number, number[]>> {
  const ids = addedBy(event).map((one) => one.stream_id);
  const knownChannels = (await findChannelsByIds(reader, realmId, ids)).filter((channel) =>
    mayKnowChannel(recipient.role, channel, isSubscribed(recipient, channel.id)),
  );
  const knownIds = knownChannels.map(({ id }) => id);
  return subscribersByChannel(reader, realmId, knownIds);
}
