import type { EngineMeter } from "../../db/measure";

/** One meter that passes everything to two. */
export function joinMeters(
  one: EngineMeter | undefined,
  other: EngineMeter | undefined,
): EngineMeter | undefined {
  if (!one || !other) return one ?? other;
  return {
    milliseconds: () => one.milliseconds(),
    committed(group) {
      one.committed(group);
      other.committed(group);
    },
    wroteBack(milliseconds) {
      one.wroteBack(milliseconds);
      other.wroteBack(milliseconds);
    },
  };
}
