import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { spawnSync } from "bun";
import { root } from "../root";

/** The version that a later executable tells. */
export const laterVersion = "99.0.0+later";

const buildMilliseconds = 600_000;

/** A change of a file of the sources: what stands there, and what stands there later. */
export interface Change {
  path: string;
  from: string;
  to: string;
}

/**
 * Builds the executable of a later version into a folder, once: it has one more step of the schema,
 * and some changes of its sources. Answers its path.
 */
export function buildLaterVersion(folder: string, changes: readonly Change[] = []): string {
  const executable = join(folder, "dist/chatd");
  if (existsSync(executable)) return executable;
  prepareLaterSources(folder);
  for (const change of changes) apply(folder, change);
  takeWebClient(folder);
  makeLater(folder, "build");
  return executable;
}

/**
 * Lets the build take the files of the web client from the executable that the suite has built,
 * because to make them anew is half of a build.
 */
function takeWebClient(folder: string) {
  const built = process.env["CHATD_TEST_BINARY"];
  if (built === undefined) return;
  const made = JSON.stringify(join(dirname(built), "web"));
  const copy = `import { cpSync } from "node:fs";\ncpSync(${made}, process.argv[2], { recursive: true });\n`;
  writeFileSync(join(folder, "src/web-page/write-bundle.ts"), copy);
}

/** The sources of a later version, in a folder of their own. */
export function prepareLaterSources(folder: string) {
  mkdirSync(folder, { recursive: true });
  for (const name of [
    "cli",
    "db",
    "deploy",
    "docs",
    "src",
    "Makefile",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "CHANGELOG.md",
  ])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const engine of ["sqlite", "postgres"]) addStep(join(folder, "db/migrations", engine));
}

/** Runs a target of the Makefile on the sources of a later version. */
export function makeLater(folder: string, ...targets: string[]) {
  const words = ["--old-file=node_modules/.installed", `VERSION=${laterVersion}`, "OUT=dist"];
  const { MAKEFLAGS: _flags, MFLAGS: _old, MAKELEVEL: _level, ...env } = process.env;
  const { exitCode, stderr } = spawnSync(["make", "--no-print-directory", ...words, ...targets], {
    cwd: folder,
    env,
    timeout: buildMilliseconds,
  });
  if (exitCode !== 0) throw new Error(`the later version was not built: ${stderr}`);
}

function addStep(folder: string) {
  const count = readdirSync(folder).filter((name) => name.endsWith(".sql")).length;
  const name = `${String(count).padStart(4, "0")}_later.sql`;
  writeFileSync(join(folder, name), "CREATE TABLE later (id bigint PRIMARY KEY);\n");
}

function apply(folder: string, { path, from, to }: Change) {
  const file = join(folder, path);
  const text = readFileSync(file, "utf8");
  if (!text.includes(from)) throw new Error(`${path} has no ${from} any more.`);
  writeFileSync(file, text.replace(from, to));
}
