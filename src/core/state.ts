import type { Reader } from "../../db/reader";
import type { Context, Person } from "./context";
import type { QueueOptions } from "./event-hub";
import type { JsonMembers } from "./raw-json";

/** What `register` answers for a feature. */
export interface StateLoader {
  /** The event types that must all be fetched for these keys. */
  readonly fetchTypes: readonly string[];
  /** What is left out when this event type is fetched, which says the same and more. */
  readonly unlessFetched?: string;
  /** The keys with their values, of which no other feature has any: values, or what is JSON already, also in lists. */
  load(ctx: Context<Person>, reader: Reader, options: QueueOptions): Promise<Record<string, unknown> | JsonMembers>;
}
