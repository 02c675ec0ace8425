import { sql } from "drizzle-orm";
import { statement } from "../../db/reader";
import type { App, LogEntry, Tx } from "./context";

const insertLogRow = statement((db, t) =>
  db
    .insert(t.eventLog)
    .values({
      realmId: sql.placeholder("realmId"),
      type: sql.placeholder("type"),
      audience: sql.placeholder("audience"),
      body: sql.placeholder("body"),
      createdAt: sql.placeholder("createdAt"),
    })
    .returning({ id: t.eventLog.id }),
);

interface WriteScope {
  app: App;
  realm: { id: number };
  now: number;
}

/**
 * Runs a change and the events that announce it as one transaction of the realm. `run` may await nothing but the
 * database, and throws to undo everything; it answers after the commit. What it read before the transaction began may
 * have changed: check again inside.
 */
export async function write<T>(scope: WriteScope, run: (tx: Tx) => Promise<T>): Promise<T> {
  const { app, realm, now } = scope;
  let entries: LogEntry[] = [];
  return app.engine.write(
    realm.id,
    (reader) => {
      entries = [];
      const tx: Tx = {
        t: reader.t,
        dialect: reader.dialect,
        now,
        get db() {
          return reader.db;
        },
        defer: reader.defer,
        async emit(audience, event, live) {
          const row = { type: event.type, audience: JSON.stringify(audience), body: JSON.stringify(event) };
          const inserted = insertLogRow(reader, { ...row, realmId: realm.id, createdAt: now });
          const note = (id: number) => entries.push({ id, realmId: realm.id, audience, event, live });
          reader.defer(
            new Promise((resolve, reject) => inserted.then((rows) => resolve(note(onlyRow(rows).id)), reject)),
          );
        },
      };
      return run(tx);
    },
    (_value, { logHeadBefore }) => app.events.committed(realm.id, entries, logHeadBefore),
  );
}

/** The row of a statement that always gives one. */
export function onlyRow<Row>(rows: Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error("A statement that gives a row gave none.");
  return row;
}
