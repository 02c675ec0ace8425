import type { EngineHooks } from "./engine";
import type { Connections } from "./postgres-client";
import type { Lanes } from "./postgres-transactions";

/**
 * Number of checks, one a second, after which a write that waits for the realm's lock looks up its
 * holder.
 */
const looksPatience = 3;
/**
 * A session that could not be ended is reported at the first such check, and then once a minute.
 */
const looksPerWarning = 60;

/**
 * Ends the sessions that hold a realm's lock and whose client has sent nothing for three seconds,
 * while PostgreSQL waits for the client to send or to read. `idle_in_transaction_session_timeout`
 * does so by itself, but not between the messages of one statement, and not while the client reads
 * no answer. Keepalives do not help where a proxy answers them.
 */
const endSilent = `
  SELECT pg_terminate_backend(pid)
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid::bigint = $1::bigint >> 32 AND objid::bigint = $1::bigint & 4294967295
    AND wait_event_type = 'Client' AND greatest(query_start, state_change) < clock_timestamp() - interval '3 s'`;

/**
 * Finds writes of this node that wait for another node which may be stopped, or cut off from
 * PostgreSQL.
 */
export function lookForSilentHolders(lanes: Lanes, pool: Connections, { warn }: EngineHooks): void {
  for (const { waitsFor } of lanes.all) {
    if (!waitsFor || ++waitsFor.lookCount < looksPatience) continue;
    const { realmId, lookCount } = waitsFor;
    pool.client.unsafe(endSilent, [realmId], { prepare: true }).then(
      ({ length }) =>
        length > 0 && warn("silent_session_ended", { realm: realmId, sessions: length }),
      (error: unknown) => {
        if ((lookCount - looksPatience) % looksPerWarning !== 0) return;
        warn("silent_session_not_ended", { realm: realmId, error: String(error) });
      },
    );
  }
}
