import { topicKey } from "../../channels/topics/empty-topic";
import type { Periods } from "../../core/reading-right/periods";
import type { ReadBlocks } from "../read-blocks";
import { GroupedChunks } from "./grouped-chunks";
import { type ChangedMessage, type ChunkPart, IndexedLine } from "./indexed-line";

/**
 * Place of a message: a topic of a channel in one spelling, or a direct conversation; `key` is
 * equal for all spellings.
 */
export interface Place {
  channelId: number | null;
  conversationId: number | null;
  topic: string;
  key: string;
  /**
   * For messages that were moved to the channel the newest id of all at that time, on which the
   * right to read them depends; else 0.
   */
  movedAt: number;
}

/** The part of a message that is in the index. */
export interface IndexedMessage {
  id: number;
  senderId: number;
  readBySender: boolean;
  channelId: number | null;
  sentChannelId: number | null;
  conversationId: number | null;
  topic: string;
  placedAt: number;
  mentionsAllOf: number | null;
}

/**
 * Messages above `after`, up to `upTo`, of a line: a channel by its id, a conversation by its
 * negative id.
 */
export interface IndexedRange {
  line: number;
  after: number;
  upTo: number;
}

/**
 * State of an index when it had all that `register` needs for somebody with few unread messages.
 */
export interface Prepared {
  newest: number;
  periods: Periods;
}

/** State of an index when the chunks that somebody needs were grouped. */
interface GroupedAhead {
  /** Number of times that chunks had been forgotten before. */
  forgottenCount: number;
  newest: number;
  /** Digest of the lines that the person reads, and of the ids after which each of them begins. */
  beginnings: bigint | number;
  /** Digest of the exceptions to those beginnings; undefined where these are too many. */
  exceptions: bigint | number | undefined;
  /** Whether none of the person's unread messages is older than the grouped ones. */
  isAll: boolean;
}

/** The digest for `GroupedAhead`. The ranges themselves may be thousands for each person. */
export const digestOf = (ranges: readonly IndexedRange[]): bigint | number =>
  Bun.hash(JSON.stringify(ranges.map(({ line, after }) => [line, after])));

/** Digest of messages that somebody has read, or marked as unread, one by one. */
export function digestOfBlocks(blocks: ReadBlocks): bigint | number {
  let digest: bigint | number = 0n;
  for (const [key, bits] of blocks) digest = Bun.hash(bits, BigInt(Bun.hash(key, BigInt(digest))));
  return digest;
}

export const lineOf = ({
  sentChannelId,
  conversationId,
}: Pick<IndexedMessage, "sentChannelId" | "conversationId">) =>
  sentChannelId ?? -(conversationId ?? 0);

/** The user who has read a message from the start, or 0. */
const readerOf = ({ readBySender, senderId }: Pick<IndexedMessage, "readBySender" | "senderId">) =>
  readBySender ? senderId : 0;

/** The size of an empty line in an index. */
const lineSize = 8;
/** More messages than this are grouped with turns for other work. */
const groupedAtOnceMax = 4_096;
/** Most lines that are looked through for deleted messages, counted for each of them. */
const searchedLinesMax = 50_000;
/** Most places that a later index takes over, because renamed topics leave some behind. */
const placesKeptMax = 10_000;
/** Changed messages of a line by id; undefined for deleted ones. */
type ChangesOfLine = Map<number, ChangedMessage | undefined>;
const unchanged: ChangesOfLine = new Map();

/**
 * The newest messages of a realm by the channels that they were sent to and by conversations, each
 * as far back as needed so far. All clients share it, because these few messages are mostly the
 * ones that they count at their start.
 */
export class UnreadIndex {
  /** The newest message of the realm that was read. */
  upTo: number | undefined;
  private indexedSize = 0;
  /**
   * Number of times that the index was dropped, so that a reader which waited does not take an
   * empty index for a realm without messages.
   */
  generation = 0;
  /** Messages that mention everybody in a channel or a conversation. */
  wildcards = new Set<number>();
  /** People with few unread messages. */
  readonly prepared = new Map<number, Prepared>();
  /** People with many, whose chunks are grouped. */
  readonly groupedAhead = new Map<number, GroupedAhead>();
  private readonly lines = new Map<number, IndexedLine>();
  private places = new Map<string, Place>();

