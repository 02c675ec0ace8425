import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { App } from "../../core/context";
import { badRequest } from "../../core/errors";
import { whyNotRead } from "../../core/storage/file-failure";
import { prepareRealm } from "../../management/organization/create";
import type { Progress } from "../backup/progress";
import { readChunks } from "../backup/stored-files";
import { type StagedRealm, stageArchive } from "../realm-archive/stage";
import { findBegun } from "./begin";
import { type ImportReport, importRealm, previewImport } from "./realm-import";
import { type Skipped, SkipReport } from "./report";
import type { ImportSource } from "./sources";

interface FileWanted {
  from: ImportSource;
  /** The host name of the organization here. */
  host: string;
  /** Its name here; the one in the file by default. */
  name: string | undefined;
  /** Whether to report what would be imported, without importing it. */
  isDry: boolean;
}

interface Surroundings {
  progress: Progress;
  tell?: (skipped: Skipped) => void;
}

/**
 * Imports an organization from a file, for the operator, while servers keep running: see
 * `importRealm`. Refuses a file that cannot be read or is incomplete, and a host in use
 * (BAD_REQUEST).
 */
export async function importFile(
  app: App,
  path: string,
  { from, host, name, isDry }: FileWanted,
  surroundings: Surroundings,
): Promise<ImportReport> {
  return withFile(path, async (file) => {
    await requireForm(file, from);
    const digest = await digestOf(file, from);
    // A host in use is refused before anything is fetched or unpacked.
    const begun = await findBegun(app, hostOf(host), digest);
    const isFetching = !isDry && begun?.row.finishedAt == null;
    const report = new SkipReport({}, surroundings.tell);
    const { progress } = surroundings;
    const staged = await stage(
      app,
      { path, file },
      { from, host, name, isFetching, digest },
      { progress, report },
    );
    try {
      const wanted = { host, name: name ?? staged.manifest.realm.name, digest };
      const take = isDry ? previewImport : importRealm;
      const answer = await take(app, staged, wanted, surroundings);
      return { ...answer, skipped: { ...report.counts, ...answer.skipped } };
    } finally {
      await staged.discard();
    }
  });
}

type Wanted = Omit<FileWanted, "isDry"> & { digest: string; isFetching: boolean };

const hostOf = (host: string) => prepareRealm({ host, name: "any" }).host;

/** Stages the organization of the file in the format of chatd, on the disk of this machine. */
async function stage(
  app: App,
  { path, file }: { path: string; file: FileHandle },
  { from, host, name, isFetching, digest }: Wanted,
  { progress, report }: { progress: Progress; report: SkipReport },
): Promise<StagedRealm> {
  if (from === "slack") {
    const { stageSlack } = await import("./slack/convert");
    return stageSlack(
      app,
      file,
      { host, name: name ?? "Imported from Slack", digest, isFetching },
      { progress, report },
    );
  }
  if (from === "zulip") {
    const { stageReference } = await import("./reference/convert");
    return stageReference(app, path, { host, name, digest }, { progress, report });
  }
  return stageArchive(app.config.data, readChunks(file, 0), {
    now: app.clock.now(),
    progress,
    leaveOut: (table, which, why) => report.add(table, which, why),
  });
}

/** The formats of files, by the first bytes of a file. */
const beginnings = [
  { bytes: "504b", form: "a ZIP archive, as exports of Slack are", source: "slack" },
  { bytes: "1f8b", form: "a tar.gz, as exports of Zulip are", source: "zulip" },
] as const;

/** Refuses a file whose first bytes show another format. */
async function requireForm(file: FileHandle, from: ImportSource): Promise<void> {
  if (!(await file.stat()).isFile())
    throw badRequest("This file cannot be read. Name the file of the export.");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
  const begins = buffer.subarray(0, bytesRead).toString("hex");
  const found = beginnings.find(({ bytes }) => bytes === begins);
  if (found && found.source !== from)
    throw badRequest(`This is ${found.form}. Import it with --from ${found.source}.`);
}

async function digestOf(file: FileHandle, from: ImportSource): Promise<string> {
  const hash = createHash("sha256").update(`${from}\n`);
  for await (const chunk of readChunks(file, 0)) hash.update(chunk);
  return hash.digest("hex");
}

async function withFile<Result>(
  path: string,
  work: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  // Non-blocking, because opening a pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      throw badRequest(whyNotRead(path, error));
    },
  );
  return work(file).finally(() => file.close());
}
