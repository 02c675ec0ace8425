import { pauseAfter } from "../net/backoff";
import { untilWorthTrying } from "../net/pause";
import { rarePart } from "../parts/rare";

type PartName = Parameters<typeof rarePart>[0];

/**
 * A part that works in the background. It is requested until it is loaded, because nobody would
 * open it again.
 */
export async function neededPart<Name extends PartName>(name: Name) {
  for (let failures = 1; ; failures += 1) {
    const part = await rarePart(name, false);
    if (part) return part;
    await untilWorthTrying(pauseAfter(failures));
  }
}
