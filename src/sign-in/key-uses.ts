import { and, eq, inArray } from "drizzle-orm";
import { inChunks } from "../core/chunks";
import type { App } from "../core/context";
import { perServer } from "../core/per-server";
import { write } from "../core/write";

/** The time between two writes of uses, in seconds. */
const betweenWritesSeconds = 600;
/**
 * Seconds during which a stored use is recent enough: the uses of a busy key are stored this often.
 */
const coarseSeconds = 3_600;

interface Use {
  realmId: number;
  usedAt: number;
  /** Time of the key's last use that this process has stored; 0 if there is none. */
  storedAt: number;
}

/**
 * Uses of API keys, in memory: a request notes one without a write, and all of them are stored
 * together later.
 */
class KeyUses {
  private readonly uses = new Map<number, Use>();
  private writtenAt = 0;

  note(realmId: number, apiKeyId: number, usedAt: number) {
    const use = this.uses.get(apiKeyId);
    if (use) use.usedAt = usedAt;
    else this.uses.set(apiKeyId, { realmId, usedAt, storedAt: 0 });
  }

  usedAt(apiKeyId: number): number {
    return this.uses.get(apiKeyId)?.usedAt ?? 0;
  }

  isDue(now: number): boolean {
    return now - this.writtenAt >= betweenWritesSeconds;
  }

  /** The keys whose last use must be stored, by realm. */
  due(): Map<number, number[]> {
    const due = [...this.uses].filter(
      ([, { usedAt, storedAt }]) => usedAt - storedAt >= coarseSeconds,
    );
    const realms = Map.groupBy(due, ([, { realmId }]) => realmId);
    return new Map([...realms].map(([realmId, keys]) => [realmId, keys.map(([id]) => id)]));
  }

  /** Notes that uses were stored, as of a time. */
  stored(apiKeyIds: readonly number[], now: number) {
    for (const id of apiKeyIds) {
      const use = this.uses.get(id);
      if (use) use.storedAt = now;
    }
  }

  /** Ends a round in which everything due was stored. Forgets keys that were not used for long. */
  end(now: number) {
    this.writtenAt = now;
    for (const [id, { usedAt }] of this.uses)
      if (now - usedAt > coarseSeconds) this.uses.delete(id);
  }
}

const keyUses = perServer(() => new KeyUses());

/**
 * Notes that a request was signed with an API key, only in memory, because this happens with every
 * request.
 */
export const noteKeyUse = (app: App, realmId: number, apiKeyId: number, now: number): void =>
  keyUses.of(app).note(realmId, apiKeyId, now);

/**
 * The time at which a key was last used, in UNIX seconds, as far as it is stored or known to this
 * process; for an unused key, the time of its issue.
 */
export const lastUseOf = (
  app: App,
  key: { id: number; createdAt: number; lastUsedAt: number | null },
): number => Math.max(key.createdAt, key.lastUsedAt ?? 0, keyUses.of(app).usedAt(key.id));

/**
 * Stores when keys were last used, every ten minutes, for each key about once an hour, in one write
 * per organization. If a process is killed, its later uses are lost: then a key counts as unused
 * for some minutes longer. The next round repeats a failed write.
 */
export async function storeKeyUses(app: App): Promise<void> {
  const now = app.clock.now();
  const uses = keyUses.of(app);
  if (!uses.isDue(now)) return;
  const { apiKeys } = app.engine.schema;
  for (const [realmId, ids] of uses.due()) {
    await write({ app, realm: { id: realmId }, now }, async ({ db }) => {
      for (const chunk of inChunks(ids)) {
        const areUsed = and(eq(apiKeys.realmId, realmId), inArray(apiKeys.id, chunk));
        // An update is logged even if it finds no row, and a deleted organization has no log any
        // more.
        const left = await db.select({ id: apiKeys.id }).from(apiKeys).where(areUsed).limit(1);
        if (left.length > 0) await db.update(apiKeys).set({ lastUsedAt: now }).where(areUsed);
      }
    });
    uses.stored(ids, now);
  }
  uses.end(now);
}
