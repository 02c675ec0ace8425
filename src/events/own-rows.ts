import { sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { OwnedTable, StateLoader } from "../core/state";

type Owner = { realmId: number; userId: number };

interface OwnRowsQuery {
  owning: readonly StateLoader[];
  run(reader: Reader, values: Owner): PromiseLike<Record<string, boolean>[]>;
}

/** Queries, one for each list of states: the list for people, and the list for spectators. */
const queries: OwnRowsQuery[] = [];

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
  const owning = states.filter(({ own }) => own);
  const query = queries.find((one) => isSame(one.owning, owning)) ?? makeQuery(owning);
  const [found = {}] = await query.run(reader, { realmId, userId });
  return new Set(owning.filter((_, i) => found[nameOf(i)] === false));
}

const isSame = (some: readonly StateLoader[], others: readonly StateLoader[]) =>
  some.length === others.length && some.every((one, i) => one === others[i]);

const nameOf = (index: number) => `has${index}`;

function makeQuery(owning: readonly StateLoader[]): OwnRowsQuery {
  const run = statement((db, t, given: Given<Owner>) => {
    const fields = owning.flatMap(({ own }, i) =>
      own ? [[nameOf(i), hasRow(own.table(t), given)] as const] : [],
    );
    return db.select(Object.fromEntries(fields)).from(sql`(select 1) one`);
  });
  const query: OwnRowsQuery = { owning, run };
  queries.push(query);
  return query;
}

const hasRow = (table: OwnedTable, given: Given<Owner>) =>
  sql`exists (select 1 from ${table} where ${table.realmId} = ${given.realmId}
    and ${table.userId} = ${given.userId})`.mapWith(Boolean);
