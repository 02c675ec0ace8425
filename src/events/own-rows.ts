import { sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { OwnedTable, StateLoader } from "../core/state";

type Owner = { realmId: number; userId: number };

interface OwnRowsQuery {
  owning: readonly StateLoader[];
  /** Answers one number, with a bit for each of the states that has rows. */
  run(reader: Reader, values: Owner): PromiseLike<{ bits: number }[]>;
  /** The states without rows, by that number. */
  emptyStates: Map<number, ReadonlySet<StateLoader>>;
}

/** Queries, one for each list of states: the list for people, and the list for spectators. */
const queries: OwnRowsQuery[] = [];
const queryOfStates = new WeakMap<readonly StateLoader[], OwnRowsQuery>();

/** Most sets of states that a query caches. A few are enough, because most people share them. */
const setsMax = 64;
/** Most states of a query, because JavaScript shifts bits in integers of 32 bits with a sign. */
const statesMax = 31;

/**
 * The states of the features of which the user has no rows, such as drafts, reminders or snippets.
 * Most people have none, so one statement checks all of these tables.
 */
export async function statesWithoutRows(
  reader: Reader,
  states: readonly StateLoader[],
  realmId: number,
  userId: number,
): Promise<ReadonlySet<StateLoader>> {
  const { owning, run, emptyStates } = queryOfStates.getOrInsertComputed(states, queryOf);
  const [{ bits } = { bits: -1 }] = await run(reader, { realmId, userId });
  if (emptyStates.size >= setsMax) emptyStates.clear();
  return emptyStates.getOrInsertComputed(
    bits,
    () => new Set(owning.filter((_, i) => (bits & (1 << i)) === 0)),
  );
}

function queryOf(states: readonly StateLoader[]): OwnRowsQuery {
  const owning = states.filter(({ own }) => own);
  return queries.find((one) => isSame(one.owning, owning)) ?? makeQuery(owning);
}

const isSame = (some: readonly StateLoader[], others: readonly StateLoader[]) =>
  some.length === others.length && some.every((one, i) => one === others[i]);

function makeQuery(owning: readonly StateLoader[]): OwnRowsQuery {
  if (owning.length > statesMax)
    throw new Error(`One query has bits for ${statesMax} states, not for ${owning.length}.`);
  const run = statement((db, t, given: Given<Owner>) => {
    const bits = owning.flatMap(({ own }, i) =>
      own
        ? [sql`case when ${hasRow(own.table(t), given)} then ${sql.raw(`${1 << i}`)} else 0 end`]
        : [],
    );
    const sum = sql.join(bits, sql` + `);
    return db.select({ bits: sum.mapWith(Number) }).from(sql`(select 1) one`);
  });
  const query: OwnRowsQuery = { owning, run, emptyStates: new Map() };
  queries.push(query);
  return query;
}

const hasRow = (table: OwnedTable, given: Given<Owner>) =>
  sql`exists (select 1 from ${table} where ${table.realmId} = ${given.realmId}
    and ${table.userId} = ${given.userId})`;
