import { firstAbove } from "./ascending-ids";
import type { ExceptedIds } from "./excepted-ids";
import type { ChunkPiece, Piece } from "./grouped-chunks";
import type { ChunkPart } from "./indexed-line";
import type { Place } from "./unread-index";

/** The unread messages of a topic or of a direct conversation, oldest first, at least one. */
export interface UnreadGroup {
  /** Place in the spelling of its newest message. */
  place: Place;
  /** Each has a message, and those of the next one are newer. */
  pieces: readonly Piece[];
}

interface Gathered {
  place: Place;
  pieces: Piece[];
  /** Ids that are in no piece yet. */
  loose: number[];
  newest: number;
  isInOrder: boolean;
}

/** The ids of a group as a JSON list, in texts to be joined. */
export function* idTexts({ pieces }: UnreadGroup): Generator<string> {
  let isFirst = true;
  yield "[";
  for (const { ids, json } of pieces) {
    if (isFirst) yield json?.slice(1) ?? ids.join(",");
    else yield json ?? `,${ids.join(",")}`;
    isFirst = false;
  }
  yield "]";
}

export const oldestOf = ({ pieces }: UnreadGroup): number => pieces[0]?.ids[0] ?? 0;

/** Groups messages by their places, without those in places of which the user is not told. */
export class Gathering {
  count = 0;
  private readonly byKey = new Map<string, Gathered>();
  /** Keyed by objects, because lookups by text are slower. */
  private readonly byPlace = new Map<Place, Gathered>();

  constructor(private readonly isTold: (place: Place) => boolean) {}

  /**
   * Adds the messages of a chunk that a user has not read: of what they have sent these are the
   * excepted ones, and of the others all but them. Pieces of all of the chunk are used if they are
   * given and the read messages cannot be in most of them.
   */
  addPart(
    part: ChunkPart,
    userId: number,
    exceptions: ExceptedIds,
    pieces: readonly ChunkPiece[] | undefined,
  ) {
    const { chunk, start, end } = part;
    const mayBeExcepted = exceptions.mayHold(chunk.idAt(start), chunk.idAt(end - 1), end - start);
    const isExcepted = mayBeExcepted ? exceptions.test() : never;
    const mayBeRead = mayBeExcepted || chunk.isReadBy(userId);
    const isRead = (index: number, id: number) =>
      mayBeRead && isExcepted(id) !== (chunk.readerAt(index) === userId);
    const read = pieces && (mayBeRead ? idsOfFew(part, isRead, pieces.length / 2) : none);
    if (pieces && read) this.addPieces(part, pieces, read);
    else this.addUnread(part, isRead);
  }

  /** Adds messages of a chunk, but for those with ids in `read`, by pieces. */
  private addPieces(
    { chunk, start, end }: ChunkPart,
    pieces: readonly ChunkPiece[],
    read: ReadonlySet<number>,
  ) {
    const [first, last] = [chunk.idAt(start), chunk.idAt(end - 1)];
    for (const piece of pieces) {
      const ids = unreadOf(idsBetween(piece.ids, first, last), read);
      const newest = ids.at(-1);
      if (newest === undefined) continue;
      if (ids.length === piece.ids.length) this.addPiece(piece);
      else this.addPiece({ place: chunk.placeOf(newest) ?? piece.place, ids });
    }
  }

  /** Adds messages of a chunk one by one. */
  private addUnread(
    { chunk, start, end }: ChunkPart,
    isRead: (index: number, id: number) => boolean,
  ) {
    // Keyed by numbers, because lookups by objects are slower.
    const groups: (Gathered | undefined)[] = [];
    for (let index = start; index < end; index++) {
      const id = chunk.idAt(index);
      const place = chunk.placeAt(index);
      if (!place || isRead(index, id)) continue;
      const number = chunk.placeNumberAt(index);
      const group = groups[number] ?? this.groupOf(place);
      if (!group) continue;
      groups[number] = group;
      this.addLoose(group, id, place);
    }
  }

  add(id: number, place: Place) {
    const group = this.groupOf(place);
    if (group) this.addLoose(group, id, place);
  }

