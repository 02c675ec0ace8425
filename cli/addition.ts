import type { Context } from "../src/core/context";
import { badRequest } from "../src/core/errors";
import { withOperator } from "./operator";
import type { CommonOptions, RealmOptions } from "./options";
import { printResult } from "./output";

interface IfMissingOptions extends CommonOptions {
  ifMissing?: boolean;
}

interface Addition<Thing> {
  thing: Thing;
  isNew: boolean;
}

/** Steps of a command that adds something which may exist already. */
interface AddingSteps<Thing> {
  find: () => Promise<Thing | undefined>;
  add: () => Promise<Thing>;
  /** `Bob already exists: bob@example.com (ID 12, member).` */
  describe: (thing: Thing) => string;
}

/**
 * Adds something that does not exist yet. If it exists, answers it with `--if-missing`, and
 * otherwise refuses with a sentence that names it. Another command may add it between the two
 * steps.
 */
export async function addMissing<Thing>(
  { ifMissing }: IfMissingOptions,
  steps: AddingSteps<Thing>,
): Promise<Addition<Thing>> {
  const existing = (thing: Thing): Addition<Thing> => {
    if (ifMissing) return { thing, isNew: false };
    throw badRequest(
      `${steps.describe(thing)} Nothing was changed (--if-missing exits with 0 then).`,
    );
  };
  const there = await steps.find();
  if (there !== undefined) return existing(there);
  try {
    return { thing: await steps.add(), isNew: true };
  } catch (error) {
    const rival = await steps.find();
    if (rival === undefined) throw error;
    return existing(rival);
  }
}

interface PrintedSteps<Thing> extends AddingSteps<Thing> {
  /** `Added bob@example.com (member).` */
  added: (thing: Thing) => string;
}

/**
 * Adds something to an organization like `addMissing`, and prints a sentence about it, or JSON that
 * has it as `name`, in the form that `shown` gives it.
 */
export async function printAdded<Thing>(
  options: RealmOptions & IfMissingOptions,
  name: string,
  stepsFor: (ctx: Context) => PrintedSteps<Thing> | Promise<PrintedSteps<Thing>>,
  shown: (thing: Thing) => unknown = (thing) => thing,
): Promise<void> {
  const { thing, isNew, line } = await withOperator(options, async (ctx) => {
    const steps = await stepsFor(ctx);
    const { thing, isNew } = await addMissing(options, steps);
    return { thing, isNew, line: isNew ? steps.added(thing) : steps.describe(thing) };
  });
  printResult(options, { [name]: shown(thing), was_there: !isNew }, [line]);
}

/** A thing after a command, out of a list; it can only have been removed meanwhile. */
export function listed<Thing extends { id: number }>(
  things: readonly Thing[],
  id: number,
  what: string,
): Thing {
  const thing = things.find((one) => one.id === id);
  if (!thing) throw new Error(`The ${what} ${id} is gone.`);
  return thing;
}
