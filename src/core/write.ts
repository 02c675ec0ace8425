import type { Transaction } from "../../db/engine";
import { type Given, type Reader, statement } from "../../db/reader";
import { digestOf } from "../memory/log-head";
import { tablesChangedType, takeCommitted } from "../memory/realm-memory";
import { type Audited, type AuditedBy, auditRow, joinNotes, logAct } from "./audit";
import type { App, LogEntry, LoggedEvent, Tx } from "./context";
import { traced } from "./traced";
import type { LongWork } from "./turns/loop-scheduler";
import { countWork } from "./turns/turn";

const insertLogRow = statement(
  (
    db,
    t,
    given: Given<{
      realmId: number;
      type: string;
      audience: string;
      body: string;
      createdAt: number;
    }>,
  ) =>
    db
      .insert(t.eventLog)
      .values({
        realmId: given.realmId,
        type: given.type,
        audience: given.audience,
        body: given.body,
        createdAt: given.createdAt,
      })
      .returning({ id: t.eventLog.id }),
);

/** Most rows of a table that the log names; beyond it all rows count as changed. */
const rowsNamedMax = 1_000;

/**
 * The event that tells the memory of every node which tables of the realm a write has changed, and
 * the ids of the changed rows where they are known and few. It goes into no client's queue.
 */
function tablesChanged(written: Transaction["written"]): LoggedEvent {
  const rows = [...written].flatMap(([table, ids]) =>
    ids && ids.size <= rowsNamedMax ? [[table, [...ids]]] : [],
  );
  const named = rows.length > 0 ? { rows: Object.fromEntries(rows) } : {};
  return { type: tablesChangedType, tables: [...written.keys()], ...named };
}

interface WriteScope {
  app: App;
  realm: { id: number };
  now: number;
  longWork?: LongWork | undefined;
}

/**
 * Runs a change and the events that announce it as one transaction of the realm, and answers after
 * the commit. `run` may await nothing but the database, and throws to roll everything back. Data
 * that was read before the transaction began may have changed, so check again inside.
 * `newMessages`: about how many messages it will store.
 */
export function write<T>(
  scope: WriteScope,
  run: (tx: Tx) => Promise<T>,
  newMessages = 0,
): Promise<T> {
  return traced(scope.app, storing, () => store(scope, run, newMessages));
}

const storing = { name: "write", kind: "internal" } as const;

async function store<T>(
  scope: WriteScope,
  run: (tx: Tx) => Promise<T>,
  newMessages: number,
): Promise<T> {
  const { app, realm, now } = scope;
  let entries: LogEntry[] = [];
  let afterwards: (() => void)[] = [];
  let act: { by: AuditedBy; noted: Audited } | undefined;
  return app.engine.write(
    realm.id,
    async (reader) => {
      entries = [];
      afterwards = [];
      act = undefined;
      const tx: Tx = {
        ...toolsOf(reader),
        now,
        jobs: app.jobs,
        get db() {
          return reader.db;
        },
        afterCommit: (then) => void afterwards.push(then),
        audit(by, noted) {
          act = { by, noted: joinNotes(act?.noted, noted) };
        },
        async emit(audience, event, live) {
          const row = {
            type: event.type,
            audience: JSON.stringify(audience),
            body: JSON.stringify(event),
            createdAt: now,
          };
          const inserted = insertLogRow(reader, { ...row, realmId: realm.id });
          const sizeBytes = row.audience.length + row.body.length + (live?.sizeBytes ?? 0);
          const entry = { realmId: realm.id, audience, event, live, sizeBytes };
          const note = (id: number) => entries.push({ id, ...entry, digest: digestOf(row) });
          reader.defer(inserted.then((rows) => note(onlyRow(rows).id)));
        },
      };
      const value = await countWork(scope.longWork, () => run(tx));
      if (act) await insertAct(tx, realm.id, act);
      if (reader.written.size > 0) await tx.emit({ to: "server" }, tablesChanged(reader.written));
      return value;
    },
    (_value, { logHeadBefore }) => {
      takeCommitted(app.engine.reader, realm.id, entries, logHeadBefore);
      app.events.committed(realm.id, entries, logHeadBefore);
      app.storage.stored("database");
      if (act) logAct(app.log, realm.id, act);
      for (const then of afterwards) then();
    },
    newMessages,
  );
}

/** Tools of the engine that a write's transaction hands on. */
const toolsOf = (given: Transaction) => {
  const { t, dialect, writeStandpoint, noteWrite, nextMessageId, defer, pause } = given;
  return { t, dialect, writeStandpoint, noteWrite, nextMessageId, defer, pause };
};

type AuditRow = ReturnType<typeof auditRow> & { realmId: number; createdAt: number };

const insertAuditRow = statement((db, { auditLog }, given: Given<AuditRow>) =>
  db.insert(auditLog).values({
    realmId: given.realmId,
    createdAt: given.createdAt,
    actorKind: given.actorKind,
    actorId: given.actorId,
    way: given.way,
    keyId: given.keyId,
    address: given.address,
    client: given.client,
    action: given.action,
    targetKind: given.targetKind,
    targetIds: given.targetIds,
    details: given.details,
  }),
);

/** The one row of the audit log of a write that is audited. */
export async function insertAct(
  tx: Reader & Pick<Tx, "now">,
  realmId: number,
  { by, noted }: { by: AuditedBy; noted: Audited },
): Promise<void> {
  await insertAuditRow(tx, { ...auditRow(by, noted), realmId, createdAt: tx.now });
}

/** The row of a statement that always gives exactly one. */
export function onlyRow<Row>(rows: Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error("A statement that gives a row gave none.");
  return row;
}
