import type { App } from "./context";

/** The part of a server that holds its memory. */
type HasMemory = Pick<App, "memory">;

/** A value that each running server has once, in its memory. */
interface PerServer<Value, Needed> {
  /** The value of a server, made on first use. */
  of(app: Needed & HasMemory): Value;
}

/**
 * Declares a value that each running server has once in its memory, such as a cache, a count or a
 * queue: `const keyUses = perServer(() => new KeyUses())` at the top of a module, then
 * `keyUses.of(app)`. `App.memory` explains why it is not a variable of the module.
 */
export function perServer<Value, Needed = unknown>(
  make: (app: Needed) => Value,
): PerServer<Value, Needed> {
  // The class is the key in the memory, and it proves the type of the stored value.
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
