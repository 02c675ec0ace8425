import { blockOf, hasBit, placeOfBlock, type ReadBlocks } from "../read-blocks";

/** The exceptions to a user's watermark of one scope. */
export class ExceptedIds {
  constructor(private readonly blocks: ReadonlyMap<number, Buffer>) {}

  /** A function that tells whether an id is excepted. It finds the block of following ids once. */
  test(): (id: number) => boolean {
    let [block, bits]: [number, Buffer | undefined] = [-1, undefined];
    return (id) => {
      const other = blockOf(id);
      if (other !== block) {
        block = other;
        bits = this.blocks.get(block);
      }
      return bits !== undefined && hasBit(bits, id);
    };
  }

  /**
   * Whether to ask for each of `count` messages between two ids, both included: false where none of
   * them can be excepted. Looks at no more blocks than there are messages, because all direct
   * conversations share one scope, and those of one may be far apart.
   */
  mayHold(first: number, last: number, count: number): boolean {
    if (this.blocks.size === 0) return false;
    if (blockOf(last) - blockOf(first) >= count) return true;
    for (let block = blockOf(first); block <= blockOf(last); block++)
      if (this.blocks.has(block)) return true;
    return false;
  }
}

const none = new ExceptedIds(new Map());

/** Exceptions by scope: a function that gives those of one. */
export function exceptionsByScope(blocks: ReadBlocks): (scope: number) => ExceptedIds {
  const byScope = new Map<number, Map<number, Buffer>>();
  for (const [key, bits] of blocks) {
    const { scope, block } = placeOfBlock(key);
    const some = byScope.get(scope) ?? new Map<number, Buffer>();
    byScope.set(scope, some.set(block, bits));
  }
  const excepted = new Map([...byScope].map(([scope, some]) => [scope, new ExceptedIds(some)]));
  return (scope) => excepted.get(scope) ?? none;
}
