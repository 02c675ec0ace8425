import { accessSync, constants, existsSync, rmSync, statSync } from "node:fs";
import { badRequest } from "../../src/core/errors";
import { whyNotRead } from "../../src/core/storage/file-failure";
import { ownSchema } from "../../src/moving/backup/copies";
import { configFileOf, configOf } from "../command-config";
import type { CommonOptions } from "../options";
import { printNotice, printResult, UsageError } from "../output";
import { versionLine } from "../version-line";
import { foreignOwnerOf } from "../work-as-owner";
import { type Candidate, compareChecksum, inspect, requireSameMachine } from "./candidate";
import {
  fileRightsOf,
  finishPutBack,
  ownExecutable,
  previousOf,
  putBack,
  putInPlace,
  removeStaged,
  stage,
  undoPutInPlace,
} from "./executables";
import { ignoreSignals } from "./ignored-signals";
import { oneAtATime } from "./one-at-a-time";
import { copyBefore, isDataThere, isReturnCutOff, putCopyBack, readOwnData } from "./own-data";
import { findUnit, type Unit } from "./unit";

type UpgradeOptions = CommonOptions & {
  back?: boolean;
  force?: boolean;
  restart?: boolean;
  unit?: string;
};

/** `chatd upgrade FILE [--restart]`, `chatd upgrade --back [--force] [--restart]` */
export async function upgrade(file: string | undefined, options: UpgradeOptions) {
  const isBack = options.back === true;
  if (isBack === (file !== undefined))
    throw new UsageError(
      "Name the file with the new version, or use --back to go back to the previous version.",
    );
  const own = ownExecutable();
  const unit = findUnit(options.unit ?? "chatd");
  if (options.restart === true && unit === undefined)
    throw badRequest(
      "--restart needs systemd, which does not run here: restart the server yourself.",
    );
  requireDataRights(options);
  await oneAtATime(own, async () => {
    finishPutBack(own);
    removeStaged(own);
    if (file === undefined) await goBack(own, unit, options);
    else await goOn(file, own, unit, options);
  });
}

/**
 * Refuses to continue if no data is found, because a new version migrates it at a restart, and the
 * former version cannot read migrated data.
 */
function requireFoundData(options: UpgradeOptions) {
  if (isDataThere(options)) return;
  const { data } = configOf(options);
  const file = configFileOf(options) ?? "no configuration file";
  throw badRequest(
    [
      `No data was found in ${data} (${file} was read), so it could not be restored if the upgrade failed. Nothing was changed.`,
      "Name the data that the service uses: with --data or --database, or in the configuration file.",
      "/etc/chatd/environment is not read: what it sets has to be in the environment of this command too.",
      ...(options.back === true && options.restart !== true
        ? ["If there is no data, use --force to go back anyway."]
        : []),
    ].join("\n"),
  );
}

/** Refuses an account that may write to the folder of chatd, but not to the data. */
function requireDataRights(options: UpgradeOptions) {
  const { data } = configOf(options);
  const owner = foreignOwnerOf(data);
  if (owner !== undefined)
    throw badRequest(
      `The data in ${data} belongs to the account ${owner}, and this account may not change it. Run the command as root, with sudo.`,
    );
}

function requireReadable(file: string) {
  if (!existsSync(file)) throw badRequest(`There is no file ${file}.`);
  if (!statSync(file).isFile())
    throw badRequest(`${file} is no file. Name the file chatd, or its archive chatd-….tar.gz.`);
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw badRequest(whyNotRead(file, error));
  }
}

