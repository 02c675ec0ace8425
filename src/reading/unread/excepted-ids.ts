import { blockOf, idsIn, placeOfBlock, type ReadBlocks } from "../read-blocks";

/** The excepted ids of a scope between two ids, both included. */
export type ExceptedIn = (first: number, last: number) => ReadonlySet<number>;

const none: ReadonlySet<number> = new Set();

/** The exceptions to a user's watermarks by scope, to be asked for parts of it. */
export class ExceptedIds {
  private readonly byScope = new Map<number, Map<number, Buffer>>();

  constructor(blocks: ReadBlocks) {
    for (const [key, bits] of blocks) {
      const { scope, block } = placeOfBlock(key);
      const some = this.byScope.get(scope) ?? new Map<number, Buffer>();
      this.byScope.set(scope, some.set(block, bits));
    }
  }

  of(scope: number): ExceptedIn {
    const blocks = this.byScope.get(scope);
    if (!blocks) return () => none;
    return (first, last) => {
      const ids = blocksBetween(blocks, blockOf(first), blockOf(last)).flatMap(([block, bits]) =>
        idsIn(block, bits, first, last),
      );
      return ids.length === 0 ? none : new Set(ids);
    };
  }
}

/** The blocks from `first` to `last`; the cost depends on the lesser of both numbers. */
function blocksBetween(
  blocks: ReadonlyMap<number, Buffer>,
  first: number,
  last: number,
): [block: number, bits: Buffer][] {
  if (last - first >= blocks.size)
    return [...blocks].filter(([block]) => block >= first && block <= last);
  const found: [number, Buffer][] = [];
  for (let block = first; block <= last; block++) {
    const bits = blocks.get(block);
    if (bits) found.push([block, bits]);
  }
  return found;
}
