import type { Reader } from "../../db/reader";
import { isSubscribed } from "../core/reading-right/audience";
import { loadQueueOwner, type QueueOwner } from "./queue-owners";
import type { RealmLog } from "./realm-log";

/** Cached facts about connected users, including who is subscribed to which channel. */
export class QueueOwnerCache {
  private readonly owners = new Map<number, QueueOwner>();
  private readonly byChannel = new Map<number, Set<number>>();
  /** Reads that are under way, of facts that have not changed since the read began. */
  private readonly loadings = new Map<number, Promise<QueueOwner | undefined>>();
  /** Users who may be connected and whose facts are missing in the cache or out of date. */
  private readonly uncached = new Set<number>();

  constructor(private readonly reader: Reader) {}

  cached(userId: number): QueueOwner | undefined {
    return this.owners.get(userId);
  }

  /** Notes that somebody has a queue on this node. */
  connected(userId: number) {
    if (!this.owners.has(userId)) this.uncached.add(userId);
  }

  /** Notes that somebody's last queue on this node has ended. */
  disconnected(userId: number) {
    this.forget(userId);
    this.uncached.delete(userId);
  }

  /**
   * Connected users who are subscribed to a channel, and connected users whose subscriptions are
   * not cached.
   */
  mayBeSubscribed(channelId: number): number[] {
    return [...(this.byChannel.get(channelId) ?? []), ...this.uncached];
  }

  forget(userId: number) {
    this.loadings.delete(userId);
    const owner = this.owners.get(userId);
    if (!owner) return;
    this.owners.delete(userId);
    this.uncached.add(userId);
    for (const channelId of owner.periods.keys()) {
      const subscribers = this.byChannel.get(channelId);
      subscribers?.delete(userId);
      if (subscribers?.size === 0) this.byChannel.delete(channelId);
    }
  }

  /**
   * The user's rights as of the newest entry of the log in memory. They are read again if an entry
   * has changed them; all of the user's queues share one read. Undefined for a deactivated user.
   */
  async find(log: RealmLog, userId: number): Promise<QueueOwner | undefined> {
    for (;;) {
      const cached = this.owners.get(userId);
      if (cached) return cached;
      const owner = await (this.loadings.get(userId) ?? this.load(log, userId));
      if (!owner) return undefined;
    }
  }

  /** Keeps the user's facts, unless an entry has changed them during the read. */
  private load(log: RealmLog, userId: number): Promise<QueueOwner | undefined> {
    const isCurrent = () => this.loadings.get(userId) === loading;
    const loading: Promise<QueueOwner | undefined> = loadQueueOwner(
      this.reader,
      log.realmId,
      userId,
      log.head,
    )
      .then((owner) => {
        if (!owner || !isCurrent()) return owner;
        owner.flagsChangedAt = log.head;
        this.remember(owner);
        return owner;
      })
      .finally(() => {
        if (isCurrent()) this.loadings.delete(userId);
      });
    this.loadings.set(userId, loading);
    return loading;
  }

  private remember(owner: QueueOwner) {
    const { userId, periods } = owner;
    this.owners.set(userId, owner);
    this.uncached.delete(userId);
    for (const channelId of periods.keys()) {
      if (!isSubscribed(owner, channelId)) continue;
      const subscribers = this.byChannel.get(channelId);
      if (subscribers) subscribers.add(userId);
      else this.byChannel.set(channelId, new Set([userId]));
    }
  }
}
