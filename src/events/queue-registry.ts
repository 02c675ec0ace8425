import type { LogEntry } from "../core/context";
import type { HeldPoll, QueueState } from "./queues";

/** The queues that this process serves, and which of them have a client waiting, by realm. */
export class QueueRegistry {
  private readonly byRealm = new Map<number, Map<string, QueueState>>();
  private readonly held = new Map<number, Set<QueueState>>();
  private readonly byUser = new Map<number, Set<QueueState>>();
  /** How often queues were ended: what was read of a queue before that may be out of date. */
  endings = 0;

  /** `userLeft`: told when the last queue of a user has ended. */
  constructor(private readonly userLeft: (userId: number) => void) {}

  /** The queues of a realm by id. */
  ofRealm(realmId: number): Map<string, QueueState> {
    return entryOf(this.byRealm, realmId, () => new Map());
  }

  /** The queues of a user. */
  ofUser(userId: number): Iterable<QueueState> {
    return this.byUser.get(userId) ?? [];
  }

  /** Serves a queue from now on; does nothing if it is served already. */
  add(queue: QueueState) {
    this.ofRealm(queue.realmId).set(queue.id, queue);
    entryOf(this.byUser, queue.userId, () => new Set()).add(queue);
  }

  /** The queues of a realm on which a client waits. */
  heldOf(realmId: number): Set<QueueState> {
    return entryOf(this.held, realmId, () => new Set());
  }

  allHeld(): HeldPoll[] {
    return [...this.held.values()].flatMap((queues) => [...queues].flatMap(({ held }) => held ?? []));
  }

  hold(queue: QueueState, poll: HeldPoll) {
    queue.held = poll;
    this.heldOf(queue.realmId).add(queue);
  }

  /** Ends the waiting of a poll; another one may have taken its place. */
  letGo(queue: QueueState, poll: HeldPoll) {
    if (queue.held !== poll) return;
    queue.held = undefined;
    this.heldOf(queue.realmId).delete(queue);
  }

  /** Ends a queue; a poll that waits on it is refused. */
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

  /** Ends the queues that an entry names, but those opened after it: another node may have served them first. */
  endNamed({ id, realmId, event: { userIds, apiKeyId, queueIds, isRealm } }: LogEntry) {
    this.endings += 1;
    const users = new Set<unknown>(Array.isArray(userIds) ? userIds : []);
    const ids = new Set<unknown>(Array.isArray(queueIds) ? queueIds : []);
    for (const queue of this.ofRealm(realmId).values()) {
      if (queue.registeredAt >= id) continue;
      const isOfKey = apiKeyId !== undefined && queue.apiKeyId === apiKeyId;
      if (isRealm === true) queue.hasRealmEnded = true;
      if (isRealm === true || users.has(queue.userId) || ids.has(queue.id) || isOfKey) this.end(queue);
    }
  }

  endByIds(realmId: number, ids: Iterable<string>) {
    for (const id of ids) {
      const queue = this.ofRealm(realmId).get(id);
      if (queue) this.end(queue);
    }
  }
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
