/**
 * Installs the clients that tests drive the executable with, unmodified and in fixed versions,
 * below node_modules/.cache: packages of Python by the `requirements.txt` of each folder here, each
 * into a virtual environment, the npm package `zulip-js` by its lock file, and what reads and makes
 * clients of an OpenAPI document by both. `bun run test/clients/setup.ts` prints where they are.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CryptoHasher, spawnSync } from "bun";
import { root } from "../support/root";

const requirements = join(import.meta.dir, "requirements.txt");
const termRequirements = join(import.meta.dir, "zulip-term/requirements.txt");
const s3Requirements = join(import.meta.dir, "s3/requirements.txt");
const botserverRequirements = join(import.meta.dir, "zulip-botserver/requirements.txt");
const communityRequirements = join(import.meta.dir, "community/requirements.txt");
const mcpRequirements = join(import.meta.dir, "mcp/requirements.txt");
const billRequirements = join(import.meta.dir, "bill/requirements.txt");
const openApi = join(import.meta.dir, "openapi");
const cache = join(root, "node_modules/.cache/chatd-clients");
const stepMilliseconds = 300_000;

/**
 * The interpreter that has the package, installed now if it is not there yet; throws when it cannot
 * be had.
 */
export function preparePython(): string {
  return join(preparePackages(requirements), "bin/python");
}

/**
 * The interpreter that has `zulip-term`, installed now if it is not there yet; throws when it
 * cannot be had.
 */
export function prepareZulipTerm(): string {
  // Its metadata admits Python up to 3.10; it runs on later ones.
  return join(preparePackages(termRequirements, "--ignore-requires-python"), "bin/python");
}

/**
 * The interpreter that has an S3 server (moto), installed now if it is not there yet; throws when
 * it cannot be had.
 */
export function prepareS3Server(): string {
  return join(preparePackages(s3Requirements), "bin/python");
}

/**
 * The interpreter that has `zulip_botserver`, installed now if it is not there yet; throws when it
 * cannot be had.
 */
export function prepareBotserver(): string {
  return join(preparePackages(botserverRequirements), "bin/python");
}

/**
 * The folder of the programs of the Python packages `zulip`, `zulip_bots`, `apprise`, `zulipcli`,
 * `zlp-cli` and `perceval-zulip`, installed now if they are not there yet; throws when they cannot
 * be had.
 */
export const preparePrograms = (): string => join(preparePackages(communityRequirements), "bin");

/**
 * The folder of `zulipchat-mcp`, a server of the Model Context Protocol, installed now if it is not
 * there yet; throws when it cannot be had.
 */
export const prepareMcpServer = (): string => join(preparePackages(mcpRequirements), "bin");

/**
 * The interpreter that checks a bill of materials, installed now if it is not there yet; throws
 * when it cannot be had.
 */
export function prepareBillChecker(): string {
  return join(preparePackages(billRequirements), "bin/python");
}

/**
 * The folders that have tools for OpenAPI: those in Python, and those of npm. Throws when they
 * cannot be had.
 */
export function prepareOpenApiTools(): { python: string; npm: string } {
  return {
    python: join(preparePackages(join(openApi, "requirements.txt")), "bin"),
    npm: prepareNpm(openApi),
  };
}

/** A virtual environment with what a file names. */
function preparePackages(versions: string, ...options: string[]): string {
  const folder = folderOf(run(["python3", "--version"]), versions);
  if (!existsSync(folder)) install(folder, (draft) => installPython(draft, versions, options));
  return folder;
}

/**
 * The folder that has `zulip-js`, installed now if it is not there yet; throws when it cannot be
 * had.
 */
export const prepareZulipJs = (): string => prepareNpm(join(import.meta.dir, "zulip-js"));

/** A folder with the packages of npm that the lock file of another folder names. */
function prepareNpm(packages: string): string {
  const folder = folderOf("npm", join(packages, "package-lock.json"));
  if (!existsSync(folder)) install(folder, (draft) => installNpm(draft, packages));
  return folder;
}

/** One folder for each set of versions, that of the platform included. */
function folderOf(platform: string, versions: string): string {
  const hash = new CryptoHasher("sha256").update(platform).update(readFileSync(versions));
  return join(cache, hash.digest("hex").slice(0, 16));
}

/** Installs beside and renames at the end, so that what is there is complete. */
function install(folder: string, fill: (draft: string) => void) {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(cache, { recursive: true });
  try {
    fill(draft);
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function installPython(draft: string, versions: string, options: string[]) {
  run(["python3", "-m", "venv", draft]);
  const pip = [
    join(draft, "bin/python"),
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
  ];
  run([...pip, "--retries", "2", ...options, "--requirement", versions]);
}

/** The lock file holds a hash of each package; none of them runs a script. */
function installNpm(draft: string, packages: string) {
  mkdirSync(draft);
  for (const file of ["package-lock.json", "package.json"])
    copyFileSync(join(packages, file), join(draft, file));
  run([
    "npm",
    "ci",
    "--prefix",
    draft,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ]);
}

function run(command: string[]): string {
  const { exitCode, stdout, stderr } = spawnSync(command, {
    timeout: stepMilliseconds,
    stdin: "ignore",
  });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed: ${stderr}${stdout}`);
  return stdout.toString();
}

if (import.meta.main)
  console.log(
    [
      preparePython(),
      prepareZulipTerm(),
      prepareZulipJs(),
      prepareS3Server(),
      prepareOpenApiTools().npm,
      preparePrograms(),
      prepareMcpServer(),
      prepareBillChecker(),
    ].join("\n"),
  );
