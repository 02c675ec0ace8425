import type { StoredValue } from "../../../db/stored-rows";
import { avatarVariants } from "../../people/avatars/files";
import type { Row } from "./selection";
import type { ExportedTable } from "./tables";

/** The form of what comes after a realm's id in the key of a file: it never leads anywhere else. */
const nameForm = /^[A-Za-z0-9_-]{20,64}$/;

export const isFileName = (name: string): boolean => nameForm.test(name);

const realmVariant = "-realm";
const emojiVariants = ["", "-still"];

const named = (value: StoredValue | undefined, variants: readonly string[]): string[] =>
  typeof value === "string"
    ? variants.map((variant) => `${value}${variant}`).filter(isFileName)
    : [];

/**
 * The files that a row stands for, by what comes after the realm's id in their keys. Some of them
 * may be missing.
 */
export function filesOf(table: ExportedTable, row: Row): string[] {
  switch (table) {
    case "realms":
      return [row["icon_file"], row["logo_file"], row["night_logo_file"]].flatMap((file) =>
        named(file, [realmVariant]),
      );
    case "users":
      return named(row["avatar_file"], Object.values(avatarVariants));
    case "realm_emoji":
      return named(String(row["file_name"]).split(".")[0], emojiVariants);
    case "attachments":
      return named(String(row["path_id"]).split("/")[1], [""]);
    default:
      return [];
  }
}

/** The tables whose rows stand for files. */
export const tablesWithFiles: readonly ExportedTable[] = [
  "realms",
  "users",
  "realm_emoji",
  "attachments",
];
