/**
 * Makes a release of a later version, for trying upgrades:
 * `bun run test/support/processes/release-later.ts FOLDER`.
 */
import { rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "../root";
import { makeLater, prepareLaterSources } from "./later-version";

const folder = resolve(process.argv[2] ?? "");
rmSync(folder, { recursive: true, force: true });
prepareLaterSources(folder);
symlinkSync(join(root, ".cache"), join(folder, ".cache"));
makeLater(folder, "release", "TARGETS=linux-x64");
