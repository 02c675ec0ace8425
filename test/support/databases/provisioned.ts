import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import { root } from "../root";
import { freshDatabase } from "./postgres";

/** The people, groups and channels that most tests of the executable begin with. */
export const organizationFile = join(root, "test/support/org.yaml");

const dataName = "data";
const credentialsName = "credentials.json";
const databaseName = "database";

interface Wishes {
  /** An empty database of PostgreSQL. */
  databaseUrl?: string | undefined;
  organization?: string;
}

/**
 * Fills an empty folder, and on PostgreSQL an empty database, by `admin apply` of the executable,
 * to be copied by many tests. In the folder are the data folder, everybody's keys, and on
 * PostgreSQL the name of the database.
 */
export function provision(
  folder: string,
  command: readonly string[],
  { databaseUrl, organization = organizationFile }: Wishes = {},
): void {
  mkdirSync(folder, { recursive: true });
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CHATD_"));
  const credentials = ["--credentials", join(folder, credentialsName)];
  const { exitCode, stderr } = spawnSync(
    [...command, "admin", "apply", organization, ...credentials],
    {
      env: {
        ...Object.fromEntries(inherited),
        CHATD_DATA: join(folder, dataName),
        ...(databaseUrl === undefined ? {} : { CHATD_DATABASE: databaseUrl }),
      },
    },
  );
  if (exitCode !== 0) throw new Error(`the organization was not made: ${stderr}`);
  if (databaseUrl !== undefined)
    writeFileSync(join(folder, databaseName), new URL(databaseUrl).pathname.slice(1));
}

/**
 * Copies what `provision` made into a new data folder, and on PostgreSQL into a new database, whose
 * URL it answers. Give that back with `dropDatabase`.
 */
export async function copyProvisioned(folder: string, data: string): Promise<string | undefined> {
  cpSync(join(folder, dataName), data, { recursive: true });
  const name = join(folder, databaseName);
  return existsSync(name) ? freshDatabase(readFileSync(name, "utf8")) : undefined;
}

/** Path of the keys of everybody in what `provision` made. */
export const credentialsIn = (folder: string): string => join(folder, credentialsName);
