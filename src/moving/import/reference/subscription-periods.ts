import { type Given, givenNumber } from "../json";
import { personOf, type Source, tableOf } from "./source";

/**
 * Types of entries in the reference server's audit log: somebody was subscribed to a channel, or
 * subscribed again.
 */
const subscribed = [301, 302];
const unsubscribed = 303;

/** The time of somebody's subscription to a channel, as ids of messages. */
interface Period {
  /** First message that they may read; undefined where they received none. */
  first: number | undefined;
  /** The newest message at the time when they left; null for the period after the last leave. */
  last: number | null;
}

/** Ids of the newest messages at the time of certain acts, ascending, by person and channel. */
type PlacesOfActs = ReadonlyMap<string, readonly number[]>;

function placesOf(source: Source, isWanted: (act: Given) => boolean): PlacesOfActs {
  const places = new Map<string, number[]>();
  for (const act of tableOf(source, "zerver_realmauditlog")) {
    const channelId = givenNumber(act["modified_stream"]);
    if (!source.channels.get(channelId)?.isProtected || !isWanted(act)) continue;
    const key = `${personOf(source, act["modified_user"])} ${channelId}`;
    const ofPair = places.get(key) ?? [];
    places.set(key, ofPair);
    ofPair.push(givenNumber(act["event_last_message_id"]));
  }
  for (const ids of places.values()) ids.sort((a, b) => a - b);
  return places;
}

/**
 * Subscription periods of people in private channels with protected history, because people may
 * not read messages from between two of their periods. A period begins with its first received
 * message, not earlier, because a person may have received a moved message in another channel.
 */
export class SubscriptionPeriods {
  private readonly leaves: PlacesOfActs;
  private readonly joins: PlacesOfActs;
  /** The first received message of each period, by person and channel. */
  private readonly firsts = new Map<string, Map<number, number>>();

  constructor(source: Source) {
    this.leaves = placesOf(source, (act) => act["event_type"] === unsubscribed);
    // An act that was added to the audit log later names the newest message of that later time.
    this.joins = placesOf(
      source,
      (act) => subscribed.includes(givenNumber(act["event_type"])) && act["backfilled"] !== true,
    );
  }

  /** Notes a received message, by its place in the channel. */
  note(userId: number, channelId: number, place: number): void {
    const key = `${userId} ${channelId}`;
    const firsts = this.firsts.get(key) ?? new Map<number, number>();
    this.firsts.set(key, firsts);
    const period = (this.leaves.get(key) ?? []).filter((last) => last < place).length;
    firsts.set(period, Math.min(firsts.get(period) ?? place, place));
  }

  /** The periods of somebody in a channel, oldest first. */
  of(userId: number, channelId: number): Period[] {
    const key = `${userId} ${channelId}`;
    const leaves = this.leaves.get(key) ?? [];
    const joins = this.joins.get(key) ?? [];
    return [...leaves, null].map((last, at) => {
      const first = this.firsts.get(key)?.get(at);
      const joinedAt = joins.find(
        (id) => id >= (leaves[at - 1] ?? 0) && (last === null || id <= last),
      );
      return {
        first: first === undefined ? undefined : Math.max(first, (joinedAt ?? 0) + 1),
        last,
      };
    });
  }
}
