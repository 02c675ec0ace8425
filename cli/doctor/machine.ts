import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statfsSync,
  statSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Config } from "../../src/config/config";
import { systemClock } from "../../src/core/clock";
import { isOwnName } from "../../src/core/storage/data-folder-access";
import { listKeptCopies } from "../../src/moving/backup/copies";
import { nearestFolder } from "../startup-problems";
import { isReadByOthers } from "./configuration";
import type { Finding } from "./finding";

const freeBytesMin = 256 * 1024 * 1024;
const freePartMin = 0.05;
const walBytesMax = 128 * 1024 * 1024;
const copyDaysMax = 30;
const mib = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;

/** All problems that the data folder shows without opening the data. */
export function findInDataFolder(config: Config): Finding[] {
  const { data, database } = config;
  const folder = resolve(data);
  // A file in place of the folder is a problem of the configuration.
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) return [];
  return [
    ...findFullDisk(folder),
    ...(existsSync(folder) ? [...findOpenFiles(folder), ...findCopies(folder, config)] : []),
    ...(database === undefined ? findLongLog(folder) : []),
  ];
}

function findFullDisk(folder: string): Finding[] {
  const there = nearestFolder(folder);
  const { bavail, blocks, bsize } = statfsSync(there);
  const freeBytes = bavail * bsize;
  if (freeBytes >= freeBytesMin && bavail / blocks >= freePartMin) return [];
  const percent = Math.floor((bavail / blocks) * 100);
  return [
    {
      check: "disk",
      what: `The disk of ${there} has ${mib(freeBytes)} left, ${percent} % of it: soon chatd cannot store anything.`,
      remedy:
        "Free some space, or move the data to a larger disk. upload_quota_mib limits uploads.",
    },
  ];
}

/** Files that other accounts may read, and files that the server's account may not write. */
function findOpenFiles(folder: string): Finding[] {
  const owner = statSync(folder).uid;
  const own = readdirSync(folder)
    .filter(isOwnName)
    .map((name) => join(folder, name));
  const found = own.flatMap((path) => {
    const status = statSync(path, { throwIfNoEntry: false });
    return status ? [{ path, status }] : [];
  });
  const open = found.filter(({ status }) => (status.mode & 0o077) !== 0);
  const strange = found.filter(({ status }) => status.uid !== owner);
  const findings: Finding[] = [];
  if (open.length > 0)
    findings.push({
      check: "permissions",
      what: `Other accounts of this machine can access ${listed(open)}.`,
      remedy: `Remove their access: chmod -R go= ${folder}`,
    });
  if (strange.length > 0)
    findings.push({
      check: "permissions",
      what: `The server may not change ${listed(strange)}, because its owner is not the owner of ${folder}.`,
      remedy: `Change the owner: chown -R --reference=${folder} ${folder}`,
    });
  return findings;
}

const listed = (found: readonly { path: string }[]) => {
  const [first, ...others] = found.map(({ path }) => path);
  return others.length === 0 ? first : `${first} and ${others.length} more`;
};

/** Old copies, except the newest ones before migrations, which are kept on purpose. */
function findCopies(folder: string, config: Config): Finding[] {
  const oldest = systemClock.nowMilliseconds() - copyDaysMax * 86_400_000;
  const atPath = (name: string) => ({ path: join(folder, name), name });
  const newestFirst = readdirSync(folder)
    .map(atPath)
    .map((copy) => ({ ...copy, changedAt: changeOf(copy.path) }))
    .toSorted((one, other) => other.changedAt - one.changedAt);
  const asides = newestFirst.filter(({ name }) => name.startsWith("before-restore-"));
  const kept = new Set(listKeptCopies(config).map(({ path }) => basename(path)));
  const copies = newestFirst.filter(
    ({ name }) => /^(.+\.)?before-schema-/.test(name) && !kept.has(name),
  );
  const old = [...asides, ...copies]
    .filter(({ changedAt }) => changedAt < oldest)
    .map(({ path }) => path);
  if (old.length === 0) return [];
  const sum = old.reduce((bytes, path) => bytes + sizeBelow(path), 0);
  return [
    {
      check: "copies",
      what: `Copies of old data, older than ${copyDaysMax} days, use ${mib(sum)}.`,
      remedy: `If you need nothing from them, remove them: rm -r ${old.join(" ")}`,
    },
  ];
}

