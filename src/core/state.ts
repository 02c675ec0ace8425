import type { TProperties } from "@sinclair/typebox";
import type { Column, Table } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import type { Schema } from "../../db/schema";
import type { RememberedTable } from "../memory/realm-memory";
import { remembered } from "../memory/remembered";
import type { Context, Person } from "./context";
import type { QueueOptions } from "./event-hub";
import { JsonMembers, membersJson } from "./raw-json";

/** A table whose rows are single people's. */
export type OwnedTable = Table & { realmId: Column; userId: Column };

/** A state that tells of rows of the user's own and of nothing else. */
export interface OwnRows {
  table(t: Schema): OwnedTable;
  /** Answer to a client that has no account. */
  none: JsonMembers;
}

/** Part of `register`'s answer that one feature gives. */
export interface StateLoader {
  /** The event types that must all be fetched for these keys. */
  readonly fetchTypes: readonly string[];
  /** The keys that it answers, with the schemas of their values. */
  readonly keys: TProperties;
  /** Event type that says as much and more: these keys are left out when it is fetched. */
  readonly unlessFetched?: string;
  /** Whether it is answered only to clients that name what they fetch. */
  readonly isOnlyIfNamed?: true;
  /** Spares `load` where the user has no row: one statement looks at the tables of all states. */
  readonly own?: OwnRows;
  /**
   * Brings into memory what `load` would else read at once: before it, outside its snapshot, with
   * turns for others.
   */
  prepare?(ctx: Context<Person>): Promise<void>;
  /**
   * The keys with their values, which are plain or JSON already, also in lists. No other feature
   * has any of these keys.
   */
  load(
    ctx: Context<Person>,
    reader: Reader,
    options: QueueOptions,
  ): Promise<Record<string, unknown> | JsonMembers>;
}

/** The table whose rows a state tells of, and the state where there are none. */
export const ownRows = (table: OwnRows["table"], none: Record<string, unknown>): OwnRows => ({
  table,
  none: new JsonMembers(membersJson(none)),
});

/**
 * Part of the state that is alike for all people of a realm, remembered as JSON. `load` reads only
 * these tables, with one statement or from memory.
 */
export const sameForAll = (
  tables: readonly RememberedTable[],
  load: (reader: Reader, realmId: number) => Promise<Record<string, unknown>>,
): ((reader: Reader, realmId: number) => Promise<JsonMembers>) =>
  remembered(
    tables,
    async (reader, realmId) => new JsonMembers(membersJson(await load(reader, realmId))),
    {
      isOneRead: true,
    },
  );
