import { and, eq, isNotNull, min, notExists, notInArray, sql } from "drizzle-orm";
import { type ExportedTable, exportedTables } from "../../../db/schema/tables";
import type { StoredTable, StoredValue } from "../../../db/stored-rows";
import { takenTables, takeRows } from "../../../db/take-rows";
import type { App, RealmRow, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { operatorContext } from "../../core/operator";
import { version } from "../../core/version";
import { write } from "../../core/write";
import { prepareRealm } from "../../management/organization/create";
import { rendererVersion, renderMarkdown } from "../../markdown/render";
import { rerenderJob } from "../../messages/rendering/rerender";
import { insertApiKey } from "../../sign-in/api-keys";
import { sumOfFiles } from "../../uploads/room";
import type { Progress } from "../backup/progress";
import { IdSet } from "../realm-archive/id-set";
import type { StagedRealm } from "../realm-archive/stage";
import { adjustRow, objectOr, pictureForm } from "./adjust";
import { beginImport, findBegun, type ImportRow, parseShifts, plannedShifts } from "./begin";
import { enqueueLater } from "./enqueue-later";
import { parseCounts, type Skipped, SkipReport } from "./report";
import { mapRow } from "./rows";
import { type Shifts, shiftId } from "./shifts";
import { closedChannelsOf, fieldTypesOf } from "./staged-facts";
import { fileMissing, filesIn, takeFiles } from "./take-files";
import { TakenRows } from "./taken-rows";
import { type Mapping, RowRefusal } from "./values";

/**
 * Number of rows in one write, so that other writes wait no longer for it than for the write of a
 * large message.
 */
const rowsPerWrite = 200;

interface ImportWanted {
  host: string;
  name: string;
  /** Digest that identifies this import. It depends only on the file and the options. */
  digest: string;
}

export interface ImportReport {
  /** The imported organization; undefined after a preview, because a preview imports nothing. */
  realm: RealmRow | undefined;
  /** Whether the import was already complete before. */
  wasThere: boolean;
  /** Number of its rows in each table. */
  rows: Record<string, number>;
  /** Number of skipped items by reason. */
  skipped: Record<string, number>;
}

interface Surroundings {
  progress: Progress;
  /** Called for each skipped item. */
  tell?: (skipped: Skipped) => void;
}

/** The last imported row. */
interface Place {
  table: string | null;
  row: number | null;
}

interface Work {
  app: App;
  staged: StagedRealm;
  realm: RealmRow;
  mapping: Mapping;
  taken: TakenRows;
  closedChannels: ReadonlySet<number>;
  report: SkipReport;
  progress: Progress;
  place: Place;
}

/**
 * Imports a staged organization with new ids for all objects, while servers keep running. It
 * imports a piece at a time, and nobody sees the organization until it is complete. An interrupted
 * import continues where it was; a repetition of a complete one changes nothing. Invalid rows are
 * skipped and reported. Refuses a host that another organization uses (BAD_REQUEST).
 */
export async function importRealm(
  app: App,
  staged: StagedRealm,
  { host, name, digest }: ImportWanted,
  { progress, tell }: Surroundings,
): Promise<ImportReport> {
  const prepared = prepareRealm({ host, name });
  const begun =
    (await findBegun(app, prepared.host, digest)) ??
    (await beginImport(app, prepared, digest, staged.rows));
  const { realm, row } = begun;
  const report = new SkipReport(parseCounts(row.skipped), tell);
  const rows = countRows(staged);
  const answer = { rows, skipped: report.counts };
  if (row.finishedAt !== null) return { realm, wasThere: true, ...answer };
  const place = { table: row.currentTable, row: row.lastRow };
  const taken = new TakenRows();
  const mapping = mappingOf(staged, realm, parseShifts(row.shifts), taken);
  const closedChannels = closedChannelsHere(staged, mapping);
  const work: Work = {
    app,
    staged,
    realm,
    mapping,
    taken,
    closedChannels,
    report,
    progress,
    place,
  };
  await takeTables(work, row);
  await takeFiles(work);
  return { realm: await finish(work), wasThere: false, ...answer };
}

const countRows = ({ rows }: StagedRealm): Record<string, number> =>
  Object.fromEntries(exportedTables().map(({ name }) => [name, rows.count(name)]));

function mappingOf(
  { manifest, rows }: StagedRealm,
  { id, host }: Pick<RealmRow, "id" | "host">,
  shifts: Shifts,
  { lacks }: TakenRows,
): Mapping {
  return {
    shifts,
    isLeftOut: lacks,
    realmId: { from: manifest.realm.id, to: id },
    host: { from: manifest.realm.host, to: host },
    render: (source, bytesMax) => renderMarkdown(source, undefined, bytesMax).html,
    fieldTypes: fieldTypesOf(rows),
  };
}

const closedChannelsHere = ({ rows }: StagedRealm, { shifts }: Mapping): Set<number> =>
  new Set([...closedChannelsOf(rows)].flatMap((id) => shiftId(shifts, "channels", id) ?? []));

/** Imports the tables, except the row of the organization itself, which `finish` writes. */
async function takeTables(work: Work, { currentTable, lastRow }: ImportRow) {
  const names = exportedTables()
    .map(({ name }) => name)
    .filter((name) => name !== "realms");
  const first = names.findIndex((name) => name === currentTable);
  for (const [at, name] of names.entries()) {
    const table = work.staged.rows.tables.find((one) => one.name === name);
    if (table && at >= first) await takeTable(work, name, table, at === first ? (lastRow ?? 0) : 0);
    await work.taken.read(work.app.engine.reader, name, work.realm.id);
  }
}

async function takeTable(work: Work, name: ExportedTable, table: StoredTable, after: number) {
  const { staged, progress } = work;
  const total = staged.rows.count(name);
  for (let place = after, done = 0; ; ) {
    const { rows, last } = staged.rows.page(table, place, rowsPerWrite);
    if (rows.length === 0) return;
    const taken = rows
      .map((row) => mapped(work, name, table, row))
      .filter((row) => row !== undefined);
    await write(scopeOf(work), async (tx) => {
      // Two rows may become equal only here, such as addresses that differ in the case of a host's
      // name. The first of them is imported.
      await takeRows(tx, name, taken, { passesOver: true });
      await noteProgress(tx, work, { table: name, row: last });
    });
    work.place = { table: name, row: last };
    [place, done] = [last, done + rows.length];
    progress(name, done, total);
  }
}

const scopeOf = ({ app, realm }: Work) => ({ app, realm, now: app.clock.now() });

function mapped(
  work: Preview,
  name: ExportedTable,
  table: StoredTable,
  row: readonly StoredValue[],
) {
  const { app, mapping, closedChannels, report } = work;
  const target = takenTables(app.engine.schema).get(name);
  if (!target) throw new Error(`There is no table ${name}.`);
  try {
    return adjustRow(
      { secrets: app.secrets, host: mapping.host, closedChannels },
      name,
      mapRow(mapping, name, table, target, row),
    );
  } catch (error) {
    if (!(error instanceof RowRefusal)) throw error;
    report.add(name, String(row[table.columns.indexOf("id")] ?? "?"), error.message);
    return undefined;
  }
}

/** Refuses to continue when another process has continued or finished this import meanwhile. */
async function requireAlone(tx: Tx, { realm, place }: Work) {
  const { realmImports: i } = tx.t;
  const [now] = await tx.db.select().from(i).where(eq(i.realmId, realm.id));
  const isHere =
    now && now.finishedAt === null && now.currentTable === place.table && now.lastRow === place.row;
  if (!isHere)
    throw badRequest("Another command is importing this file, or its organization was deleted.");
}

async function noteProgress(tx: Tx, work: Work, { table, row }: Place) {
  const { realm, report } = work;
  const { realmImports: i } = tx.t;
  await requireAlone(tx, work);
  await tx.db
    .update(i)
    .set({ currentTable: table, lastRow: row, skipped: JSON.stringify(report.counts) })
    .where(eq(i.realmId, realm.id));
}

/**
 * Activates the organization: writes its settings, makes API keys for its bots, and enqueues its
 * scheduled work.
 */
async function finish(work: Work): Promise<RealmRow> {
  const { app, realm, report } = work;
  const scope = scopeOf(work);
  const own = ownRow(work);
  return write(scope, async (tx) => {
    const { realms, realmImports } = tx.t;
    await requireAlone(tx, work);
    await enqueueLater(tx, work);
    await noteFirstMessages(tx, realm.id);
    await forgetMissingOwners(tx, realm.id);
    await issueBotKeys(tx, work);
    // Messages are rendered again, because another version of chatd may have rendered them
    // differently.
    if (work.staged.manifest.chatd !== version) {
      await rerenderJob.enqueue(
        tx,
        { app, realm },
        { version: rendererVersion, after: 0 },
        { key: "all" },
      );
    }
    const [finished] = await tx.db
      .update(realms)
      .set({ ...own, uploadedBytes: await sumOfFiles(tx, realm.id), isActive: true })
      .where(eq(realms.id, realm.id))
      .returning();
    if (!finished) throw badRequest("The organization has been deleted in the meantime.");
    tx.audit(operatorContext(app, finished), {
      action: "realm.import",
      kind: "realm",
      after: importedFacts(work),
    });
    const skipped = JSON.stringify(report.counts);
    await tx.db
      .update(realmImports)
      .set({ currentTable: null, lastRow: null, skipped, finishedAt: app.clock.now() })
      .where(eq(realmImports.realmId, realm.id));
    return finished;
  });
}

/** Facts about an import for the audit log. */
function importedFacts({ staged: { manifest, rows } }: Work) {
  const [users, channels, messages] = (["users", "channels", "messages"] as const).map((table) =>
    rows.count(table),
  );
  return { from: manifest.realm.host, users, channels, messages };
}

/** Columns of the organization's own row, except its name and host. */
function ownRow(work: Work): Partial<RealmRow> {
  const table = work.staged.rows.tables.find(({ name }) => name === "realms");
  const [row] = table ? work.staged.rows.page(table, 0, 1).rows : [];
  const values = table && row ? mapped(work, "realms", table, row) : undefined;
  if (!values) return {};
  const text = (column: string) =>
    typeof values[column] === "string" ? values[column] : undefined;
  const picture = (column: string) =>
    pictureForm.test(text(column) ?? "") ? text(column) : undefined;
  const digest = (column: string) =>
    /^[0-9a-f]{64}$/.test(text(column) ?? "") ? text(column) : undefined;
  return {
    settings: text("settings") ?? "{}",
    userDefaults: objectOr(values["user_defaults"]),
    createdAt: Number(values["created_at"]),
    hasAlertWords: work.staged.rows.count("alert_words") > 0,
    hasLinkifiers: work.staged.rows.count("linkifiers") > 0,
    iconFile: picture("icon_file") ?? null,
    logoFile: picture("logo_file") ?? null,
    nightLogoFile: picture("night_logo_file") ?? null,
    iconDigest: digest("icon_digest") ?? null,
    logoDigest: digest("logo_digest") ?? null,
    nightLogoDigest: digest("night_logo_digest") ?? null,
  };
}

/**
 * Stores the first message of each channel whose first message was left out. Channels are imported
 * before messages.
 */
async function noteFirstMessages({ db, t: { channels, messages } }: Tx, realmId: number) {
  const isIn = and(eq(messages.realmId, realmId), eq(messages.channelId, channels.id));
  const oldest = db
    .select({ id: min(messages.id) })
    .from(messages)
    .where(isIn);
  const named = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.realmId, realmId), eq(messages.id, channels.firstMessageId)));
  await db
    .update(channels)
    .set({ firstMessageId: sql`(${oldest})` })
    .where(and(eq(channels.realmId, realmId), notExists(named)));
}

