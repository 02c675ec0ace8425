import type { Place } from "../../../db/open";
import type { Config } from "../../config/config";
import { assetPath } from "../assets";

/** Place of the data of a configuration. */
export const placeOf = ({ data, database, databaseConnectionsMax }: Config): Place => ({
  databaseUrl: database,
  dataFolder: data,
  connectionsMax: databaseConnectionsMax,
  migrationsFolder: assetPath("db", "migrations"),
});