  constructor(readonly grouped = new GroupedChunks()) {}

  clear() {
    this.generation += 1;
    this.upTo = undefined;
    this.indexedSize = 0;
    // Others may still read from the earlier one.
    this.wildcards = new Set();
    this.prepared.clear();
    this.groupedAhead.clear();
    this.grouped.clear();
    this.lines.clear();
    this.places.clear();
  }

  /** Number of messages that it has in memory, those of pieces in addition. */
  get size(): number {
    return this.indexedSize + this.grouped.size;
  }

  /** Whether to group some messages takes so long that it is done ahead. */
  isLong(count: number): boolean {
    return count > groupedAtOnceMax;
  }

  /**
   * Whether the index still has all that `register` needs for somebody with few unread messages,
   * but for a few of the newest. More may have come back with a subscription.
   */
  isPreparedFor(userId: number, periods: Periods): boolean {
    const before = this.prepared.get(userId);
    if (!before || this.isLong((this.upTo ?? 0) - before.newest)) return false;
    return before.periods === periods || Bun.deepEquals(before.periods, periods);
  }

  /**
   * Whether the chunks that somebody needs are still grouped, but for a few of the newest messages.
   * Where others have been read since, older messages may be needed, because the newest of all
   * ranges are told.
   */
  isGroupedFor(userId: number, now: Omit<GroupedAhead, "isAll">): boolean {
    const before = this.groupedAhead.get(userId);
    if (before?.forgottenCount !== now.forgottenCount) return false;
    if (this.isLong(now.newest - before.newest) || before.beginnings !== now.beginnings)
      return false;
    return before.isAll || (now.exceptions !== undefined && now.exceptions === before.exceptions);
  }

  /** The id above which the messages of a line are in the index. */
  fromOf(line: number): number {
    return this.lines.get(line)?.from ?? this.upTo ?? 0;
  }

  /**
   * The id above which all messages of some ranges are in the index, 0 where all of them are.
   */
  indexedAbove(ranges: readonly IndexedRange[]): number {
    let above = 0;
    for (const { line, after } of ranges) {
      const from = this.fromOf(line);
      if (after < from && from > above) above = from;
    }
    return above;
  }

  /** Number of indexed messages in some ranges that are above an id. */
  countAbove(ranges: readonly IndexedRange[], above: number): number {
    let count = 0;
    for (const { line, after, upTo } of ranges) {
      count += this.lines.get(line)?.countBetween(Math.max(after, above), upTo) ?? 0;
    }
    return count;
  }

  /**
   * The highest id, but not below `lowest`, above which there are `count` messages of some
   * ranges.
   */
  highestWith(count: number, ranges: readonly IndexedRange[], lowest: number): number {
    if (this.countAbove(ranges, lowest) < count) return lowest;
    let [low, high] = [lowest, this.upTo ?? 0];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.countAbove(ranges, middle) >= count) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Adds all messages of a range that ends where the indexed part of its line begins. */
  takeOlder({ line, after, upTo }: IndexedRange, rows: readonly IndexedMessage[]) {
    const indexed = this.lineAt(line);
    // Another reader may have added them meanwhile, or the index may have been dropped.
    if (after >= indexed.from || upTo < indexed.from) return;
    const missing = rows.filter(({ id }) => id <= indexed.from);
    const older = indexed.makeOlder(after, missing.length);
    for (const row of missing) this.add(older, row);
    indexed.takeOlder(older);
  }

  /** Adds all messages of the realm after `after` and up to `upTo`. */
  takeNewer(after: number, upTo: number, rows: readonly IndexedMessage[]) {
    const indexedUpTo = this.upTo;
    if (indexedUpTo === undefined || indexedUpTo < after || indexedUpTo >= upTo) return;
    for (const row of rows) {
      const line = this.lines.get(lineOf(row));
      if (line && row.id > indexedUpTo) this.add(line, row);
    }
    this.upTo = upTo;
  }

