import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import { root } from "../support/root";

const buildMilliseconds = 120_000;

/**
 * Builds the executable with the command of the Makefile's target `build` into a folder and answers
 * its path. It takes a second or two, so it is always made from the sources as they are: `dist/` is
 * neither needed nor touched. Within one run of the suite it is made once.
 */
export const buildBinary = (folder: string): string =>
  process.env["CHATD_TEST_BINARY"] ?? runRecipe(recipeOfBuild(folder, root), root, folder);

/**
 * Builds the executable of another version into a folder and answers its path: of a copy of the
 * sources, which `change` changes first. It has no compiled code, which would take a large part
 * of the build, because a test starts it a few times only.
 */
export function buildChanged(folder: string, change: (copy: string) => void): string {
  const copy = join(folder, "sources");
  for (const part of sources) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  change(copy);
  const recipe = recipeOfBuild(folder, copy);
  if (!recipe.includes(" --bytecode "))
    throw new Error("make build does not ask for compiled code by --bytecode any more.");
  return runRecipe(recipe.replace(" --bytecode ", " "), copy, folder);
}

/** All that the executable is made of. */
const sources = ["Makefile", "bunfig.toml", "cli", "db", "package.json", "src", "tsconfig.json"];

function runRecipe(recipe: string, cwd: string, folder: string): string {
  const { exitCode, stderr } = spawnSync(["sh", "-ec", recipe], {
    cwd,
    timeout: buildMilliseconds,
  });
  if (exitCode !== 0) throw new Error(`the executable was not built: ${stderr}`);
  return join(folder, "chatd");
}

/** Recipe that `make build` would run to write into a folder, without the installations. */
function recipeOfBuild(folder: string, cwd: string): string {
  const { MAKEFLAGS: _flags, MFLAGS: _old, MAKELEVEL: _level, ...env } = process.env;
  const asked = ["--dry-run", "--old-file=node_modules/.installed", `OUT=${folder}`, "build"];
  const { stdout, stderr } = spawnSync(["make", "--no-print-directory", ...asked], {
    cwd,
    env,
  });
  const recipe = stdout.toString();
  if (!recipe.includes(`"${folder}/chatd"`))
    throw new Error(`make build does not write to ${folder}: ${stderr}`);
  return recipe;
}