async function goOn(file: string, own: string, unit: Unit | undefined, options: UpgradeOptions) {
  requireReadable(file);
  if (options.restart === true) requireFoundData(options);
  const checksum = await compareChecksum(file);
  const staged = await stage(file, own);
  try {
    requireSameMachine(staged, own, file);
    const candidate = inspect(staged, file);
    if (candidate.line === versionLine()) {
      printResult(options, { version: candidate.version, upgraded: false }, [
        `${own} is already ${candidate.line}.`,
      ]);
      return;
    }
    if (checksum === undefined)
      printNotice(
        `The checksum of ${file} was not checked: put SHA256SUMS into its folder to check it.`,
      );
    const copy = copyData(own, candidate, options);
    ignoreSignals();
    putInPlace(staged, own);
    noticeLostRights(own);
    const facts = { version: candidate.version, upgraded: true, copy: copy ?? null };
    const lines = [
      `${own} is now ${candidate.line}; ${previousOf(own)} is ${versionLine()}.`,
      ...(copy === undefined ? [] : [`The database was copied to ${copy}.`]),
    ];
    if (options.restart === true && unit !== undefined)
      await restartOrReturn(own, candidate, unit, options);
    printResult(options, facts, [...lines, whatToDo(unit, options)]);
  } finally {
    rmSync(staged, { force: true });
  }
}

/** Warns that the new file lacks rights of the former one, such as using port 443. */
function noticeLostRights(own: string) {
  const rights = fileRightsOf(previousOf(own));
  if (rights !== "" && fileRightsOf(own) === "")
    printNotice(
      `The old file had capabilities that the new one does not have. Set them: setcap ${rights} ${own}`,
    );
}

/** Copies data that the new version will migrate. Refuses a version that cannot read the data. */
function copyData(own: string, candidate: Candidate, options: UpgradeOptions): string | undefined {
  if (!isDataThere(options)) {
    printNotice(
      "No data was found, so it was not copied: the new version copies it before it migrates. To copy it now, name the data with --data or --config.",
    );
    return undefined;
  }
  const { schema } = readOwnData(own, options);
  if (schema > candidate.schema)
    throw badRequest(
      `chatd ${candidate.version} is too old for this data, which has schema version ${schema}, not ${candidate.schema}. To go back to the previous version: chatd upgrade --back`,
    );
  return copyBefore(own, candidate.schema, options);
}

/**
 * Restarts the service. If the new version does not become ready, the former one takes over again.
 */
async function restartOrReturn(
  own: string,
  candidate: Candidate,
  unit: Unit,
  options: UpgradeOptions,
) {
  if (await unit.restart()) return;
  printNotice(
    `chatd ${candidate.version} does not become ready: going back to the previous version.`,
  );
  const returned = await returnAtOnce(own, candidate, unit, options);
  if (returned.fits) undoPutInPlace(own);
  const ready = readiness(await unit.restart());
  throw badRequest(
    [
      `chatd ${candidate.version} did not become ready: see journalctl -u ${unit.name}.`,
      ...(returned.why === undefined
        ? []
        : [`The data stays as the new version left it: ${returned.why}`]),
      ...(returned.fits
        ? [`${own} is ${versionLine()} again${ready}.`]
        : [
            `${own} stays ${candidate.line}, because the previous version cannot read the data${ready}.`,
            `When that is fixed, go back and restore the data: chatd upgrade --back --force --restart`,
          ]),
      ...(returned.aside === undefined
        ? []
        : [`The data as the new version left it is in ${returned.aside}.`]),
    ].join("\n"),
  );
}

const readiness = (isReady: boolean) =>
  isReady ? ", and it is ready" : ", but it does not get ready either";

/** The data after a failed upgrade. */
interface Returned {
  /** Where the migrated data is. */
  aside?: string | undefined;
  /** Reason why the data could not be put back. */
  why?: string;
  /** Whether the former version can read the data. */
  fits: boolean;
}

/** Puts the data back if needed; answers the reason if this is impossible. */
async function returnAtOnce(
  own: string,
  candidate: Candidate,
  unit: Unit,
  options: CommonOptions,
): Promise<Returned> {
  const fits = candidate.schema <= ownSchema();
  if (!(await unit.stop())) return { why: `${unit.name} cannot be stopped.`, fits };
  try {
    return { aside: returnData(own, ownSchema(), options), fits: true };
  } catch (error) {
    return { why: textOf(error), fits };
  }
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : `${error}`);

/**
 * Replaces data that was migrated too far with the newest copy that a schema can read; answers
 * where the migrated data is. The newer executable does it, because it knows all tables. If it
 * fails, the former one does it, which can replace a SQLite file as well.
 */
