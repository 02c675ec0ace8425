import type { SQL } from "drizzle-orm";
import type { Reader } from "../../reader";
import type { Dialect } from "../../schema";
import type { CandidateSlice, CandidateSource, Found, Tested } from "./candidates";
import type { Match } from "./match";
import { postgresIndex } from "./postgres-index";
import { sqliteIndex } from "./sqlite-index";

/** The search index of the words of messages: two kinds of full-text search, seen alike. */
export interface SearchIndex {
  /** Whether it is one index for the messages of all organizations. */
  readonly isOfAllRealms: boolean;
  /**
   * A condition as the text that its queries take. Conditions are combined with at least one that
   * is not negated.
   */
  matchText(match: Match): string;
  /** The text of a message's row: its marks, which have no order, and its words in their order. */
  documentOf(marks: readonly string[], words: readonly string[]): string;
  /** The condition that rows are of an organization; undefined where no row says so. */
  isOfRealm(realmId: number): SQL | undefined;
  /** Empties it of an organization's messages, in a write; where it is one for all, of all. */
  empty(reader: Reader, realmId: number): Promise<void>;
  /** Source of the nearest of its messages. */
  readonly nearest: CandidateSource;
  /**
   * The next of its messages that are wanted, beyond an anchor. `test` runs one statement that
   * looks which candidates of a source are.
   */
  follow(
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