/**
 * Leaves bots without an owner whose owner was left out. A bot may be imported before its owner.
 */
async function forgetMissingOwners({ db, t: { users } }: Tx, realmId: number) {
  const people = db.select({ id: users.id }).from(users).where(eq(users.realmId, realmId));
  await db
    .update(users)
    .set({ botOwnerId: null })
    .where(and(eq(users.realmId, realmId), notInArray(users.botOwnerId, people)));
}

/** Makes API keys for bots, because exports do not contain them. */
async function issueBotKeys(tx: Tx, { app, realm }: Work) {
  const { users } = tx.t;
  const isBot = and(
    eq(users.realmId, realm.id),
    isNotNull(users.botType),
    eq(users.isSystemBot, false),
  );
  const ctx = operatorContext(app, realm);
  for (const bot of await tx.db.select().from(users).where(isBot)) {
    if (bot.isActive) await insertApiKey(tx, ctx, bot, "imported");
  }
}

/** Checks everything as an import does, but changes nothing. */
export async function previewImport(
  app: App,
  staged: StagedRealm,
  { host, name, digest }: ImportWanted,
  { progress, tell }: Surroundings,
): Promise<ImportReport> {
  const prepared = prepareRealm({ host, name });
  const begun = await findBegun(app, prepared.host, digest);
  const report = new SkipReport({}, tell);
  const taken = new TakenRows();
  const planned = plannedShifts(staged.rows);
  const mapping = mappingOf(staged, { id: 0, host: prepared.host }, planned, taken);
  const closedChannels = closedChannelsHere(staged, mapping);
  const work = { app, staged, mapping, taken, closedChannels, report };
  for (const { name: table } of exportedTables()) {
    const found = staged.rows.tables.find((one) => one.name === table);
    if (found) previewTable(work, table, found, progress);
  }
  const rows = countRows(staged);
  return {
    realm: begun?.realm,
    wasThere: begun?.row.finishedAt != null,
    rows,
    skipped: report.counts,
  };
}

type Preview = Pick<Work, "app" | "staged" | "mapping" | "taken" | "closedChannels" | "report">;

function previewTable(work: Preview, name: ExportedTable, table: StoredTable, progress: Progress) {
  const ids = new IdSet();
  for (let after = 0, done = 0; ; ) {
    const { rows, last } = work.staged.rows.page(table, after, rowsPerWrite);
    if (rows.length === 0) break;
    for (const row of rows) {
      const taken = mapped(work, name, table, row);
      if (!taken) continue;
      if (typeof taken["id"] === "number") ids.add(taken["id"]);
      for (const file of name === "attachments" ? filesIn(name, table, row) : []) {
        if (work.staged.file(file) === undefined) work.report.add("files", file, fileMissing);
      }
    }
    [after, done] = [last, done + rows.length];
    progress(name, done);
  }
  work.taken.note(name, ids);
}
