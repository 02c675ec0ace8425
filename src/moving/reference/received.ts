import { and, gte, lte } from "drizzle-orm";
import { holdsPlace, isSubscribedNow, type Periods } from "../../core/reading-right/periods";
import { blockKey, blockOf } from "../../reading/read-blocks";
import { isRead, isReceived, type ReadState } from "../../reading/read-state";
import {
  channelWildcardBit,
  directBit,
  flagBits,
  historicalBit,
  readBit,
} from "../import/reference/codes";
import type { Conversations } from "./recipients";
import type { Snapshot } from "./snapshot";

type MessageRow = Snapshot["reader"]["t"]["messages"]["$inferSelect"];
type ChannelRow = Snapshot["reader"]["t"]["channels"]["$inferSelect"];

/** Number of blocks of read state that are in memory at a time. */
const blocksPerWindow = 32;

const bitOf = new Map(flagBits.map(([bit, flag]) => [flag, bit]));

/** Somebody's row for a message: the id of the person, and the bits of their flags. */
export interface Received {
  userId: number;
  mask: number;
}

/**
 * The people who have received each message, with their flags. The memory that it needs grows with
 * people and subscriptions, not with messages. Messages must be passed in ascending order.
 */
export class Receivers {
  private readonly states = new Map<number, ReadState>();
  private readonly periods = new Map<number, Map<number, Periods>>();
  private window = -1;

  private constructor(
    private readonly snapshot: Snapshot,
    private readonly channels: ReadonlyMap<number, ChannelRow>,
    private readonly conversations: Conversations,
  ) {}

  static async read(snapshot: Snapshot, conversations: Conversations): Promise<Receivers> {
    const { db, t } = snapshot.reader;
    const channels = await db.select().from(t.channels);
    const byId = new Map(channels.map((channel) => [channel.id, channel]));
    const receivers = new Receivers(snapshot, byId, conversations);
    await receivers.readPeople();
    return receivers;
  }

  private async readPeople() {
    const { db, t } = this.snapshot.reader;
    const periods = Map.groupBy(
      await db.select().from(t.subscriptionPeriods),
      ({ userId }) => userId,
    );
    const watermarks = Map.groupBy(await db.select().from(t.readWatermarks), (one) => one.userId);
    for (const { id, isSystemBot } of await db.select().from(t.users)) {
      if (isSystemBot) continue;
      const own = periods.get(id) ?? [];
      const marks = (watermarks.get(id) ?? []).map(
        ({ scope, readUpTo }) => [scope, readUpTo] as const,
      );
      this.states.set(id, {
        userId: id,
        periods: own,
        watermarks: new Map(marks),
        blocks: new Map(),
      });
      for (const [channelId, those] of Map.groupBy(own, (period) => period.channelId)) {
        const people = this.periods.get(channelId) ?? new Map<number, Periods>();
        this.periods.set(channelId, people.set(id, those));
      }
    }
  }

  /** The rows of people for some messages, by message. */
  async of(messages: readonly MessageRow[]): Promise<Map<number, Received[]>> {
    const { db, t } = this.snapshot.reader;
    const [first = 0, last = 0] = [messages[0]?.id, messages.at(-1)?.id];
    const { messageFlags: f } = t;
    const flags = await db
      .select()
      .from(f)
      .where(and(gte(f.messageId, first), lte(f.messageId, last)));
    const flagsOf = Map.groupBy(flags, ({ messageId }) => messageId);
    const rows = new Map<number, Received[]>();
    for (const message of messages) {
      await this.moveTo(blockOf(message.id));
      rows.set(message.id, this.ofMessage(message, flagsOf.get(message.id) ?? []));
    }
    return rows;
  }

  /** Loads the exceptions to people's read marks around a block. */
  private async moveTo(block: number) {
    const window = Math.floor(block / blocksPerWindow);
    if (window === this.window) return;
    this.window = window;
    const { db, t } = this.snapshot.reader;
    const first = window * blocksPerWindow;
    const { readBlocks: b } = t;
    const rows = await db
      .select()
      .from(b)
      .where(and(gte(b.block, first), lte(b.block, first + blocksPerWindow - 1)));
    for (const [id, state] of this.states) this.states.set(id, { ...state, blocks: new Map() });
    for (const { userId, scope, block: number, bits } of rows)
      this.states.get(userId)?.blocks.set(blockKey(scope, number), Buffer.from(bits));
  }

  private ofMessage(
    message: MessageRow,
    flags: readonly { userId: number; flag: string }[],
  ): Received[] {
    const flagsOf = Map.groupBy(flags, ({ userId }) => userId);
    const received: Received[] = [];
    for (const userId of new Set([...this.candidates(message), ...flagsOf.keys()])) {
      const state = this.states.get(userId);
      if (!state || !this.hasRow(state, message, flagsOf.has(userId))) continue;
      received.push({ userId, mask: maskOf(state, message, flagsOf.get(userId) ?? []) });
    }
    return received;
  }

  private candidates({ channelId, sentChannelId, conversationId }: MessageRow): Iterable<number> {
    if (channelId === null) return this.conversations.peopleOf(conversationId ?? 0);
    return [
      ...(this.periods.get(sentChannelId ?? channelId)?.keys() ?? []),
      ...(sentChannelId === channelId ? [] : (this.periods.get(channelId)?.keys() ?? [])),
    ];
  }

  /**
   * Whether a person has a row for a message. In a private channel with protected history a row
   * means that they may read the message. People who may no longer read a moved message have no
   * row.
   */
  private hasRow(state: ReadState, message: MessageRow, hasFlags: boolean): boolean {
    const { channelId, sentChannelId, placedAt, id } = message;
    if (channelId === null) return true;
    const channel = this.channels.get(channelId);
    const periods = this.periods.get(channelId)?.get(state.userId) ?? [];
    if (channel?.inviteOnly && !channel.historyPublicToSubscribers)
      return holdsPlace(periods, Math.max(id, placedAt));
    if (!isReceived(state, message) && !hasFlags) return false;
    return !channel?.inviteOnly || channelId === sentChannelId || isSubscribedNow(periods);
  }
}

function maskOf(state: ReadState, message: MessageRow, flags: readonly { flag: string }[]): number {
  const hasCome = isReceived(state, message);
  const bits = flags.map(({ flag }) => bitOf.get(flag) ?? 0);
  if (isRead(state, message)) bits.push(readBit);
  if (hasCome && message.mentionsAllOf !== null) bits.push(channelWildcardBit);
  if (!hasCome) bits.push(historicalBit);
  if (message.channelId === null) bits.push(directBit);
  return bits.reduce((mask, bit) => mask | bit, 0);
}
