import type { TProperties } from "@sinclair/typebox";
import type { Column, Table } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import type { Schema } from "../../db/schema";
import { cached } from "../memory/cached";
import type { CachedTable } from "../memory/realm-memory";
import type { Context, Person } from "./context";
import type { QueueOptions } from "./event-hub";
import { JsonMembers, type JsonPieces, membersJson } from "./json/raw-json";

/** A table whose rows belong to single users. */
export type OwnedTable = Table & { realmId: Column; userId: Column };

/** A state that is made only of rows of the user's own. */
interface OwnRows {
  table(t: Schema): OwnedTable;
  /** Value of the state for a client without an account, or a user without a row. */
  none: JsonMembers;
}

/** Part of `register`'s answer that one feature gives. */
export interface StateLoader {
  /** The event types that must all be fetched for these keys. */
  readonly fetchTypes: readonly string[];
  /** The keys that it answers, with the schemas of their values. */
  readonly keys: TProperties;
  /** Event type whose state includes this one: these keys are left out when it is fetched. */
  readonly unlessFetched?: string;
  /** Whether it is answered only to clients that name it. */
  readonly isOnlyIfNamed?: true;
  /**
   * Saves the call of `load` for a user without a row: one statement checks the tables of all
   * states.
   */
  readonly own?: OwnRows;
  /**
   * Loads data into memory before `load`, outside its snapshot and with turns for other work, so
   * that `load` itself is short.
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
  ): Promise<Record<string, unknown> | JsonMembers | JsonPieces>;
}

/** The table of a state's rows, and the state of a user who has none. */
export const ownRows = (table: OwnRows["table"], none: Record<string, unknown>): OwnRows => ({
  table,
  none: new JsonMembers(membersJson(none)),
});

/**
 * Part of the state that is equal for all people of a realm, cached as JSON. `load` reads only
 * these tables, with one statement or from memory.
 */
export const sameForAll = (
  tables: readonly CachedTable[],
  load: (reader: Reader, realmId: number) => Promise<Record<string, unknown>>,
): ((reader: Reader, realmId: number) => Promise<JsonMembers>) =>
  cached(
    tables,
    async (reader, realmId) => new JsonMembers(membersJson(await load(reader, realmId))),
    {
      isOneRead: true,
    },
  );
