import { sql } from "drizzle-orm";
import { inChunks } from "../../core/chunks";
import type { Context, Person, Tx, UserRow } from "../../core/context";
import { perServer } from "../../core/per-server";
import { write } from "../../core/write";
import { findUsersByIds, isActivePerson } from "../users/queries";
import { tellPresence } from "./announce";
import { countPeople, findPresences, isShared, newestUpdateId, type PresenceRow } from "./queries";
import { isAhead, offlineSeconds, type SeenAt } from "./wire";

/** Report of a client about its user's presence. */
interface Ping {
  userId: number;
  isActive: boolean;
  at: number;
}

/**
 * Age after which stored presence is updated, because each client reports every minute, and people
 * have several.
 */
const writeSecondsMin = 55;
/** Number of people for whom the time of the last update is cached. */
const knownMax = 100_000;
/**
 * In larger organizations an arrival is not announced at once: clients learn of it when they ask,
 * each minute.
 */
const toldPeopleMax = 1_000;

const isDue = (seen: SeenAt | undefined, { isActive, at }: Ping) =>
  seen === undefined ||
  isAhead(seen, at) ||
  at - seen.connectedAt > writeSecondsMin ||
  (isActive && (seen.activeAt === null || at - seen.activeAt > writeSecondsMin));

interface Batch {
  pings: Map<number, Ping>;
  done: Promise<void>;
}

/**
 * Batches the reports of clients: while one batch of a realm is being written, the next collects.
 */
class Recorder {
  private readonly seenAtByUser = new Map<number, SeenAt>();
  private readonly filling = new Map<number, Batch>();
  private readonly writing = new Map<number, Promise<void>>();

  /** Resolves when the report is stored; one that adds almost nothing is not stored. */
  async record(ctx: Context<Person>, ping: Ping): Promise<void> {
    if (!isDue(this.seenAtByUser.get(ping.userId), ping)) return;
    const batch = this.filling.get(ctx.realm.id) ?? this.begin(ctx);
    const other = batch.pings.get(ping.userId);
    batch.pings.set(ping.userId, { ...ping, isActive: ping.isActive || other?.isActive === true });
    await batch.done;
  }

  private begin(ctx: Context<Person>): Batch {
    const realmId = ctx.realm.id;
    const pings = new Map<number, Ping>();
    const before = this.writing.get(realmId) ?? Promise.resolve();
    const done = before
      .catch(() => undefined)
      .then(async () => {
        this.filling.delete(realmId);
        await this.store(ctx, [...pings.values()]);
      });
    const batch = { pings, done };
    this.filling.set(realmId, batch);
    this.writing.set(realmId, done);
    const forget = () => {
      if (this.writing.get(realmId) === done) this.writing.delete(realmId);
    };
    done.then(forget, forget);
    return batch;
  }

  private async store(ctx: Context<Person>, pings: Ping[]) {
    const stored = await write(ctx, (tx) => storeIn(tx, ctx, pings));
    if (this.seenAtByUser.size > knownMax) this.seenAtByUser.clear();
    for (const { userId, activeAt, connectedAt } of stored)
      this.seenAtByUser.set(userId, { activeAt, connectedAt });
  }
}

const recorder = perServer(() => new Recorder());

/**
 * Stores that the actor is present, and whether they use the client: at most once in 55 seconds,
 * together with reports of other people's clients. Announces `presence`, which is not stored, to
 * people who see them, where they were absent before.
 */
export async function recordPresence(ctx: Context<Person>, isActive: boolean): Promise<void> {
  await recorder.of(ctx.app).record(ctx, { userId: ctx.actor.user.id, isActive, at: ctx.now });
}

type Stored = Pick<PresenceRow, "userId" | "activeAt" | "connectedAt">;

/** Stores the reports that add something, and announces arrivals. Answers the stored presence. */
async function storeIn(tx: Tx, ctx: Context<Person>, pings: Ping[]): Promise<Stored[]> {
  const { realm } = ctx;
  const ids = pings.map(({ userId }) => userId);
  const people = new Map((await findUsersByIds(tx, realm.id, ids)).map((user) => [user.id, user]));
  const before = new Map((await findPresences(tx, realm.id, ids)).map((row) => [row.userId, row]));
  const present = pings.filter(({ userId }) => isPresent(people.get(userId)));
  const due = present.filter((ping) => isDue(before.get(ping.userId), ping));
  const rows = due.map((ping) => after(before.get(ping.userId), ping));
  await storeRows(tx, realm.id, rows);
  const arrivals = rows.filter((row) => isArrival(before.get(row.userId), row));
  const areTold = arrivals.length > 0 && (await countPeople(tx, realm.id)) <= toldPeopleMax;
  for (const row of areTold ? arrivals : []) {
    const person = people.get(row.userId);
    if (person) await tellPresence(tx, ctx, person, row);
  }
  return [...present.flatMap(({ userId }) => before.get(userId) ?? []), ...rows];
}

/** Excludes people who were deactivated or became invisible since they reported. */
const isPresent = (user: UserRow | undefined) =>
  user !== undefined && isActivePerson(user) && isShared(user);

function after(before: SeenAt | undefined, { userId, isActive, at }: Ping): Stored {
  const activeAt = before?.activeAt ?? null;
  if (before && isAhead(before, at))
    return {
      userId,
      activeAt: isActive ? at : activeAt && Math.min(activeAt, at),
      connectedAt: at,
    };
  return {
    userId,
    activeAt: isActive ? Math.max(at, activeAt ?? 0) : activeAt,
    connectedAt: Math.max(at, before?.connectedAt ?? 0),
  };
}

/** Whether somebody was absent or idle before and is present or active now. */
function isArrival(before: SeenAt | undefined, { activeAt, connectedAt }: SeenAt): boolean {
  if (before === undefined || isAhead(before, connectedAt)) return true;
  if (connectedAt - before.connectedAt > offlineSeconds) return true;
  return activeAt !== null && activeAt - (before.activeAt ?? 0) > offlineSeconds;
}

/** Stores when people were present, under the realm's next update id. */
export async function storeRows(tx: Tx, realmId: number, rows: readonly Stored[]) {
  if (rows.length === 0) return;
  const { userPresences } = tx.t;
  const updateId = (await newestUpdateId(tx, realmId)) + 1;
  for (const chunk of inChunks(rows)) {
    await tx.db
      .insert(userPresences)
      .values(
        chunk.map(({ userId, activeAt, connectedAt }) => ({
          realmId,
          userId,
          activeAt,
          connectedAt,
          updateId,
        })),
      )
      .onConflictDoUpdate({
        target: [userPresences.realmId, userPresences.userId],
        set: {
          activeAt: sql`excluded.active_at`,
          connectedAt: sql`excluded.connected_at`,
          updateId: sql`excluded.update_id`,
        },
      });
  }
}
