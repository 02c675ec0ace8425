import { join } from "node:path";
import { spawnSync } from "bun";
import { root } from "../support/source-tree";

const buildMilliseconds = 120_000;

/**
 * Builds the executable with the command of the Makefile's target `build` into a folder and answers its path. It takes a
 * second or two, so it is always made from the sources as they are: `dist/` is neither needed nor touched. Within one run
 * of the suite it is made once.
 */
export function buildBinary(folder: string): string {
  const built = process.env["CHATD_TEST_BINARY"];
  if (built !== undefined) return built;
  const path = join(folder, "chatd");
  const command = recipeOfBuild().replace("dist/chatd", () => `'${path}'`);
  const { exitCode, stderr } = spawnSync(["sh", "-c", command], { cwd: root, timeout: buildMilliseconds });
  if (exitCode !== 0) throw new Error(`the executable was not built: ${stderr}`);
  return path;
}

/** What `make build` would run, without what it would install. */
function recipeOfBuild(): string {
  const { MAKEFLAGS: _flags, MFLAGS: _old, MAKELEVEL: _level, ...env } = process.env;
  const dryRun = ["make", "--no-print-directory", "--dry-run", "--old-file=node_modules/.installed", "build"];
  const { stdout, stderr } = spawnSync(dryRun, { cwd: root, env });
  const recipe = stdout.toString();
  if (!recipe.includes("--outfile dist/chatd ")) throw new Error(`make build does not write dist/chatd: ${stderr}`);
  return recipe;
}
