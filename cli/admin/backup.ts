import { accessSync, constants, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../../src/config/config";
import { isoTime, systemClock } from "../../src/core/clock";
import { codeOf } from "../../src/core/error-code";
import { badRequest } from "../../src/core/errors";
import { whyNotRead, whyNotWritten } from "../../src/core/storage/file-failure";
import { makeBackup } from "../../src/moving/backup/backup";
import { openOutput } from "../../src/moving/backup/output";
import { restoreBackup } from "../../src/moving/backup/restore";
import { isSqliteFile, restoreFile } from "../../src/moving/backup/restore-file";
import { readChunks } from "../../src/moving/backup/stored-files";
import { configOf } from "../command-config";
import { requireData, requireNamedData } from "../operator";
import type { CommonOptions } from "../options";
import { printNotice, printResult, UsageError } from "../output";
import { withProgress } from "../progress";
import { catchSignals } from "../signals";
import { makeStderrLog } from "../stderr-log";

/** Means stdout or stdin. */
const standardStream = "-";

/** `chatd admin backup FILE` */
export async function backUp(path: string, options: CommonOptions) {
  requireData(options);
  const config = configOf(options);
  const isStdout = path === standardStream;
  if (isStdout && process.stdout.isTTY)
    throw new UsageError("A backup cannot be written to a terminal: name a file.");
  const output = isStdout ? openStdout() : await openOutput(path);
  const check = catchSignals();
  try {
    const sink = (bytes: Uint8Array) => {
      check();
      return output.sink(bytes);
    };
    const log = makeStderrLog("warn", options);
    const scratchFolder = isStdout ? config.data : dirname(path);
    const report = await withProgress((progress) =>
      makeBackup(config, { sink, scratchFolder, now: systemClock.now(), progress, log }),
    );
    await output.keep();
    const line = `Backed up ${report.rows} rows and ${report.files} files. The file contains the server's secret: keep it safe.`;
    if (isStdout) printNotice(line);
    else {
      const data = { file: path, ...wireOf(report), files_missing: report.filesMissing };
      printResult(options, data, [line]);
    }
    if (report.filesMissing > 0) throw badRequest(missingFiles(report.filesMissing));
  } finally {
    await output.discard();
  }
}

/** The backup is kept, because it has everything else. */
const missingFiles = (count: number): string =>
  `${count === 1 ? "1 file was" : `${count} files were`} not found and ${count === 1 ? "is" : "are"} missing in the backup. ` +
  "Give this command the configuration of the servers, with the variables of an S3 store (CHATD_FILE_STORE, CHATD_S3_…). " +
  "If it has it: chatd admin check names the files.";

const wireOf = ({ rows, files }: { rows: number; files: number }) => ({ rows, files });

function openStdout() {
  const writer = Bun.stdout.writer();
  return {
    async sink(bytes: Uint8Array) {
      await orRefuse(async () => {
        writer.write(bytes);
        await writer.flush();
      });
    },
    keep: () => orRefuse(async () => void (await writer.end())),
    discard: async () => undefined,
  };
}

/**
 * Refuses where nobody can have the whole backup: an unfinished one must not look like a good one.
 */
async function orRefuse(write: () => Promise<void>) {
  try {
    await write();
  } catch (error) {
    const why =
      codeOf(error) === "EPIPE"
        ? "The program that reads the backup has ended before it had all of it."
        : whyNotWritten("The backup", error);
    throw badRequest(`${why} What was written is no whole backup: remove it.`);
  }
}

/** `chatd admin restore FILE [--force]` */
export async function restore(path: string, options: CommonOptions & { force?: boolean }) {
  requireNamedData(options);
  const config = configOf(options);
  if (path !== standardStream && isPlainFile(path) && isSqliteFile(path))
    return restoreCopy(config, path, options);
  const check = catchSignals();
  const isRepeatable = path !== standardStream && isPlainFile(path);
  const report = await withProgress((progress) =>
    restoreBackup(config, {
      open: () => watched(path === standardStream ? Bun.stdin.stream() : readFile(path), check),
      isRepeatable,
      replaces: options.force ?? false,
      now: systemClock.now(),
      progress,
    }),
  );
  const { manifest, aside } = report;
  const made_at = isoTime(manifest.createdAt);
  printResult(options, { ...wireOf(report), made_at, aside: aside ?? null }, [
    `Restored ${report.rows} rows and ${report.files} files, as they were at ${made_at}.`,
    ...linesOfAside(aside),
    ...(config.database === undefined || config.secret !== undefined
      ? []
      : [otherNodes(config.data)]),
    ...(config.fileStore === "s3" && report.files > 0 ? [notInStore(config.data)] : []),
  ]);
}

/** Restores a copy of a SQLite database from before a migration. */
async function restoreCopy(
  config: Config,
  path: string,
  options: CommonOptions & { force?: boolean },
) {
  const replaces = options.force ?? false;
  const { schema, aside } = await restoreFile(config, path, { replaces, now: systemClock.now() });
  printResult(options, { schema, aside: aside ?? null }, [
    `Restored the database from ${path}, with schema version ${schema}. Files and the secret were not changed.`,
    ...linesOfAside(aside),
  ]);
}

const linesOfAside = (aside: string | undefined): string[] =>
  aside === undefined ? [] : [`The old data is in ${aside}: delete it when you no longer need it.`];

const otherNodes = (data: string) =>
  `The secret is in ${data}: set it on all other nodes too, as CHATD_SECRET.`;

const notInStore = (data: string) =>
  `The files are in ${data}, not in S3. Move them there: chatd admin files move --to s3`;

function isPlainFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch (error) {
    throw badRequest(whyNotRead(path, error));
  }
}

async function* readFile(path: string): AsyncIterable<Uint8Array> {
  const file = await open(path, "r");
  try {
    yield* readChunks(file);
  } finally {
    await file.close();
  }
}

async function* watched(
  source: AsyncIterable<Uint8Array>,
  check: () => void,
): AsyncIterable<Uint8Array> {
  for await (const chunk of source) {
    check();
    yield chunk;
  }
}
