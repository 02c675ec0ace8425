import type { LogEntry } from "../core/context";
import { queuesEndedType } from "../core/event-hub";
import type { HeldPoll, QueueState } from "./queues";
import { type RealmLog, tailAfter } from "./realm-log";

/** The queues that this process serves, and the queues whose clients are waiting, by realm. */
export class QueueRegistry {
  private readonly byRealm = new Map<number, Map<string, QueueState>>();
  private readonly held = new Map<number, Set<QueueState>>();
  private readonly byUser = new Map<number, Set<QueueState>>();
  /**
   * Number of times that queues were ended. A queue that was read before the last of them may be
   * out of date.
   */
  endings = 0;

  /** `userLeft`: called when the last queue of a user has ended. */
  constructor(private readonly userLeft: (userId: number) => void) {}

  /** The queues of a realm by id. */
  ofRealm(realmId: number): Map<string, QueueState> {
    return this.byRealm.getOrInsertComputed(realmId, () => new Map());
  }

  /** All queues that this process serves. */
  *all(): Iterable<QueueState> {
    for (const queues of this.byRealm.values()) yield* queues.values();
  }

  /** The queues of a user. */
  ofUser(userId: number): Iterable<QueueState> {
    return this.byUser.get(userId) ?? [];
  }

  /** Serves a queue from now on; does nothing if it is served already. */
  add(queue: QueueState) {
    this.ofRealm(queue.realmId).set(queue.id, queue);
    this.byUser.getOrInsertComputed(queue.userId, () => new Set()).add(queue);
  }

  /**
   * Serves a new queue from now on, unless another node has already ended it by an entry of the
   * log. If the log in memory begins too late to know this, the queue is not served, and its first
   * poll reads its row. Answers whether the queue is served.
   */
  open(queue: QueueState, log: RealmLog | undefined): boolean {
    if (log && log.start > queue.registeredAt) return false;
    const later = log ? tailAfter(log, queue.registeredAt) : [];
    const hasEnded = later.some(
      (entry) => entry.event.type === queuesEndedType && namedIn(entry)(queue),
    );
    if (!hasEnded) this.add(queue);
    return !hasEnded;
  }

  /** The queues of a realm whose clients are waiting. */
  heldOf(realmId: number): Set<QueueState> {
    return this.held.getOrInsertComputed(realmId, () => new Set());
  }

  allHeld(): HeldPoll[] {
    return [...this.held.values()].flatMap((queues) =>
      [...queues].flatMap(({ held }) => held ?? []),
    );
  }

  hold(queue: QueueState, poll: HeldPoll) {
    queue.held = poll;
    this.heldOf(queue.realmId).add(queue);
  }

  /** Ends a poll that waits, unless another poll has replaced it. */
  letGo(queue: QueueState, poll: HeldPoll) {
    if (queue.held !== poll) return;
    queue.held = undefined;
    this.heldOf(queue.realmId).delete(queue);
  }

  /** Ends a queue, and refuses the poll that waits on it. */
  end(queue: QueueState) {
    queue.hasEnded = true;
    this.ofRealm(queue.realmId).delete(queue.id);
    const ofUser = this.byUser.get(queue.userId);
    ofUser?.delete(queue);
    if (ofUser?.size === 0) {
      this.byUser.delete(queue.userId);
      this.userLeft(queue.userId);
    }
    queue.held?.release("woken");
  }

  /**
   * Ends the queues that a log entry names. Queues that were opened after the entry stay, because
   * another node may have opened them before this process reads the entry.
   */
  endNamed(entry: LogEntry) {
    this.endings += 1;
    const isNamed = namedIn(entry);
    for (const queue of this.ofRealm(entry.realmId).values()) {
      if (!isNamed(queue)) continue;
      if (entry.event["isDeactivated"] === true) queue.hasRealmEnded = true;
      this.end(queue);
    }
  }

  endByIds(realmId: number, ids: Iterable<string>) {
    for (const id of ids) {
      const queue = this.ofRealm(realmId).get(id);
      if (queue) this.end(queue);
    }
  }
}

type Ending = Pick<QueueState, "id" | "userId" | "apiKeyId" | "registeredAt">;

/**
 * Makes the check whether an entry ends a queue. An entry never ends a queue that was opened after
 * it.
 */
function namedIn({
  id,
  event: { userIds, apiKeyId, queueIds, isRealm },
}: LogEntry): (queue: Ending) => boolean {
  const users = new Set<unknown>(Array.isArray(userIds) ? userIds : []);
  const ids = new Set<unknown>(Array.isArray(queueIds) ? queueIds : []);
  return (queue) => {
    if (queue.registeredAt >= id) return false;
    const isOfKey = apiKeyId !== undefined && queue.apiKeyId === apiKeyId;
    return isRealm === true || users.has(queue.userId) || ids.has(queue.id) || isOfKey;
  };
}
