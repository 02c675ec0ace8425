import { isoTime, systemClock } from "../../src/core/clock";
import { requireFinishedRestore } from "../../src/core/storage/unfinished-restore";
import { listOwnCopies, readSchema, tidyOwnCopies } from "../../src/moving/backup/copies";
import { copyDatabase } from "../../src/moving/backup/copy-database";
import { configOf } from "../command-config";
import { requireData } from "../operator";
import type { CommonOptions } from "../options";
import { formatTable, printResult, UsageError } from "../output";

/** `chatd admin copy make [--before SCHEMA]` */
export async function makeCopy(options: CommonOptions & { before?: string }) {
  const before = options.before === undefined ? undefined : Number(options.before);
  if (before !== undefined && !Number.isSafeInteger(before))
    throw new UsageError("--before is a version of the schema, a whole number.");
  requireData(options);
  const config = configOf(options);
  requireFinishedRestore(config.data);
  const schema = await readSchema(config);
  if (before !== undefined && schema >= before) {
    printResult(options, { schema, file: null }, [
      `No copy is needed: the data already has schema version ${schema}.`,
    ]);
    return;
  }
  const file = await copyDatabase(config, systemClock.now());
  const removed = tidyOwnCopies(config, schema, systemClock.now());
  printResult(options, { schema, file, removed }, [
    `The database, with schema version ${schema}, was copied to ${file}.`,
    `The number in the name is the next schema version, because copies are made before a migration.`,
    ...removed.map((path) => `Removed ${path}, which is older than those that are kept.`),
  ]);
}

/** `chatd admin copy list` */
export async function showCopies(options: CommonOptions) {
  requireData(options);
  const config = configOf(options);
  const schema = await readSchema(config);
  const copies = listOwnCopies(config).map((copy) => ({
    file: copy.path,
    schema: copy.schema,
    made_at: isoTime(copy.madeAt),
  }));
  printResult(options, { schema, copies }, [
    `The data has schema version ${schema}.`,
    ...(copies.length === 0
      ? ["There is no copy."]
      : formatTable(
          ["Schema", "Made at", "File"],
          copies.map((copy) => [`${copy.schema}`, copy.made_at, copy.file]),
        )),
  ]);
}
