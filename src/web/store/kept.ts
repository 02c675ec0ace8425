import type { FlaggedMessage } from "../model/message";
import type { Narrow } from "../model/narrow";

type Finder = (narrow: Narrow) => Promise<readonly FlaggedMessage[]>;

let finder: Finder = async () => [];

/** Takes note of the way to the messages that the browser has kept. */
export function provideKept(given: Finder): void {
  finder = given;
}

/** Messages of a narrow that the browser has kept, ascending. */
export const keptMessages: Finder = (narrow) => finder(narrow);
