import { Database } from "bun:sqlite";
import { Socket } from "node:net";

/*
 * Counts what the databases of this process answer. SQLite's rows are looked at as they leave a statement; of PostgreSQL
 * the bytes count that come through its sockets, which are the only ones here that listen for `data`: requests go through
 * `fetch`.
 */

let bytes = 0;

const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + sizeOf(one), 0);
  return typeof value === "object" && value !== null ? sizeOf(Object.values(value)) : 8;
};

/** Counts what a statement answers, however it is asked. */
function counted<Made extends object>(statement: Made): Made {
  const methods = statement as Record<string, unknown>;
  for (const name of ["all", "get", "values"]) {
    const original = methods[name];
    if (typeof original !== "function")
      throw new Error(`A statement of bun:sqlite has no ${name}.`);
    methods[name] = (...values: unknown[]) => {
      const rows: unknown = original.apply(statement, values);
      bytes += sizeOf(rows);
      return rows;
    };
  }
  return statement;
}

for (const name of ["prepare", "query"] as const) {
  const original = Database.prototype[name];
  Database.prototype[name] = function (this: Database, ...given: [string]) {
    return counted(original.apply(this, given));
  } as typeof original;
}

const listen = Socket.prototype.on;
Socket.prototype.on = function (
  this: Socket,
  event: string,
  listener: (...values: never[]) => void,
) {
  if (event !== "data") return listen.call(this, event, listener as () => void);
  return listen.call(this, event, (data: Buffer) => {
    bytes += data.byteLength;
    listener.call(this, data as never);
  });
} as typeof listen;

/** Number of bytes that the database answers while a function runs. */
export async function bytesRead(run: () => Promise<unknown>): Promise<number> {
  const before = bytes;
  await run();
  return bytes - before;
}
