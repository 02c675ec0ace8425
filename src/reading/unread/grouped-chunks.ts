import type { IndexedChunk } from "./indexed-line";
import type { Place } from "./unread-index";

/**
 * Some messages of one place, oldest first, and their ids as JSON where it is written, each after a
 * comma: `,1,2,3`.
 */
export interface Piece {
  ids: readonly number[];
  json?: string;
}

/**
 * All messages of a chunk in one place, that came there at one time; `place` is in the spelling of
 * its newest message.
 */
export interface ChunkPiece extends Piece {
  place: Place;
}

/**
 * Most messages that are cached in pieces. With their JSON they take 16 bytes each, so that
 * they would be the most that grows where many people have much unread.
 */
const cachedMax = 250_000;

/**
 * The messages of chunks by place. People who have not read a chunk share its pieces, and a message
 * that is read or added changes those of its chunk alone. The chunks that were asked for last are
 * cached.
 */
export class GroupedChunks {
  /** Number of messages that are cached. */
  size = 0;
  /** Number of times that some were forgotten. */
  forgottenCount = 0;
  /** The one that was asked for last is at the end. */
  private readonly cache = new Map<IndexedChunk, { count: number; pieces: ChunkPiece[] }>();

  constructor(private readonly max = cachedMax) {}

  has(chunk: IndexedChunk): boolean {
    return this.cache.get(chunk)?.count === chunk.length;
  }

  piecesOf(chunk: IndexedChunk): readonly ChunkPiece[] {
    const before = this.cache.get(chunk);
    const count = chunk.length;
    const pieces = before?.count === count ? before.pieces : groupByPlace(chunk);
    this.cache.delete(chunk);
    this.cache.set(chunk, { count, pieces });
    this.size += count - (before?.count ?? 0);
    this.forgetOldest();
    return pieces;
  }

  clear() {
    this.forgottenCount += 1;
    this.cache.clear();
    this.size = 0;
  }

  private forgetOldest() {
    for (const [chunk, { count }] of this.cache) {
      if (this.size <= this.max) return;
      this.forgottenCount += 1;
      this.cache.delete(chunk);
      this.size -= count;
    }
  }
}

function groupByPlace(chunk: IndexedChunk): ChunkPiece[] {
  const groups = new Map<string, { place: Place; ids: number[] }>();
  // Keyed by objects, because lookups by text are slower.
  const byPlace = new Map<Place, { place: Place; ids: number[] }>();
  for (let index = 0; index < chunk.length; index++) {
    const place = chunk.placeAt(index);
    if (!place) continue;
    let group = byPlace.get(place);
    if (!group) {
      const key = `${place.movedAt} ${place.key}`;
      group = groups.get(key) ?? { place, ids: [] };
      groups.set(key, group);
      byPlace.set(place, group);
    }
    group.place = place;
    group.ids.push(chunk.idAt(index));
  }
  return [...groups.values()].map(({ place, ids }) => ({ place, ids, json: `,${ids.join(",")}` }));
}
