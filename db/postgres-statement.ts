import { DrizzleQueryError } from "drizzle-orm";
import type { Sql } from "postgres";
import { postgresInside } from "./drizzle-internals";
import { fillOf, type Values } from "./placeholders";

type Bound = Parameters<Sql["unsafe"]>[1];

/** Runs a query on a connection. */
export type RunOn = (client: Sql, values: Values) => Promise<unknown>;

/**
 * Runs a prepared query of drizzle on any connection to PostgreSQL. The query's text and the
 * mapping of its rows are cached for all connections, because drizzle takes long to compute them.
 * Throws as drizzle does. Undefined for forms of queries that only drizzle can run.
 */
export function runnerOf(prepared: unknown): RunOn | undefined {
  const { queryString, params, fields, customResultMapper } = postgresInside(prepared);
  if (fields && !customResultMapper) return undefined;
  const fills = params.map(fillOf);
  return async (client, values) => {
    const bound = fills.map((one) => one(values));
    try {
      const query = client.unsafe(queryString, bound as Bound, { prepare: true });
      return customResultMapper ? customResultMapper(await query.values()) : await query;
    } catch (error) {
      throw error instanceof Error ? new DrizzleQueryError(queryString, bound, error) : error;
    }
  };
}
