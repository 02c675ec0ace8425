/** Number of lanes whose use of the loop is remembered. */
const lanesMax = 1_000;
/** Milliseconds after which what a lane has used counts half. */
const halfLifeMs = 2_000;
/** Use that each request counts for at its beginning, so that lanes take turns in a crowd. */
const leastUseMs = 1;

/**
 * Milliseconds for which a lane had at least one piece of long work under way, as they count at the
 * time `at`. Waiting for a commit within that work is part of it.
 */
export interface Use {
  ms: number;
  at: number;
  underWayCount: number;
}

/** Recent use of the event loop by lanes; those that have begun something last are remembered. */
export class LaneUses {
  private readonly uses = new Map<string, Use>();

  /** Milliseconds that a lane has used, of which older ones count less. */
  of(lane: string, now: number): number {
    const use = this.uses.get(lane);
    return use ? usedAt(use, now) : 0;
  }

  /** Counts the beginning of a request for its lane. */
  begin(lane: string, now: number): Use {
    const use = settle(this.uses.get(lane) ?? { ms: 0, at: now, underWayCount: 0 }, now);
    use.ms += leastUseMs;
    this.uses.delete(lane);
    this.uses.set(lane, use);
    if (this.uses.size > lanesMax) {
      const [oldest] = this.uses.keys();
      if (oldest !== undefined) this.uses.delete(oldest);
    }
    return use;
  }
}

/** Brings a lane's use to a later time. */
export function settle(use: Use, now: number): Use {
  use.ms = usedAt(use, now);
  use.at = now;
  return use;
}

/** A lane's use at a later time: what was before counts less, and what is under way counts. */
function usedAt({ ms, at, underWayCount }: Use, now: number): number {
  const left = 0.5 ** ((now - at) / halfLifeMs);
  const added = underWayCount > 0 ? ((1 - left) * halfLifeMs) / Math.LN2 : 0;
  return ms * left + added;
}
