import type { Command } from "commander";
import { badRequest } from "../src/core/errors";
import type { CommonOptions } from "./options";

interface IfMissingOptions extends CommonOptions {
  ifMissing?: boolean;
}

/** Lets a command that adds something go on where it is there already. */
export const withIfMissing = (command: Command): Command =>
  command.option("--if-missing", "if it exists already, change nothing and exit with 0");

export interface Addition<Thing> {
  thing: Thing;
  isNew: boolean;
}

/**
 * Adds something that is not there yet. Where it is, answers it with `--if-missing`, else refuses
 * with a sentence that says which one it is. Another command may add it between the two steps.
 */
export async function addMissing<Thing>(
  options: IfMissingOptions,
  steps: {
    find: () => Promise<Thing | undefined>;
    add: () => Promise<Thing>;
    /** `Bob already exists: bob@example.com (ID 12, member).` */
    describe: (thing: Thing) => string;
  },
): Promise<Addition<Thing>> {
  const there = await steps.find();
  if (there !== undefined) return existing(options, steps.describe, there);
  try {
    return { thing: await steps.add(), isNew: true };
  } catch (error) {
    const rival = await steps.find();
    if (rival === undefined) throw error;
    return existing(options, steps.describe, rival);
  }
}

function existing<Thing>(
  { ifMissing }: IfMissingOptions,
  describe: (thing: Thing) => string,
  thing: Thing,
): Addition<Thing> {
  if (ifMissing) return { thing, isNew: false };
  throw badRequest(`${describe(thing)} Nothing was changed (--if-missing exits with 0 then).`);
}
