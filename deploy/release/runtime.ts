import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { lockedPackage } from "./locked-packages";
import { root, run } from "./run";
import type { Target } from "./targets";

const cache = join(root, ".cache/runtimes");

/**
 * The path of Bun's runtime for a target. It is fetched from npm's registry once, in the version
 * that package-lock.json has, and compared with the checksum there.
 */
export function fetchRuntime({ runtimePackage }: Target): string {
  const { version, integrity } = lockedPackage(runtimePackage);
  const folder = join(cache, `${runtimePackage.replace("@oven/", "")}-${version}`);
  const runtime = join(folder, "package/bin/bun");
  if (existsSync(runtime)) return runtime;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, "fetching-"));
  try {
    run(["npm", "pack", "--silent", "--pack-destination", draft, `${runtimePackage}@${version}`]);
    const archive = join(draft, readdirSync(draft)[0] ?? "");
    requireChecksum(archive, integrity);
    run(["tar", "--extract", "--gzip", "--file", archive, "--directory", draft]);
    rmSync(archive);
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
    return runtime;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function requireChecksum(path: string, integrity: string) {
  const found = new Bun.CryptoHasher("sha512").update(readFileSync(path)).digest("base64");
  if (integrity !== `sha512-${found}`)
    throw new Error(`${path} is not what package-lock.json has: its checksum is sha512-${found}.`);
}