function returnData(newer: string, schema: number, options: CommonOptions): string | undefined {
  const executables = [newer, previousOf(newer)];
  const data = firstAnswer(executables, (one) => readOwnData(one, options));
  if (data.schema <= schema && !isReturnCutOff(options)) return undefined;
  const copy = data.copies.find((one) => one.schema <= schema);
  if (copy === undefined)
    throw badRequest(
      `The data has schema version ${data.schema}, the previous version knows only ${schema}, and there is no copy from before. Restore a backup: docs/upgrade.md`,
    );
  const able = configOf(options).database === undefined ? executables : [newer];
  return (
    firstAnswer(able, (one) => putCopyBack(one, copy.file, options)) ?? "the place where it was"
  );
}

/** The answer of the first executable that gives one; otherwise the failure of the first. */
function firstAnswer<T>(executables: readonly string[], ask: (executable: string) => T): T {
  const [first = "", ...others] = executables;
  try {
    return ask(first);
  } catch (error) {
    for (const other of others) {
      try {
        return ask(other);
      } catch {
        // The failure of the first one is reported.
      }
    }
    throw error;
  }
}

async function goBack(own: string, unit: Unit | undefined, options: UpgradeOptions) {
  const previous = previousOf(own);
  if (!existsSync(previous))
    throw badRequest(`There is no ${previous}: this chatd has not replaced another version.`);
  const former = inspect(previous);
  if (former.line === versionLine())
    throw badRequest(`${previous} is ${former.line} too: there is no other version to go back to.`);
  if (options.restart === true || options.force !== true) requireFoundData(options);
  if (isDataThere(options)) requireLoss(own, former, options);
  ignoreSignals();
  const aside = await stopAndReturn(own, former, unit, options);
  putBack(own);
  if (options.restart === true && unit !== undefined && !(await unit.restart()))
    throw badRequest(
      `${own} is ${former.line} again, but it does not become ready: see journalctl -u ${unit.name}`,
    );
  printResult(options, { version: former.version, aside: aside ?? null }, [
    `${own} is ${former.line} again; ${previous} is ${versionLine()}.`,
    ...(aside === undefined ? [] : [`The migrated data is in ${aside}.`]),
    whatToDo(unit, options),
  ]);
}

/** Stops the service and puts the data back. If this fails, the service continues as it was. */
async function stopAndReturn(
  own: string,
  former: Candidate,
  unit: Unit | undefined,
  options: UpgradeOptions,
): Promise<string | undefined> {
  const service = options.restart === true ? unit : undefined;
  if (service !== undefined && !(await service.stop()))
    throw badRequest(
      `${service.name} cannot be stopped, so nothing was changed: see systemctl status ${service.name}`,
    );
  try {
    return isDataThere(options) ? returnData(own, former.schema, options) : undefined;
  } catch (error) {
    if (service === undefined) throw error;
    const ready = readiness(await service.restart());
    throw badRequest(`${textOf(error)}\n${own} stays ${versionLine()}${ready}.`);
  }
}

/** Refuses to give up migrated data without the person's consent. */
function requireLoss(own: string, former: Candidate, options: UpgradeOptions) {
  const { schema, copies } = readOwnData(own, options);
  const isCutOff = isReturnCutOff(options);
  if ((schema <= former.schema && !isCutOff) || options.force === true) return;
  const copy = copies.find((one) => one.schema <= former.schema);
  throw badRequest(
    copy === undefined
      ? `The data has schema version ${schema}, chatd ${former.version} knows only ${former.schema}, and there is no copy from before. Restore a backup: docs/upgrade.md`
      : isCutOff
        ? `Going back to the previous version was interrupted. Run it again with --force, which restores the copy of ${copy.made_at}.`
        : `The data was migrated, and chatd ${former.version} cannot read it. --force restores the copy of ${copy.made_at}. The newer data is kept in a folder; in PostgreSQL it is deleted, so make a backup first.`,
  );
}

function whatToDo(unit: Unit | undefined, { restart }: UpgradeOptions): string {
  if (restart === true) return "The service was restarted, and is ready.";
  return unit?.isActive() === true
    ? `The service still runs the version from before this command. Restart it: systemctl restart ${unit.name}`
    : "A running server still runs the version from before this command: restart it.";
}
