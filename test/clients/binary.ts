import { join } from "node:path";
import { spawnSync } from "bun";
import { root } from "../support/source-tree";

const buildMilliseconds = 120_000;

/**
 * Builds the executable with the command of the Makefile's target `build` into a folder and answers
 * its path. It takes a second or two, so it is always made from the sources as they are: `dist/` is
 * neither needed nor touched. Within one run of the suite it is made once.
 */
export function buildBinary(folder: string): string {
  const built = process.env["CHATD_TEST_BINARY"];
  if (built !== undefined) return built;
  const { exitCode, stderr } = spawnSync(["sh", "-ec", recipeOfBuild(folder)], {
    cwd: root,
    timeout: buildMilliseconds,
  });
  if (exitCode !== 0) throw new Error(`the executable was not built: ${stderr}`);
  return join(folder, "chatd");
}

/** Recipe that `make build` would run to write into a folder, without the installations. */
function recipeOfBuild(folder: string): string {
  const { MAKEFLAGS: _flags, MFLAGS: _old, MAKELEVEL: _level, ...env } = process.env;
  const asked = ["--dry-run", "--old-file=node_modules/.installed", `OUT=${folder}`, "build"];
  const { stdout, stderr } = spawnSync(["make", "--no-print-directory", ...asked], {
    cwd: root,
    env,
  });
  const recipe = stdout.toString();
  if (!recipe.includes(`"${folder}/chatd"`))
    throw new Error(`make build does not write to ${folder}: ${stderr}`);
  return recipe;
}
