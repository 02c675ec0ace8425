import { isRecord } from "../../core/json/record";
import { version } from "../../core/version";
import { BrokenBackupError } from "./broken";

export const manifestName = "manifest.json";
export const secretName = "secret";
export const idsName = "ids.json";
export const filesPrefix = "files/";

const format = "chatd-backup";
const formatVersion = 1;

/** Facts about a backup, at its beginning. */
export interface Manifest {
  /** The version of chatd that made it. */
  chatd: string;
  schemaVersion: number;
  /** UNIX seconds: the backup contains everything that was acknowledged before. */
  createdAt: number;
  /** `rows` for a copy of the database alone, which contains neither files nor the secret. */
  holds?: "rows";
}

export const writeManifest = (manifest: Manifest): string =>
  `${JSON.stringify({ format, formatVersion, ...manifest }, null, 2)}\n`;

/** Refuses a file that is not a backup, and a backup in the format of a newer chatd. */
export function parseManifest(text: string): Manifest {
  const given = parseObject(text);
  const { chatd, schemaVersion, createdAt, holds } = given;
  if (given["format"] === "chatd-realm")
    throw new BrokenBackupError("it is an export, for chatd admin import");
  if (given["format"] !== format || typeof chatd !== "string")
    throw new BrokenBackupError("its manifest is wrong");
  if (given["formatVersion"] !== formatVersion) throw newerBackup(chatd);
  if (!isCount(schemaVersion) || !isCount(createdAt))
    throw new BrokenBackupError("its manifest is wrong");
  return { chatd, schemaVersion, createdAt, ...(holds === "rows" ? { holds } : {}) };
}

export const newerBackup = (chatd: string): Error =>
  new Error(
    `This backup was made by chatd ${chatd}, which is newer than this chatd (${version}). ` +
      "Restore it with a chatd at least as new. Nothing was changed.",
  );

/** The last id of each table in the backup. */
export function parseIds(text: string): Record<string, number> {
  const ids: Record<string, number> = {};
  for (const [table, id] of Object.entries(parseObject(text))) {
    if (!isCount(id)) throw new BrokenBackupError("its ids are wrong");
    ids[table] = id;
  }
  return ids;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isRecord(parsed)) return parsed;
  } catch {
    // The error is thrown below.
  }
  throw new BrokenBackupError("it is damaged");
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