  /**
   * An index with the messages of this one as they are after a change of some: `rows` has those
   * that still exist. This one stays as it is for its readers. Undefined where to find the others
   * takes too long.
   */
  renewed(ids: readonly number[], rows: readonly IndexedMessage[]): UnreadIndex | undefined {
    const changes = this.changesOf(ids, rows);
    if (!changes) return undefined;
    const next = new UnreadIndex(this.grouped);
    next.upTo = this.upTo;
    next.wildcards = new Set(this.wildcards).difference(new Set(ids));
    for (const { id, mentionsAllOf } of rows) if (mentionsAllOf !== null) next.wildcards.add(id);
    for (const [userId, prepared] of this.prepared) next.prepared.set(userId, prepared);
    if (this.places.size <= placesKeptMax) next.places = this.places;
    let removed = 0;
    for (const [line, indexed] of this.lines) {
      const some = changes.get(line) ?? unchanged;
      next.lines.set(line, indexed.renewed(some));
      for (const [id, change] of some) if (!change && indexed.holds(id)) removed += 1;
    }
    next.indexedSize = this.indexedSize - removed;
    return next;
  }

  /** The changed messages that are in the index, by line. */
  private changesOf(ids: readonly number[], rows: readonly IndexedMessage[]) {
    const changes = new Map<number, ChangesOfLine>();
    const ofLine = (line: number) =>
      changes.getOrInsertComputed(line, (): ChangesOfLine => new Map());
    for (const row of rows) ofLine(lineOf(row)).set(row.id, this.changeTo(row));
    const gone = [...new Set(ids).difference(new Set(rows.map(({ id }) => id)))];
    if (gone.length * this.lines.size > searchedLinesMax) return undefined;
    for (const id of gone)
      for (const [line, indexed] of this.lines)
        if (indexed.holds(id)) {
          ofLine(line).set(id, undefined);
          break;
        }
    return changes;
  }

  private changeTo(row: IndexedMessage): ChangedMessage {
    return { place: this.placeOf(row), reader: readerOf(row) };
  }

  /** The messages of a range, oldest first, as of now. */
  messagesOf({ line, after, upTo }: IndexedRange): ChunkPart[] {
    return this.lines.get(line)?.messagesBetween(after, upTo) ?? [];
  }

  private lineAt(line: number): IndexedLine {
    const indexed = this.lines.get(line);
    if (indexed) return indexed;
    const empty = new IndexedLine(this.fromOf(line));
    this.lines.set(line, empty);
    this.indexedSize += lineSize;
    return empty;
  }

  private add(line: IndexedLine, row: IndexedMessage) {
    line.push(row.id, this.placeOf(row), readerOf(row));
    if (row.mentionsAllOf !== null) this.wildcards.add(row.id);
    this.indexedSize += 1;
  }

  private placeOf(row: IndexedMessage): Place {
    const { channelId, conversationId, topic } = row;
    const movedAt = movedAtOf(row);
    const name = channelId === null ? `d${conversationId}` : `${channelId}:${movedAt}:${topic}`;
    const existing = this.places.get(name);
    if (existing) return existing;
    const place = makePlace(row, movedAt);
    this.places.set(name, place);
    return place;
  }
}

/**
 * The `movedAt` of a message's place. A message in another channel than it was sent to was always
 * moved there, also where it was the newest of all and its id is the newest id of that time.
 */
function movedAtOf({ id, channelId, sentChannelId, placedAt }: IndexedMessage): number {
  if (channelId !== sentChannelId) return Math.max(id, placedAt);
  return placedAt > id ? placedAt : 0;
}

export const makePlace = (
  {
    channelId,
    conversationId,
    topic,
  }: Pick<IndexedMessage, "channelId" | "conversationId" | "topic">,
  movedAt = 0,
): Place => ({
  channelId,
  conversationId,
  topic,
  key: channelId === null ? `d${conversationId}` : `${channelId}:${topicKey(topic)}`,
  movedAt,
});
