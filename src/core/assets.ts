import { dirname, join } from "node:path";

/** The folders that `make build` embeds (its `--asset` flags), relative to the repository. */
export const embeddedFolders = ["db/migrations", "src/http/assets", "src/web/look", "dist/web"];

/** The modules that run as threads: `make build` names each as an entry of the executable. */
const workerModules = ["src/messages/rendering/render-worker.ts"];

/** The path of such a module, for `new Worker`. */
export function workerPath(module: string): string {
  if (!workerModules.includes(module))
    throw new Error(`"${module}" is not built in: add it to workerModules and Makefile.`);
  return Bun.isStandaloneExecutable
    ? join(import.meta.dir, module.replace(/\.ts$/, ".js"))
    : join(import.meta.dir, "../..", module);
}

/**
 * The absolute path of a file or folder that ships with chatd, named relative to the repository:
 * `assetPath("db", "migrations", "sqlite")`.
 *
 * In development this is a path in the checkout. In the executable, `bun build --asset=a/b` puts
 * the folder at the root of the embedded files under its last name (`/$bunfs/root/b`), and
 * `import.meta.dir` of every module of an esm bundle points to that root; so the last names of
 * `embeddedFolders` must differ. Listing, `stat` and reading work there as on disk. Throws for a
 * path outside these folders, because that would work in development only.
 */
export function assetPath(...parts: string[]): string {
  const path = join(...parts);
  const folder = embeddedFolders.find((name) => path === name || path.startsWith(`${name}/`));
  if (folder === undefined)
    throw new Error(`"${path}" is not embedded: add its folder to embeddedFolders and Makefile.`);
  if (!Bun.isStandaloneExecutable) return join(import.meta.dir, "../..", path);
  return join(import.meta.dir, path.slice(dirname(folder).length + 1));
}