/** Times of a link itself, because its target may be gone. */
const changeOf = (path: string) =>
  lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;

/** Bytes of a file, or of everything in a folder; files that are removed meanwhile count as 0. */
function sizeBelow(path: string): number {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status?.isDirectory() !== true) return status?.size ?? 0;
  return namesIn(path).reduce((sum, name) => sum + sizeBelow(join(path, name)), 0);
}

function findLongLog(folder: string): Finding[] {
  const database = join(folder, "chatd.db");
  const path = `${existsSync(database) ? realpathSync(database) : database}-wal`;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= walBytesMax) return [];
  return [
    {
      check: "wal",
      what: `SQLite's write-ahead log ${path} has ${mib(size)}, because another program has the database open for a long time: reading becomes slow.`,
      remedy: `Stop the program that has the database open (fuser -v ${path}), then restart the server.`,
    },
  ];
}

const unitFolders = ["/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system"];

/** All problems that the systemd units show. */
export function findInUnits(unit: string | undefined): Finding[] {
  const units = unit === undefined ? usualUnits() : [{ path: unit, dropIns: dropInsOf(unit) }];
  return units.flatMap(({ path, dropIns }) => {
    const text = [path, ...dropIns].map((file) => readFileSync(file, "utf8")).join("\n");
    return [...findHostileUnit(path, text), ...findOpenEnvironment(path, text)];
  });
}

/** A file with variables of the unit, such as secrets, that other accounts may read. */
function findOpenEnvironment(unit: string, text: string): Finding[] {
  const files = [...text.matchAll(/^\s*EnvironmentFile\s*=\s*-?(\/\S+)/gm)].map(
    ([, file = ""]) => file,
  );
  return files.filter(isReadByOthers).map((file) => ({
    check: "permissions",
    what: `Each account of this machine can read ${file}, from which the unit ${unit} takes secrets.`,
    remedy: `Let only root read it, because systemd reads it as root: chmod 600 ${file}`,
  }));
}

/** A setting that keeps the runtime from compiling frequent code. */
function findHostileUnit(path: string, text: string): Finding[] {
  const settings = [...text.matchAll(/^\s*MemoryDenyWriteExecute\s*=\s*(\S*)/gim)];
  const isDenied = /^(yes|true|on|1)$/i.test(settings.at(-1)?.[1] ?? "");
  if (!isDenied && !/\bBUN_JSC_useJIT=(0|false)\b/.test(text)) return [];
  const finding: Finding = {
    check: "unit",
    what: `The unit ${path} does not let the runtime compile code, which makes the server several times slower.`,
    remedy:
      "Remove MemoryDenyWriteExecute=yes and BUN_JSC_useJIT from the unit, then: systemctl daemon-reload; systemctl restart chatd",
  };
  return [finding];
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

const usualUnits = (): { path: string; dropIns: string[] }[] =>
  unitFolders.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => /^chatd(@.*)?\.service$/.test(name))
      .map((name) => ({ path: join(folder, name), dropIns: partsOf(name) })),
  );

/** Files that change a unit, in the order in which systemd reads them, from all folders. */
function partsOf(unit: string): string[] {
  const farthestFirst = unitFolders.toReversed();
  const parts = farthestFirst.flatMap((folder) => dropInsOf(join(folder, unit)));
  const nearest = new Map(parts.map((path) => [basename(path), path]));
  return [...nearest].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, path]) => path);
}

const dropInsOf = (path: string): string[] =>
  namesIn(`${path}.d`)
    .filter((name) => name.endsWith(".conf"))
    .toSorted()
    .map((name) => join(`${path}.d`, name));
