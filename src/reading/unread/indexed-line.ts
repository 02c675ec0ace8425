import type { Place } from "./unread-index";

/** The most messages of a chunk; 16 bits are enough for as many places or people. */
const chunkMax = 1_024;
/** Room of a new chunk, in messages; it doubles up to `chunkMax`. */
const firstRoom = 8;
/** Numbers of 16 bits for a message: two for its id, one for its place, one for its reader. */
const slots = 4;
const highestOffset = 0xffff_ffff;

/**
 * Up to 1,024 messages of a line, oldest first, in 8 bytes each, because a busy realm has a million
 * in memory: the id as its distance from the first one, place and reader as numbers in lists of the
 * chunk. It grows only at its end, so that a reader may go on from turn to turn.
 */
class Chunk {
  length = 0;
  private packed = new Uint16Array(firstRoom * slots);
  private readonly places: Place[] = [];
  private readonly readers: number[] = [];

  constructor(readonly firstId: number) {}

  /** Whether some messages fit, the last of which has this id. */
  hasRoomFor(lastId: number, count: number): boolean {
    return this.length + count <= chunkMax && lastId - this.firstId <= highestOffset;
  }

  push(id: number, place: Place, reader: number) {
    const at = this.length * slots;
    if (at === this.packed.length) {
      const larger = new Uint16Array(at * 2);
      larger.set(this.packed);
      this.packed = larger;
    }
    const offset = id - this.firstId;
    this.packed[at] = offset >>> 16;
    // The array keeps the lower 16 bits.
    this.packed[at + 1] = offset;
    this.packed[at + 2] = numberIn(this.places, place);
    this.packed[at + 3] = numberIn(this.readers, reader);
    this.length += 1;
  }

  idAt(index: number): number {
    const at = index * slots;
    return this.firstId + (this.packed[at] ?? 0) * 0x1_0000 + (this.packed[at + 1] ?? 0);
  }

  placeAt(index: number): Place | undefined {
    return this.places[this.placeNumberAt(index)];
  }

  /** The number of the message's place among those of the chunk. */
  placeNumberAt(index: number): number {
    return this.packed[index * slots + 2] ?? 0;
  }

  /** The user who has read the message from the start, or 0. */
  readerAt(index: number): number {
    return this.readers[this.packed[index * slots + 3] ?? 0] ?? 0;
  }

  /** Whether it has a message. */
  holds(id: number): boolean {
    const count = this.countUpTo(id);
    return count > 0 && this.idAt(count - 1) === id;
  }

  /** A chunk with equal messages, which may grow. */
  copy(): Chunk {
    const chunk = new Chunk(this.firstId);
    for (let index = 0; index < this.length; index++) {
      const place = this.placeAt(index);
      if (place) chunk.push(this.idAt(index), place, this.readerAt(index));
    }
    return chunk;
  }

  /** The place of a message that is in the chunk. */
  placeOf(id: number): Place | undefined {
    return this.placeAt(this.countUpTo(id) - 1);
  }

  /** Whether a user has read any of the messages from the start. */
  isReadBy(userId: number): boolean {
    return this.readers.includes(userId);
  }

  /** Number of messages with ids up to this one. */
  countUpTo(id: number): number {
    // Most chunks of a line are below or above the id as a whole.
    if (id < this.firstId) return 0;
    if (id >= this.idAt(this.length - 1)) return this.length;
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.idAt(middle) > id) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** The number of an item of a list, which gets it where it is missing. */
function numberIn<T>(items: T[], item: T): number {
  // From the end, because the next message is mostly in the place of the one before.
  const index = items.lastIndexOf(item);
  return index === -1 ? items.push(item) - 1 : index;
}

/** A chunk with other messages for some ids, or without them. */
function changed(chunk: Chunk, changes: ReadonlyMap<number, ChangedMessage | undefined>): Chunk {
  const next = new Chunk(chunk.firstId);
  for (let index = 0; index < chunk.length; index++) {
    const [id, place] = [chunk.idAt(index), chunk.placeAt(index)];
    if (!place) continue;
    const change = changes.get(id);
    if (change) next.push(id, change.place, change.reader);
    else if (!changes.has(id)) next.push(id, place, chunk.readerAt(index));
  }
  return next;
}

/** Methods of a chunk for its readers. */
export type IndexedChunk = Pick<
  Chunk,
  "length" | "idAt" | "placeAt" | "placeNumberAt" | "placeOf" | "readerAt" | "isReadBy"
>;

/** The messages of a chunk from index `start` to before `end`, oldest first. */
export interface ChunkPart {
  chunk: IndexedChunk;
  start: number;
  end: number;
}

/** A chunk in its line; `position` is the number of its first message there. */
interface PlacedChunk {
  chunk: Chunk;
  position: number;
}

/**
 * A message as it is after a change: its place, and the user who has read it from the start, or 0.
 */
export interface ChangedMessage {
  place: Place;
  reader: number;
}

/**
 * Messages with ids above `from` that were sent to a channel or are of a conversation, oldest
 * first.
 */
export class IndexedLine {
  private chunks: PlacedChunk[] = [];
  /** Whether another line has the last chunk, too, so that it is copied before it grows. */
  private isLastShared = false;

