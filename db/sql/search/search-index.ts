import type { Placeholder, SQL } from "drizzle-orm";
import type { Reader } from "../../reader";
import type { Dialect } from "../../schema";
import type { CandidateSlice, CandidateSource, Found, Tested } from "./candidates";
import type { Match } from "./match";
import { postgresIndex } from "./postgres-index";
import { sqliteIndex } from "./sqlite-index";

/**
 * The search index of the words of messages. It is one interface for the full-text searches of both
 * engines.
 */
export interface SearchIndex {
  /** Whether it is one index for the messages of all organizations. */
  readonly isOfAllRealms: boolean;
  /**
   * A condition as text for the queries of the index. If a condition is negated, at least one other
   * that is not negated must be combined with it.
   */
  matchText(match: Match): string;
  /** The text of a message's row: its marks in any order, and its words in their order. */
  documentOf(marks: readonly string[], words: readonly string[]): string;
  /**
   * Rows for the table of the index, from one JSON list of `[realm id, message id, document]`. A
   * statement with a value for each column of many rows would take longer to build than to run.
   */
  rowsFrom(list: Placeholder<string, string>): SQL;
  /**
   * The condition that rows belong to an organization; undefined where rows do not name their
   * organization.
   */
  isOfRealm(realmId: number): SQL | undefined;
  /**
   * Deletes an organization's messages from the index, in a write. An index for all organizations
   * loses the messages of all organizations.
   */
  empty(reader: Reader, realmId: number): Promise<void>;
  /** Candidates: the nearest messages that the index finds. */
  readonly nearest: CandidateSource;
  /**
   * The next matching messages beyond an anchor. `test` runs one statement that tests the
   * candidates of a source.
   */
  search(
    slice: CandidateSlice,
    test: (source: CandidateSource, slice: CandidateSlice) => Promise<Tested>,
  ): Promise<Found>;
}

const indexes: Readonly<Record<Dialect, SearchIndex>> = {
  sqlite: sqliteIndex,
  postgres: postgresIndex,
};

/** The search index of an engine. */
export const searchIndexOf = (dialect: Dialect): SearchIndex => indexes[dialect];
