import type { App } from "./context";

/** Server, as far as its memory goes. */
type HasMemory = Pick<App, "memory">;

/** Something that each running server has one of, in its memory. */
export interface PerServer<Value, Needed> {
  /** The one of a server, made when it is asked for first. */
  of(app: Needed & HasMemory): Value;
}

/**
 * Declares something that each running server has one of in its memory, such as a cache, a count or
 * a queue: `const keyUses = perServer(() => new KeyUses())` at the top of a module, then
 * `keyUses.of(app)`. `App.memory` says why it is no variable of the module.
 */
export function perServer<Value, Needed = unknown>(
  make: (app: Needed) => Value,
): PerServer<Value, Needed> {
  // The class is the key in the memory, and it proves the type of what is found there.
  class Kept {
    constructor(readonly value: Value) {}
  }
  return {
    of(app) {
      const existing = app.memory.get(Kept);
      if (existing instanceof Kept) return existing.value;
      const kept = new Kept(make(app));
      app.memory.set(Kept, kept);
      return kept.value;
    },
  };
}
