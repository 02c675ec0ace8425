import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock } from "../core/clock";
import { compress, type Level } from "../core/compress";
import type { ClientBuild } from "../web/model/kept";
import { type Bundle, buildIdOf, publicPath } from "./forms";

const web = join(import.meta.dir, "../web");

/** The client, and a file for each language but English, which is inside the client. */
const entries = (): string[] => [
  join(web, "main.tsx"),
  ...new Bun.Glob("words/words-*.ts").scanSync({ cwd: web, absolute: true }),
];

/** The service worker is bundled separately, because some browsers do not run it as a module. */
const worker = join(web, "worker/service-worker.ts");

const options = {
  target: "browser",
  minify: true,
  sourcemap: "linked",
  publicPath,
  naming: "[name]-[hash].[ext]",
  define: { "process.env.NODE_ENV": '"production"' },
} as const;

/**
 * Bundles the web client from its sources. The name of each file contains a hash of its content, so
 * that browsers may keep it forever. The worker contains the id of its build.
 */
export const bundleWeb = async (level: Level): Promise<Bundle> =>
  (await bundleOfSources(level)).bundle;

/** A bundle, and its sources. */
interface Bundled {
  readonly bundle: Bundle;
  readonly sources: readonly string[];
  readonly beganAtMilliseconds: number;
}

let latest: Promise<Bundled> | undefined;

/** The web client from its current sources: it is bundled again only if one of them has changed. */
export async function bundleInDevelopment(): Promise<Bundle> {
  const before = latest;
  const bundled = await before?.catch(() => undefined);
  // Another page may have started a newer bundle meanwhile.
  if (latest === before && (bundled === undefined || hasChanged(bundled)))
    latest = bundleOfSources("fast");
  return (await (latest ?? bundleOfSources("fast"))).bundle;
}

const hasChanged = ({ sources, beganAtMilliseconds }: Bundled): boolean =>
  [...entries(), ...sources].some((path) => {
    const state = statSync(path, { throwIfNoEntry: false });
    return state === undefined || state.ctimeMs >= beganAtMilliseconds;
  });

async function bundleOfSources(level: Level): Promise<Bundled> {
  const beganAtMilliseconds = systemClock.nowMilliseconds();
  const entrypoints = entries();
  const client = await Bun.build({ ...options, entrypoints, splitting: true, metafile: true });
  const names = client.outputs.map(nameOf);
  const build: ClientBuild = {
    id: buildIdOf(names),
    files: names.filter((name) => !name.endsWith(".map")).map((name) => publicPath + name),
  };
  const define = { ...options.define, chatdBuild: JSON.stringify(build) };
  const own = await Bun.build({
    ...options,
    define,
    entrypoints: [worker],
    format: "iife",
    metafile: true,
  });
  const sources = [client, own].flatMap(sourcesOf);
  const files = [...client.outputs, ...own.outputs].map(async (output) => {
    const bytes = new Uint8Array(await output.arrayBuffer());
    const forms = {
      br: new Blob([compress(bytes, "br", level)]),
      gzip: new Blob([compress(bytes, "gzip", level)]),
      identity: new Blob([bytes]),
    };
    return [nameOf(output), forms] as const;
  });
  return { bundle: new Map(await Promise.all(files)), sources, beganAtMilliseconds };
}

const sourcesOf = ({ metafile }: Bun.BuildOutput): string[] =>
  Object.keys(metafile?.inputs ?? {}).map((path) => resolve(path));

const nameOf = ({ path }: { path: string }): string => path.replace(/^\.?\//, "");
