import type { Command } from "commander";
import { badRequest } from "../src/core/errors";
import type { CommonOptions } from "./options";

interface IfMissingOptions extends CommonOptions {
  ifMissing?: boolean;
}

/**
 * Adds `--if-missing` to a command that adds something, so that it succeeds if that exists already.
 */
export const withIfMissing = (command: Command): Command =>
  command.option("--if-missing", "if it exists already, change nothing and exit with 0");

export interface Addition<Thing> {
  thing: Thing;
  isNew: boolean;
}

/**
 * Adds something that does not exist yet. If it exists, answers it with `--if-missing`, and
 * otherwise refuses with a sentence that names it. Another command may add it between the two
 * steps.
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
