import { isRecord } from "../../core/json/record";
import { version } from "../../core/version";

export const manifestName = "manifest.json";
export const filesPrefix = "files/";

const format = "chatd-realm";
const formatVersion = 1;

/**
 * Extent of an export: everything; or data that everybody in the organization may read; or that
 * data and the data of consenting people.
 */
export type ExportType = "full_without_consent" | "public" | "full_with_consent";

const exportTypes = ["public", "full_with_consent", "full_without_consent"] as const;

const isExportType = (value: unknown): value is ExportType =>
  exportTypes.some((type) => type === value);

/** Facts about an export, at its beginning. */
export interface Manifest {
  /** The version of chatd that made it. */
  chatd: string;
  schemaVersion: number;
  /** UNIX seconds. */
  createdAt: number;
  type: ExportType;
  /** The exported organization. */
  realm: { id: number; host: string; name: string };
}

/** An export that has changed since it was made, or a file that is not an export. */
export class BrokenExportError extends Error {
  constructor(why: string) {
    super(`This is no whole export: ${why}. Nothing was taken from it.`);
    this.name = "BrokenExportError";
  }
}

export const writeManifest = (manifest: Manifest): string =>
  `${JSON.stringify({ format, formatVersion, ...manifest }, null, 2)}\n`;

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** Refuses a file that is not an export, and an export in the format of a newer chatd. */
export function parseManifest(text: string): Manifest {
  const given = parseObject(text);
  const { chatd, schemaVersion, createdAt, type, realm } = given;
  if (given["format"] === "chatd-backup")
    throw new BrokenExportError("it is a backup, for chatd admin restore");
  if (given["format"] !== format || typeof chatd !== "string")
    throw new BrokenExportError("its manifest is wrong");
  if (given["formatVersion"] !== formatVersion) throw newerExport(chatd);
  const isWhole =
    isCount(schemaVersion) && isCount(createdAt) && isExportType(type) && isRecord(realm);
  if (!isWhole) throw new BrokenExportError("its manifest is wrong");
  const { id, host, name } = realm;
  if (!isCount(id) || typeof host !== "string" || typeof name !== "string") {
    throw new BrokenExportError("its manifest is wrong");
  }
  return { chatd, schemaVersion, createdAt, type, realm: { id, host, name } };
}

export const newerExport = (chatd: string): Error =>
  new Error(
    `This export was made by chatd ${chatd}, which is newer than this chatd (${version}). ` +
      "Import it with a chatd at least as new. Nothing was taken from it.",
  );

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isRecord(parsed)) return parsed;
  } catch {
    // The error is thrown below.
  }
  throw new BrokenExportError("its manifest is damaged");
}