  /** The newest `max` messages in groups, the one with the oldest message first. */
  newestGroups(max: number): UnreadGroup[] {
    const groups: readonly UnreadGroup[] = [...this.byKey.values()].map(completed);
    const kept = this.count > max ? cutOff(groups, max) : groups;
    return kept.filter(({ pieces }) => pieces.length > 0).sort((a, b) => oldestOf(a) - oldestOf(b));
  }

  private addLoose(group: Gathered, id: number, place: Place) {
    this.note(group, id, id, place);
    group.loose.push(id);
    this.count += 1;
  }

  private addPiece(piece: ChunkPiece) {
    const { place, ids } = piece;
    const group = this.groupOf(place);
    const [oldest, newest] = [ids[0], ids.at(-1)];
    if (!group || oldest === undefined || newest === undefined) return;
    this.note(group, oldest, newest, place);
    endLoose(group);
    group.pieces.push(piece);
    this.count += ids.length;
  }

  private note(group: Gathered, oldest: number, newest: number, place: Place) {
    if (oldest <= group.newest) group.isInOrder = false;
    if (newest <= group.newest) return;
    group.newest = newest;
    group.place = place;
  }

  private groupOf(place: Place): Gathered | undefined {
    return this.byPlace.get(place) ?? this.comeTo(place);
  }

  private comeTo(place: Place): Gathered | undefined {
    const { key } = place;
    if (!this.isTold(place)) return undefined;
    const group = this.byKey.get(key) ?? {
      place,
      pieces: [],
      loose: [],
      newest: 0,
      isInOrder: true,
    };
    this.byKey.set(key, group);
    this.byPlace.set(place, group);
    return group;
  }
}

const never = () => false;
const none: ReadonlySet<number> = new Set();

/**
 * The ids of messages of a chunk that somebody has read; undefined if there are more than a few.
 */
function idsOfFew(
  { chunk, start, end }: ChunkPart,
  isRead: (index: number, id: number) => boolean,
  countMax: number,
): ReadonlySet<number> | undefined {
  const ids = new Set<number>();
  for (let index = start; index < end; index++) {
    const id = chunk.idAt(index);
    if (!isRead(index, id)) continue;
    if (ids.size >= countMax) return undefined;
    ids.add(id);
  }
  return ids;
}

/** The part of ascending ids that is between two ids, both included. */
function idsBetween(ids: readonly number[], first: number, last: number): readonly number[] {
  if ((ids[0] ?? first) >= first && (ids.at(-1) ?? last) <= last) return ids;
  return ids.slice(firstAbove(ids, first - 1), firstAbove(ids, last));
}

const unreadOf = (ids: readonly number[], read: ReadonlySet<number>): readonly number[] =>
  read.size > 0 && ids.some((id) => read.has(id)) ? ids.filter((id) => !read.has(id)) : ids;

function endLoose(group: Gathered) {
  if (group.loose.length === 0) return;
  group.pieces.push({ ids: group.loose });
  group.loose = [];
}

function completed(group: Gathered): UnreadGroup {
  endLoose(group);
  const { place, pieces, isInOrder } = group;
  if (isInOrder) return { place, pieces };
  const ids = pieces.flatMap((piece) => piece.ids).sort((a, b) => a - b);
  return { place, pieces: [{ ids }] };
}

/** Leaves out the oldest messages, so that `max` are left. */
function cutOff(groups: readonly UnreadGroup[], max: number): UnreadGroup[] {
  const all = groups.flatMap(({ pieces }) => pieces);
  const countAbove = (id: number) =>
    all.reduce((sum, { ids }) => sum + ids.length - firstAbove(ids, id), 0);
  // The lowest id above which there are no more than `max`.
  let [low, high] = [0, Math.max(...groups.map(newestOf))];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (countAbove(middle) <= max) high = middle;
    else low = middle + 1;
  }
  return groups.map(({ place, pieces }) => ({
    place,
    pieces: pieces.map((piece) => above(piece, low)).filter(({ ids }) => ids.length > 0),
  }));
}

const newestOf = ({ pieces }: UnreadGroup): number => pieces.at(-1)?.ids.at(-1) ?? 0;

function above(piece: Piece, id: number): Piece {
  const start = firstAbove(piece.ids, id);
  return start === 0 ? piece : { ids: piece.ids.slice(start) };
}
