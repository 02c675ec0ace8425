import type { Reader } from "../../db/reader";
import { isSubscribed } from "../core/reading-right/audience";
import type { RealmLog } from "./realm-log";
import { loadViewer, type Viewer } from "./viewers";

/** The connected users as far as they are kept in memory, and who of them is subscribed to what. */
export class ViewerCache {
  private readonly viewers = new Map<number, Viewer>();
  private readonly byChannel = new Map<number, Set<number>>();
  private readonly loadings = new Set<{ userId: number; isOutdated: boolean }>();
  /** Users who may be connected and are not known, or no longer. */
  private readonly strangers = new Set<number>();

  constructor(private readonly reader: Reader) {}

  cached(userId: number): Viewer | undefined {
    return this.viewers.get(userId);
  }

  /** Somebody has a queue here now. */
  connected(userId: number) {
    if (!this.viewers.has(userId)) this.strangers.add(userId);
  }

  /** Somebody has no queue here any more. */
  disconnected(userId: number) {
    this.forget(userId);
    this.strangers.delete(userId);
  }

  /** Connected users who are subscribed to a channel, and users of whom that is not known. */
  mayBeSubscribed(channelId: number): number[] {
    return [...(this.byChannel.get(channelId) ?? []), ...this.strangers];
  }

  forget(userId: number) {
    for (const loading of this.loadings) if (loading.userId === userId) loading.isOutdated = true;
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
   * The user's rights as of the log's head here: read again where an entry changed them meanwhile.
   * Undefined if deactivated.
   */
  async find(log: RealmLog, userId: number): Promise<Viewer | undefined> {
    for (;;) {
      const cached = this.viewers.get(userId);
      if (cached) return cached;
      const loading = { userId, isOutdated: false };
      this.loadings.add(loading);
      const viewer = await loadViewer(this.reader, log.realmId, userId, log.head);
      this.loadings.delete(loading);
      if (!viewer) return undefined;
      if (loading.isOutdated) continue;
      viewer.flagsChangedAt = log.head;
      this.remember(viewer);
      return viewer;
    }
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
