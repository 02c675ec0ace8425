import type { Place } from "../../db/open";
import type { Config } from "../config";
import { assetPath } from "../core/assets";

/** Where the data of a configuration is. */
export const placeOf = ({ data, database }: Config): Place => ({
  databaseUrl: database,
  dataFolder: data,
  migrationsFolder: assetPath("db", "migrations"),
});
