const idsPerPiece = 8_192;

/**
 * A set of integers that are mostly close to each other. Each takes an eighth of a byte, so that
 * the ids of all messages of an organization fit in memory.
 */
export class IdSet {
  private readonly blocks = new Map<number, Uint8Array>();

  add(id: number): void {
    const at = Math.floor(id / idsPerPiece);
    const block = this.blocks.get(at) ?? new Uint8Array(idsPerPiece / 8);
    this.blocks.set(at, block);
    const bit = id % idsPerPiece;
    block[bit >> 3] = (block[bit >> 3] ?? 0) | (1 << (bit & 7));
  }

  has(id: number): boolean {
    const bit = id % idsPerPiece;
    const byte = this.blocks.get(Math.floor(id / idsPerPiece))?.[bit >> 3] ?? 0;
    return (byte & (1 << (bit & 7))) !== 0;
  }
}
