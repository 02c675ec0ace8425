import { findDamage, findMissingLog } from "../../../db/find-damage";
import type { Config } from "../../config/config";
import type { App } from "../../core/context";
import { placeOf } from "../../core/storage/data-place";
import { checkFiles } from "./files";
import { checkIndex, makeIndexAnew } from "./index-agreement";
import { checkReferences } from "./references";

/** A problem that a check has found. */
export interface Finding {
  part: "database" | "rows" | "search index" | "files";
  what: string;
  /** Advice for the operator. */
  whatToDo: string;
  /** Whether it is a problem of the search index, which building the index again repairs. */
  isOfIndex: boolean;
}

/** Reports progress. It must not wait for anything. */
export type Progress = (what: string, done: number) => void;

const restoreBackup =
  "Stop the server, copy the data folder as it is, and restore a backup: chatd admin restore. An index of PostgreSQL can be " +
  "rebuilt with REINDEX.";

const startWithoutLog =
  "If the log cannot be found, start the server: it continues with the data in the database. Then check again. Or restore a backup: chatd admin restore.";

/**
 * Finds damage of the database itself; notes tell the operator which part was not checked. Opens it
 * read-only, because a write could make damage worse.
 */
export async function checkDatabase(
  config: Config,
  progress: Progress,
): Promise<{ findings: Finding[]; notes: string[] }> {
  const missing = findMissingLog(placeOf(config));
  if (missing !== undefined) {
    // The other checks would open the file, and SQLite would then create an empty log, so that the
    // next check could not find this problem any more.
    return {
      findings: [{ part: "database", what: missing, whatToDo: startWithoutLog, isOfIndex: false }],
      notes: [],
    };
  }
  let tables = 0;
  const report = await findDamage(placeOf(config), () => {
    tables += 1;
    progress("Tables", tables);
  });
  const findings = report.findings.map((what): Finding => {
    const isOfIndex = what.startsWith("message_words");
    return {
      part: "database",
      what,
      isOfIndex,
      whatToDo: isOfIndex ? makeIndexAnew : restoreBackup,
    };
  });
  const { notLookedAt } = report;
  const notes =
    notLookedAt === undefined
      ? []
      : [`The indexes of PostgreSQL were not looked at: ${notLookedAt}.`];
  return { findings, notes };
}

/**
 * Finds contradictions in the data: rows that name missing rows, differences between messages and
 * the search index, and missing files. Reads one page of rows at a time. Names 20 missing files of
 * an organization and counts the others, unless `namesAll`.
 */
export async function checkContent(
  app: Pick<App, "engine" | "files">,
  progress: Progress,
  wanted: { namesAll?: boolean } = {},
): Promise<Finding[]> {
  const { db, t } = app.engine.reader;
  const realms = (await db.select().from(t.realms)).filter(({ isActive }) => isActive);
  const findings: Finding[] = [];
  for (const { id } of realms) {
    findings.push(...(await checkReferences(app.engine.reader, id, progress)));
    findings.push(...(await checkIndex(app.engine.reader, id, progress)));
    findings.push(...(await checkFiles(app, id, progress, wanted)));
  }
  return findings;
}
