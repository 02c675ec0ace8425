import type { Sql } from "postgres";
import { type Connections, openConnections } from "./postgres-client";
import type { Database } from "./reader";

/** How long an unused connection is kept. */
const idleSeconds = 60;

/** One connection at a time, on which transactions run one after the other. */
export interface Lane {
  connections: Connections;
  /** Counts the connections that were lost, so that no statement of a transaction runs on the next one by itself. */
  connectionsLost: number;
  /** The count when the transaction began; undefined outside one. */
  transactionOn: number | undefined;
  /** Whether a statement that may change something was sent since this was last set to false. */
  hasWritten: boolean;
}

/** A few lanes, lent out one by one: who finds none waits for the next that comes back, in order. */
export interface Lanes {
  use<T>(run: (lane: Lane) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/** Lanes to a database, each with a connection that is opened when it is needed first. */
export function openLanes(url: string, countMax: number): Lanes {
  const lanes: Lane[] = [];
  const free: Lane[] = [];
  const waiting: ((lane: Lane) => void)[] = [];
  const take = (): Lane | Promise<Lane> => {
    const known = free.pop();
    if (known) return known;
    if (lanes.length < countMax) return openLane(url, lanes);
    return new Promise((resolve) => waiting.push(resolve));
  };
  return {
    async use(run) {
      const lane = await take();
      try {
        return await run(lane);
      } finally {
        const next = waiting.shift();
        if (next) next(lane);
        else free.push(lane);
      }
    },
    async end() {
      await Promise.all(lanes.map(({ connections }) => connections.end()));
    },
  };
}

function openLane(url: string, lanes: Lane[]): Lane {
  const lost = () => {
    lane.connectionsLost += 1;
  };
  const wrap = (client: Sql) => watched(client, () => lane);
  const lane: Lane = {
    connections: openConnections(url, { max: 1, idle_timeout: idleSeconds }, { lost, wrap }),
    connectionsLost: 0,
    transactionOn: undefined,
    hasWritten: false,
  };
  lanes.push(lane);
  return lane;
}

/**
 * The client reconnects by itself, and would run the rest of a broken transaction outside any. This one refuses
 * statements from the moment when the connection that the transaction began on is lost, and notes which may write.
 */
function watched(client: Sql, lane: () => Lane): Sql {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== "unsafe") return value;
      return (...args: Parameters<Sql["unsafe"]>) => {
        const current = lane();
        if (isBroken(current)) throw new Error("The database connection was lost.");
        if (!/^\s*select\b/i.test(args[0])) current.hasWritten = true;
        return target.unsafe(...args);
      };
    },
  });
}

/** Whether the connection on which the lane's transaction began is gone. */
export const isBroken = ({ transactionOn, connectionsLost }: Lane) =>
  transactionOn !== undefined && transactionOn !== connectionsLost;

/** Sends a statement without values, outside of what the lane's watch looks at. */
export const execute = ({ connections: { client } }: Lane, sql: string) => client.unsafe(sql, [], { prepare: true });

/** Ends what is left of a transaction that failed. */
export async function rollBack(lane: Lane) {
  lane.transactionOn = undefined;
  await lane.connections.client.unsafe("ROLLBACK").catch(() => undefined);
}

/** A statement that fails before it is awaited is no stray rejection: whoever awaits it later still hears of it. */
export function held<T>(statement: Promise<T>): Promise<T> {
  statement.catch(() => undefined);
  return statement;
}

const beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
const attemptsMax = 3;

/** Reads several things as of one moment. A connection that is lost meanwhile is replaced, and all is read again. */
export function readSnapshot<T>(lanes: Lanes, run: (db: Database) => Promise<T>): Promise<T> {
  return lanes.use(async (lane) => {
    for (let attempt = 1; ; attempt++) {
      lane.transactionOn = lane.connectionsLost;
      try {
        // It travels with the first query.
        const begun = held(execute(lane, beginSnapshot).then(() => undefined));
        const value = await run(lane.connections.db);
        await begun;
        await execute(lane, "COMMIT");
        if (isBroken(lane)) throw new Error("The database connection was lost.");
        lane.transactionOn = undefined;
        return value;
      } catch (error) {
        const mayTryAgain = isBroken(lane) && attempt < attemptsMax;
        await rollBack(lane);
        if (!mayTryAgain) throw error;
      }
    }
  });
}
