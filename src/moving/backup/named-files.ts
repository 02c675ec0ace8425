import {
  type ExportedHolding,
  type ExportedTable,
  exportedTable,
  exportedTables,
} from "../../../db/schema/tables";
import type { StoredValue } from "../../../db/stored-rows";
import { makeFileKey } from "../../files/store";
import { avatarVariants } from "../../people/avatars/files";

/**
 * The form of the part of a file's key after the realm's id. A key of this form cannot lead out of
 * the folder.
 */
const nameForm = /^[A-Za-z0-9_-]{20,64}$/;

export const isFileName = (name: string): boolean => nameForm.test(name);

type Row = Readonly<Record<string, StoredValue>>;

/** The suffixes of the files of a picture, by the kind of picture. */
const variants = {
  realm: ["-realm"],
  avatar: Object.values(avatarVariants),
  emoji: ["", "-still"],
};

/**
 * The files that a row names, by the part of their keys after the realm's id. Some of them may be
 * missing.
 */
export const filesOf = (table: ExportedTable, row: Row): string[] =>
  Object.entries(exportedTable(table).holds)
    .flatMap(([column, holding]) => fileNames(holding, row[column]))
    .filter(isFileName);

function fileNames(holding: ExportedHolding, value: StoredValue | undefined): string[] {
  if (typeof value !== "string") return [];
  if (holding.is === "path") return [value.split("/")[1] ?? ""];
  if (holding.is !== "picture") return [];
  // The name of an emoji's file has the extension of its format, which is not part of the key.
  const [name = ""] = holding.of === "emoji" ? value.split(".") : [value];
  return variants[holding.of].map((end) => `${name}${end}`);
}

/**
 * Keys of the files that a row cannot be without: uploaded files, and the first file of each
 * picture.
 */
export const neededKeys = (table: ExportedTable, row: Row): string[] =>
  Object.entries(exportedTable(table).holds)
    .flatMap(([column, holding]) => fileNames(holding, row[column]).slice(0, 1))
    .filter(isFileName)
    .map((name) => makeFileKey(Number(row["realm_id"] ?? row["id"]), name));

/** The tables whose rows have files. */
export const tablesWithFiles = (): readonly ExportedTable[] =>
  exportedTables()
    .filter(({ holds }) => Object.values(holds).some(isOfFile))
    .map(({ name }) => name);

const isOfFile = ({ is }: ExportedHolding) => is === "path" || is === "picture";
