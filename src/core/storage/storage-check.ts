import { statement } from "../../../db/reader";
import type { App } from "../context";
import { describeError } from "../log";

const selectAnything = statement((db, t) => db.select({ id: t.realms.id }).from(t.realms).limit(1));

/**
 * Runs the cheapest query on the database: undefined where it answers, else a sentence that says
 * so. The details go to the log only, because anybody may ask whether the server is ready.
 */
export async function storageTrouble({ engine, log }: App): Promise<string | undefined> {
  try {
    await selectAnything(engine.openReader());
    return undefined;
  } catch (error) {
    log.debug("storage_not_ready", describeError(error));
    return "The database does not answer.";
  }
}
