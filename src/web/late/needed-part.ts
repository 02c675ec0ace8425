import { pauseAfter, untilWorthTrying } from "../net/pause";
import { rarePart } from "../parts/rare";

type PartName = Parameters<typeof rarePart>[0];

/** A part that works unseen. It is asked for until it comes, because nobody would open it again. */
export async function neededPart<Name extends PartName>(name: Name) {
  for (let failures = 1; ; failures += 1) {
    const part = await rarePart(name, false);
    if (part) return part;
    await untilWorthTrying(pauseAfter(failures));
  }
}
