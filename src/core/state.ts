import type { Reader } from "../../db/reader";
import type { Context, Person } from "./context";
import type { QueueOptions } from "./event-hub";

/** What `register` answers for a feature. */
export interface StateLoader {
  /** The event types that must all be fetched for these keys. */
  readonly fetchTypes: readonly string[];
  load(ctx: Context<Person>, reader: Reader, options: QueueOptions): Promise<Record<string, unknown>>;
}
