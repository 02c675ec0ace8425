import type { EngineHooks } from "./engine";
import type { Connections } from "./postgres-client";
import type { Lanes } from "./postgres-transactions";

/**
 * Number of checks, one a second, after which the session that holds a realm's lock is looked up,
 * while a write waits for the lock.
 */
const checksPatience = 3;
/**
 * Number of checks between two warnings about a session that could not be ended: a minute. The
 * first such check warns at once.
 */
const checksPerWarning = 60;

/**
 * Ends the sessions that hold a realm's lock and whose client has sent nothing for three seconds,
 * while PostgreSQL waits for the client to send or to read. `idle_in_transaction_session_timeout`
 * also ends such sessions, but not between the messages of one statement, and not while the client
 * reads no answer. TCP keepalives do not help where a proxy answers them.
 */
const endSilent = `
  SELECT pg_terminate_backend(pid)
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid::bigint = $1::bigint >> 32 AND objid::bigint = $1::bigint & 4294967295
    AND wait_event_type = 'Client' AND greatest(query_start, state_change) < clock_timestamp() - interval '3 s'`;

/**
 * Finds writes of this node that wait for another node, and ends the sessions of that node if it is
 * stopped or cut off from PostgreSQL.
 */
export function endSilentHolders(lanes: Lanes, pool: Connections, { warn }: EngineHooks): void {
  for (const { waitsFor } of lanes.all) {
    if (!waitsFor || ++waitsFor.checkCount < checksPatience) continue;
    const { realmId, checkCount } = waitsFor;
    pool.client.unsafe(endSilent, [realmId], { prepare: true }).then(
      ({ length }) =>
        length > 0 && warn("silent_session_ended", { realm: realmId, sessions: length }),
      (error: unknown) => {
        if ((checkCount - checksPatience) % checksPerWarning !== 0) return;
        warn("silent_session_not_ended", { realm: realmId, error: String(error) });
      },
    );
  }
}