  /** `firstPosition` numbers the messages; older ones have lower numbers, below 0 too. */
  constructor(
    public from: number,
    private readonly firstPosition = 0,
  ) {}

  push(id: number, place: Place, reader: number) {
    this.growing(id).push(id, place, reader);
  }

  /** The chunk for a newer message. */
  private growing(id: number): Chunk {
    const last = this.chunks.at(-1);
    if (!last?.chunk.hasRoomFor(id, 1)) {
      const chunk = new Chunk(id);
      this.chunks.push({ chunk, position: this.endOf(last) });
      this.isLastShared = false;
      return chunk;
    }
    if (!this.isLastShared) return last.chunk;
    const chunk = last.chunk.copy();
    this.chunks[this.chunks.length - 1] = { ...last, chunk };
    this.isLastShared = false;
    return chunk;
  }

  /** Whether the line has a message. */
  holds(id: number): boolean {
    return this.chunks[this.chunkOf(id)]?.chunk.holds(id) ?? false;
  }

  /**
   * A line with the messages of this one, which shares its chunks and grows for itself. Messages
   * with ids in `changes` are as it says, or are left out where it says `undefined`.
   */
  renewed(changes: ReadonlyMap<number, ChangedMessage | undefined>): IndexedLine {
    const line = new IndexedLine(this.from, this.endOf(undefined));
    line.chunks = [...this.chunks];
    line.isLastShared = this.isLastShared = true;
    if (changes.size === 0) return line;
    for (const at of new Set([...changes.keys()].map((id) => this.chunkOf(id)))) {
      const placed = this.chunks[at];
      if (placed) line.chunks[at] = { ...placed, chunk: changed(placed.chunk, changes) };
    }
    line.chunks = line.chunks.filter(({ chunk }) => chunk.length > 0);
    let position = line.firstPosition;
    line.chunks = line.chunks.map((placed) => {
      const moved = placed.position === position ? placed : { ...placed, position };
      position += placed.chunk.length;
      return moved;
    });
    return line;
  }

  /** An empty line for so many messages that come before those of this one. */
  makeOlder(from: number, count: number): IndexedLine {
    return new IndexedLine(from, this.endOf(undefined) - count);
  }

  /** Takes the messages of a line that was made by `makeOlder` and is full now. */
  takeOlder(older: IndexedLine) {
    const [first, ...others] = this.chunks;
    if (first) older.append(first.chunk);
    this.chunks = [...older.chunks, ...others];
    this.from = older.from;
  }

  /** Number of messages with ids above `after`, up to `upTo`. */
  countBetween(after: number, upTo: number): number {
    return Math.max(0, this.countUpTo(upTo) - this.countUpTo(after));
  }

  /** The messages with ids above `after`, up to `upTo`, as of now. */
  messagesBetween(after: number, upTo: number): ChunkPart[] {
    const some: ChunkPart[] = [];
    for (let at = Math.max(0, this.chunkOf(after)); at < this.chunks.length; at++) {
      const chunk = this.chunks[at]?.chunk;
      if (!chunk || chunk.firstId > upTo) break;
      const [start, end] = [chunk.countUpTo(after), chunk.countUpTo(upTo)];
      if (start < end) some.push({ chunk, start, end });
    }
    return some;
  }

  /** The position after those of a chunk; without one, the lowest of the line. */
  private endOf(placed: PlacedChunk | undefined): number {
    if (placed) return placed.position + placed.chunk.length;
    return this.chunks[0]?.position ?? this.firstPosition;
  }

  /** Adds the messages of a chunk, which stays as it is. */
  private append(chunk: Chunk) {
    const last = this.chunks.at(-1);
    if (!last?.chunk.hasRoomFor(chunk.idAt(chunk.length - 1), chunk.length)) {
      this.chunks.push({ chunk, position: this.endOf(last) });
      return;
    }
    for (let index = 0; index < chunk.length; index++) {
      const place = chunk.placeAt(index);
      if (place) last.chunk.push(chunk.idAt(index), place, chunk.readerAt(index));
    }
  }

  /** The position after that of the newest message with an id up to this one. */
  private countUpTo(id: number): number {
    const placed = this.chunks[this.chunkOf(id)];
    return placed ? placed.position + placed.chunk.countUpTo(id) : this.endOf(undefined);
  }

  /** Index of the newest chunk that begins with an id up to this one, or -1. */
  private chunkOf(id: number): number {
    let [low, high] = [0, this.chunks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.chunks[middle]?.chunk.firstId ?? 0) > id) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }
}
