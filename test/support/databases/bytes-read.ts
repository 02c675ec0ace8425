import { Database } from "bun:sqlite";
import { afterAll } from "bun:test";
import type { EventEmitter } from "node:events";
import { Socket } from "node:net";
import { LentSocket } from "./lent-sessions";

const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + sizeOf(one), 0);
  return typeof value === "object" && value !== null ? sizeOf(Object.values(value)) : 8;
};

/**
 * Counts what the databases of this process answer, until the end of the test file. SQLite's rows
 * are looked at as they leave a statement; of PostgreSQL the bytes count that come through its
 * sockets, lent ones too, which are the only ones here that listen for `data`: requests go through
 * `fetch`. Called before a world is made. Answers a function that tells the number of bytes that
 * the database answers while another function runs, and throws where it answers nothing, because
 * then they were not counted.
 */
export function countBytesRead(): (run: () => Promise<unknown>) => Promise<number> {
  let bytes = 0;
  noteReads((sizeBytes) => {
    bytes += sizeBytes;
  });
  return async (run) => {
    const before = bytes;
    await run();
    if (bytes === before) throw new Error("The database has answered nothing that was counted.");
    return bytes - before;
  };
}

/**
 * See `countBytesRead`; the function answers the most bytes that were read at once: by a statement
 * of SQLite, or in a packet of PostgreSQL.
 */
export function measureLongestRead(): (run: () => Promise<unknown>) => Promise<number> {
  let longest = 0;
  noteReads((sizeBytes) => {
    longest = Math.max(longest, sizeBytes);
  });
  return async (run) => {
    longest = 0;
    await run();
    return longest;
  };
}

function noteReads(note: (sizeBytes: number) => void): void {
  const restorations = [
    countStatements((rows) => note(sizeOf(rows))),
    countSockets(Socket.prototype, (data) => note(data.byteLength)),
    countSockets(LentSocket.prototype, (data) => note(data.byteLength)),
  ];
  afterAll(() => {
    for (const restore of restorations) restore();
  });
}

/** Notes the rows of every statement that is prepared from now on, however it is asked. */
function countStatements(note: (rows: unknown) => void): () => void {
  const { prepare, query } = Database.prototype;
  const counted = <Made extends object>(statement: Made): Made => {
    const methods = statement as Record<string, unknown>;
    for (const name of ["all", "get", "values"]) {
      const original = methods[name];
      if (typeof original !== "function")
        throw new Error(`A statement of bun:sqlite has no ${name}.`);
      methods[name] = (...values: unknown[]) => {
        const rows: unknown = original.apply(statement, values);
        note(rows);
        return rows;
      };
    }
    return statement;
  };
  const counting = (original: typeof prepare | typeof query) =>
    function (this: Database, ...given: [string]) {
      return counted(original.apply(this, given));
    };
  Object.assign(Database.prototype, { prepare: counting(prepare), query: counting(query) });
  return () => void Object.assign(Database.prototype, { prepare, query });
}

/** Notes the data of every socket of a kind that is listened to from now on. */
function countSockets(kind: EventEmitter, note: (data: Buffer) => void): () => void {
  const listen = kind.on;
  kind.on = function (this: EventEmitter, event: string, listener: (...values: never[]) => void) {
    if (event !== "data") return listen.call(this, event, listener as () => void);
    return listen.call(this, event, (data: Buffer) => {
      note(data);
      listener.call(this, data as never);
    });
  } as typeof listen;
  return () => {
    kind.on = listen;
  };
}
