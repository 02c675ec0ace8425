import { join } from "node:path";
import { pathOfCopy } from "../../../db/copies";
import { copySqlite } from "../../../db/migrate";
import { databaseFile, isInDataFolder } from "../../../db/open";
import { openRows } from "../../../db/rows";
import type { Config } from "../../config/config";
import { loadServerSecret, makeSecrets } from "../../core/secrets/secrets";
import { placeOf } from "../../core/storage/data-place";
import { version } from "../../core/version";
import { writeArchive } from "./archive";
import { addRows } from "./backup";
import { manifestName, writeManifest } from "./manifest";
import { openOutput } from "./output";

/**
 * Copies the database into the data folder while servers keep running, as a migration does before
 * it begins. Answers the path of the copy. On SQLite it is a database file, which `restoreFile`
 * restores; for PostgreSQL it is an archive with the rows, which `restoreBackup` restores. `now` is
 * UNIX seconds.
 */
export async function copyDatabase(config: Config, now: number): Promise<string> {
  const place = placeOf(config);
  if (isInDataFolder(place)) return copySqlite(databaseFile(place.dataFolder), now);
  const source = await openRows(place, undefined);
  try {
    const path = pathOfCopy(join(config.data, "/"), source.version, now, ".tar");
    const output = await openOutput(path);
    try {
      const archive = writeArchive(output.sink, now);
      const manifest = { chatd: version, schemaVersion: source.version, createdAt: now };
      await archive.add(manifestName, writeManifest({ ...manifest, holds: "rows" }));
      const { fingerprint } = makeSecrets(loadServerSecret(config.secret, config.data));
      const rows = await addRows(archive, source, fingerprint, () => undefined);
      await archive.end({ files: 0, rows });
      await output.keep();
      return path;
    } finally {
      await output.discard();
    }
  } finally {
    await source.close();
  }
}
