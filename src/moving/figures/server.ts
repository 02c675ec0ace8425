import { statSync } from "node:fs";
import { join } from "node:path";
import { readSizes } from "../../../db/sql/sizes";
import type { App } from "../../core/context";
import { listOrganizations, loadOrganization } from "../organization/lookup";
import { type OrganizationFigures, readOrganizationFigures, sumOf } from "./organization";

/** Numbers of a server as of now. Sizes are in bytes. */
export interface ServerFigures {
  /** Hosts of the organizations that the other numbers are of. */
  hosts: readonly string[];
  figures: OrganizationFigures;
  /** Sizes of the whole database, and of the search index in it. */
  database: number;
  searchIndex: number;
  /** Size of the write-ahead log of SQLite, which is a file of its own; null on PostgreSQL. */
  databaseLog: number | null;
}

/**
 * Numbers of all organizations together, or of the one at a host, and the sizes of the database.
 * Refuses (BAD_REQUEST) a host that no organization has.
 */
export async function readServerFigures(
  app: App,
  host: string | undefined,
): Promise<ServerFigures> {
  const { reader, isRemote } = app.engine;
  const realms =
    host === undefined ? await listOrganizations(app) : [await loadOrganization(app, host)];
  const all: OrganizationFigures[] = [];
  for (const realm of realms)
    all.push(await readOrganizationFigures(reader, realm, app.clock.now()));
  const log = join(app.config.data, "chatd.db-wal");
  return {
    hosts: realms.map((realm) => realm.host),
    figures: sumOf(all),
    ...(await readSizes(reader)),
    databaseLog: isRemote ? null : (statSync(log, { throwIfNoEntry: false })?.size ?? 0),
  };
}
