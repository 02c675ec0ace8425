import { closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import { chmod, copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { isInDataFolder } from "../../../db/open";
import { isInUse, requireKnownVersion } from "../../../db/rows";
import { readVersionWithoutWriting, renumberSqlite } from "../../../db/sqlite-rows";
import { DataInUseError } from "../../../db/stored-rows";
import type { Config } from "../../config/config";
import { badRequest } from "../../core/errors";
import { placeOf } from "../../core/storage/data-place";
import { numberingAfter } from "./numbering";
import { beginReplacingAlone, findOwn, finishReplacing, makeStage, replaceOwn } from "./stage";

const privateFile = 0o600;
const sqliteMark = "SQLite format 3\0";

/** Whether a file is a SQLite database, such as a copy from before a migration. */
export function isSqliteFile(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(sqliteMark.length);
    readSync(file, head, 0, head.length, 0);
    return head.toString("latin1") === sqliteMark;
  } finally {
    closeSync(file);
  }
}

/**
 * Puts a copy of the database in the place of the database. Files and the secret stay as they are.
 * Either all of it happens or nothing: the former database goes into a folder of its own, whose
 * name is answered.
 *
 * Refuses data that a process is using, a copy of a newer chatd, and without `replaces` any place
 * that is not empty. `now` is UNIX seconds.
 */
export async function restoreFile(
  config: Config,
  path: string,
  { replaces, now }: { replaces: boolean; now: number },
): Promise<{ schema: number; aside: string | undefined }> {
  const place = placeOf(config);
  if (!isInDataFolder(place))
    throw badRequest(
      `${path} is a SQLite database, and this data is in PostgreSQL: name a backup, or an archive before-schema-….tar.`,
    );
  if (!replaces && findOwn(config.data).length > 0)
    throw badRequest(
      `${config.data} is not empty. With --force, its database is put aside into a folder of its own.`,
    );
  if (existsSync(`${path}-wal`))
    throw badRequest(
      `${path} is a database in use, or its log is beside it: make a copy of it with chatd admin copy make.`,
    );
  const schema = versionOf(path);
  requireKnownVersion(place, schema);
  if (await isInUse(place)) throw new DataInUseError();
  const stage = await makeStage(config.data);
  try {
    const staged = join(stage, "chatd.db");
    await copyFile(path, staged, constants.COPYFILE_FICLONE);
    await chmod(staged, privateFile);
    await renumberSqlite(staged, (lastIds) => numberingAfter(lastIds, now - madeAt(path)));
    await beginReplacingAlone(place, "rows");
    const aside = await replaceOwn(config.data, stage, now, "rows");
    await finishReplacing(config.data);
    return { schema, aside };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** UNIX seconds. */
const madeAt = (path: string): number => Math.floor(statSync(path).mtimeMs / 1000);

function versionOf(path: string): number {
  try {
    const schema = readVersionWithoutWriting(path);
    if (schema > 0) return schema;
  } catch {
    // Refused below.
  }
  throw badRequest(`${path} is no whole database of chatd. Nothing was changed.`);
}
