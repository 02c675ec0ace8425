import { type Copy, listCopies, needlessCopies, tidyCopies } from "../../../db/copies";
import { newestVersion } from "../../../db/migrate";
import { databaseFile } from "../../../db/open";
import { readVersion } from "../../../db/rows";
import type { Config } from "../../config/config";
import { assetPath } from "../../core/assets";
import { placeOf } from "../../core/storage/data-place";

/** Version of the schema that this chatd migrates data to. */
export const ownSchema = (): number => newestVersion(assetPath("db", "migrations"));

/** Version of the schema of the data; 0 where there is none. */
export const readSchema = (config: Config): Promise<number> => readVersion(placeOf(config));

const placesOf = ({ data }: Config) => ({ dataFolder: data, databaseFile: databaseFile(data) });

/** Copies of the database from before migrations, the newest first. */
export function listOwnCopies(config: Config): Copy[] {
  const { dataFolder, databaseFile: file } = placesOf(config);
  return listCopies(dataFolder, file);
}

/**
 * Copies that are kept when copies are tidied while the data has this chatd's version of the
 * schema.
 */
export function listKeptCopies(config: Config): Copy[] {
  const copies = listOwnCopies(config);
  const keeping = { count: config.migrationCopiesKept, schema: ownSchema() };
  const needless = new Set(needlessCopies(copies, keeping));
  return copies.filter((copy) => !needless.has(copy));
}

/**
 * Removes old copies of the database. It keeps the newest ones, as many as the configuration says,
 * and the newest copy from before the last migration to `schema`, the version of the data. Answers
 * the paths of the removed copies.
 */
export const tidyOwnCopies = (config: Config, schema: number, now: number): string[] =>
  tidyCopies(placesOf(config), { count: config.migrationCopiesKept, schema }, now);
