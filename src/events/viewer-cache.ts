import type { Reader } from "../../db/reader";
import { isSubscribed } from "../core/reading-right/audience";
import type { RealmLog } from "./realm-log";
import { loadViewer, type Viewer } from "./viewers";

/** Cached facts about connected users, including who is subscribed to which channel. */
export class ViewerCache {
  private readonly viewers = new Map<number, Viewer>();
  private readonly byChannel = new Map<number, Set<number>>();
  /** Reads that are under way, of facts that have not changed since the read began. */
  private readonly loadings = new Map<number, Promise<Viewer | undefined>>();
  /** Users who may be connected and whose facts are missing in the cache or out of date. */
  private readonly strangers = new Set<number>();

  constructor(private readonly reader: Reader) {}

  cached(userId: number): Viewer | undefined {
    return this.viewers.get(userId);
  }

  /** Notes that somebody has a queue on this node. */
  connected(userId: number) {
    if (!this.viewers.has(userId)) this.strangers.add(userId);
  }

  /** Notes that somebody's last queue on this node has ended. */
  disconnected(userId: number) {
    this.forget(userId);
    this.strangers.delete(userId);
  }

  /**
   * Connected users who are subscribed to a channel, and connected users whose subscriptions are
   * not cached.
   */
  mayBeSubscribed(channelId: number): number[] {
    return [...(this.byChannel.get(channelId) ?? []), ...this.strangers];
  }

  forget(userId: number) {
    this.loadings.delete(userId);
    const viewer = this.viewers.get(userId);
    if (!viewer) return;
    this.viewers.delete(userId);
    this.strangers.add(userId);
    for (const channelId of viewer.periods.keys()) {
      const subscribers = this.byChannel.get(channelId);
      subscribers?.delete(userId);
      if (subscribers?.size === 0) this.byChannel.delete(channelId);
    }
  }

  /**
   * The user's rights as of the newest entry of the log in memory. They are read again if an entry
   * has changed them; all of the user's queues share one read. Undefined for a deactivated user.
   */
  async find(log: RealmLog, userId: number): Promise<Viewer | undefined> {
    for (;;) {
      const cached = this.viewers.get(userId);
      if (cached) return cached;
      const viewer = await (this.loadings.get(userId) ?? this.load(log, userId));
      if (!viewer) return undefined;
    }
  }

  /** Keeps the user's facts, unless an entry has changed them during the read. */
  private load(log: RealmLog, userId: number): Promise<Viewer | undefined> {
    const isCurrent = () => this.loadings.get(userId) === loading;
    const loading: Promise<Viewer | undefined> = loadViewer(
      this.reader,
      log.realmId,
      userId,
      log.head,
    )
      .then((viewer) => {
        if (!viewer || !isCurrent()) return viewer;
        viewer.flagsChangedAt = log.head;
        this.remember(viewer);
        return viewer;
      })
      .finally(() => {
        if (isCurrent()) this.loadings.delete(userId);
      });
    this.loadings.set(userId, loading);
    return loading;
  }

  private remember(viewer: Viewer) {
    const { userId, periods } = viewer;
    this.viewers.set(userId, viewer);
    this.strangers.delete(userId);
    for (const channelId of periods.keys()) {
      if (!isSubscribed(viewer, channelId)) continue;
      const subscribers = this.byChannel.get(channelId);
      if (subscribers) subscribers.add(userId);
      else this.byChannel.set(channelId, new Set([userId]));
    }
  }
}
