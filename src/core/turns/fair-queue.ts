import type { Context } from "../context";

/**
 * The lane in which the work of a request waits: every account has its own, and all people of an
 * organization who are not signed in share one. Lanes for each of their addresses would give
 * somebody with many addresses more than any member has.
 */
export const laneOf = ({ realm, actor }: Pick<Context, "realm" | "actor">): string => {
  if (actor.kind === "spectator") return `${realm.id} anonymous`;
  return `${realm.id} ${"user" in actor ? actor.user.id : actor.kind}`;
};

/** Somebody's work that waits. Its promise settles with the work. */
interface Waiting {
  work: () => Promise<unknown>;
  refuse: (error: unknown) => void;
}

/**
 * A queue of work that does one piece at a time. People take turns, so that somebody with much work
 * does not make the others wait. At most `waitingMax` pieces wait. Somebody may add a piece only
 * while more places are free than they hold, so that there is always one for everybody else.
 * Further work is refused with `refusal`.
 */
export class FairQueue<Key> {
  private readonly lanes = new Map<Key, Waiting[]>();
  private waitingCount = 0;
  private isBusy = false;

  constructor(
    private readonly waitingMax: number,
    private readonly refusal: () => Error,
  ) {}

  /**
   * Does a piece of somebody's work when it is their turn. Throws `refusal` when no place is free.
   */
  take<Made>(key: Key, work: () => Promise<Made>): Promise<Made> {
    const ownCount = this.lanes.get(key)?.length ?? 0;
    if (
      ownCount > 0
        ? ownCount >= this.waitingMax - this.waitingCount
        : this.waitingCount >= this.waitingMax
    )
      throw this.refusal();
    const { promise, resolve, reject } = Promise.withResolvers<Made>();
    const waiting: Waiting = { work: async () => resolve(await work()), refuse: reject };
    this.lanes.set(key, [...(this.lanes.get(key) ?? []), waiting]);
    this.waitingCount += 1;
    if (!this.isBusy) void this.workOff();
    return promise;
  }

  /** Number of pieces that wait for their turn. */
  get length(): number {
    return this.waitingCount;
  }

  private async workOff() {
    this.isBusy = true;
    for (let next = this.next(); next; next = this.next()) await next.work().catch(next.refuse);
    this.isBusy = false;
  }

  /**
   * The first piece of the person who has waited longest for a turn. If they have more pieces, they
   * join the end of the queue.
   */
  private next(): Waiting | undefined {
    for (const [key, [first, ...rest]] of this.lanes) {
      this.lanes.delete(key);
      if (rest.length > 0) this.lanes.set(key, rest);
      if (first === undefined) continue;
      this.waitingCount -= 1;
      return first;
    }
    return undefined;
  }
}
