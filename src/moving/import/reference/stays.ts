import { givenNumber } from "../json";
import { personOf, type Source, tableOf } from "./source";

/** Kind of an act of the audit log there: somebody left a channel. */
const unsubscribed = 303;

/** A stay of somebody in a channel, by the messages that they received. */
interface Stay {
  /** First received message; undefined where there was none. */
  first: number | undefined;
  /** The newest message when they left; null for the stay after the last leave. */
  last: number | null;
}

/**
 * Stays of people in private channels with protected history, because nobody may read there what was
 * said between two of theirs. A stay counts from its first received message on.
 */
export class Stays {
  /** The newest messages when somebody left a channel, ascending, by person and channel. */
  private readonly leaves = new Map<string, number[]>();
  /** The first received message of each stay, by person and channel. */
  private readonly firsts = new Map<string, Map<number, number>>();

  constructor(source: Source) {
    for (const act of tableOf(source, "zerver_realmauditlog")) {
      const [userId, channelId, last] = [
        personOf(source, act["modified_user"]),
        givenNumber(act["modified_stream"]),
        givenNumber(act["event_last_message_id"]),
      ];
      const isProtected = source.channels.get(channelId)?.isProtected === true;
      if (act["event_type"] !== unsubscribed || !isProtected || last < 1) continue;
      const key = `${userId} ${channelId}`;
      this.leaves.set(key, [...(this.leaves.get(key) ?? []), last]);
    }
    for (const ids of this.leaves.values()) ids.sort((a, b) => a - b);
  }

  /** Notes a received message; messages come in ascending order. */
  note(userId: number, channelId: number, messageId: number): void {
    const key = `${userId} ${channelId}`;
    const firsts = this.firsts.get(key) ?? new Map<number, number>();
    this.firsts.set(key, firsts);
    const stay = (this.leaves.get(key) ?? []).filter((last) => last < messageId).length;
    if (!firsts.has(stay)) firsts.set(stay, messageId);
  }

  /** The stays of somebody in a channel, oldest first. */
  of(userId: number, channelId: number): Stay[] {
    const key = `${userId} ${channelId}`;
    const firsts = this.firsts.get(key);
    return [...(this.leaves.get(key) ?? []), null].map((last, at) => ({
      first: firsts?.get(at),
      last,
    }));
  }
}
