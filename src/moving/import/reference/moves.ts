import { and, asc, eq, gt } from "drizzle-orm";
import type { Tx } from "../../../core/context";
import type { Given } from "../json";
import { personOf, type Source, secondsOf } from "./source";
import type { SubscriptionPeriods } from "./subscription-periods";

type Staged = Pick<Tx, "db" | "t">;

const messagesPerPage = 5_000;

interface Moved {
  id: number;
  channelId: number;
  movedAt: number;
  /** People who have received it. */
  userIds: readonly number[];
}

/** Time of the last move of a message to another channel; undefined where there was none. */
export function movedAtOf(edits: readonly Given[]): number | undefined {
  const move = edits.findLast((edit) => "prev_stream" in edit);
  if (!move) return undefined;
  const movedAt = secondsOf(move["timestamp"]);
  // A move without a time counts as the last event, because nobody may read more than before.
  return movedAt > 0 ? movedAt : Number.POSITIVE_INFINITY;
}

/**
 * Messages that were moved into private channels with protected history. Their place in the channel
 * is after the messages that had been sent before the move, although they have the lower ids of
 * older messages.
 */
export class Moves {
  private readonly moved: Moved[] = [];

  constructor(private readonly source: Source) {}

  add(message: Omit<Moved, "userIds">, kept: readonly Given[]): void {
    const userIds = kept.flatMap((one) => personOf(this.source, one["user_profile"]) ?? []);
    this.moved.push({ ...message, userIds });
  }

  /**
   * Stores the places of the moved messages, and notes who has received them. It is called after
   * all messages are imported.
   */
  async settle(periods: SubscriptionPeriods): Promise<void> {
    const { writer, lastMessageId } = this.source;
    if (this.moved.length === 0) return;
    this.moved.sort((a, b) => a.movedAt - b.movedAt);
    await writer.change(async (tx) => {
      let next = 0;
      let newestId = 0;
      const placeUntil = async (sentAt: number) => {
        for (; (this.moved[next]?.movedAt ?? sentAt) < sentAt; next++)
          await placeMessage(tx, periods, this.moved[next], newestId);
      };
      for await (const { id, sentAt } of sentMessages(tx, writer.realmId)) {
        await placeUntil(sentAt);
        newestId = id;
      }
      for (; next < this.moved.length; next++)
        await placeMessage(tx, periods, this.moved[next], lastMessageId);
    });
  }
}

async function* sentMessages({ db, t: { messages: m } }: Staged, realmId: number) {
  for (let after = 0; ; ) {
    const rows = await db
      .select({ id: m.id, sentAt: m.sentAt })
      .from(m)
      .where(and(eq(m.realmId, realmId), gt(m.id, after)))
      .orderBy(asc(m.id))
      .limit(messagesPerPage);
    const last = rows.at(-1);
    if (!last) return;
    yield* rows;
    after = last.id;
  }
}

async function placeMessage(
  { db, t: { messages: m } }: Staged,
  periods: SubscriptionPeriods,
  moved: Moved | undefined,
  newestId: number,
) {
  if (!moved) return;
  const placedAt = Math.max(moved.id, newestId);
  for (const userId of moved.userIds) periods.note(userId, moved.channelId, placedAt);
  await db.update(m).set({ placedAt }).where(eq(m.id, moved.id));
}
