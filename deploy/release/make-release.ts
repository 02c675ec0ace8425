/**
 * Writes the files of a release into a folder: an archive for each kind of machine, packages for
 * Debian, the bill of materials and checksums. Two runs on one commit write equal files.
 * `bun run deploy/release/make-release.ts FOLDER VERSION COMMIT-SECONDS [target …]`
 */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { billOfMaterials } from "./bill-of-materials";
import { writeDebianPackage } from "./debian-package";
import { releaseDocuments } from "./documents";
import { writePages } from "./pages";
import { root, run } from "./run";
import { fetchRuntime } from "./runtime";
import { type Target, targetsNamed } from "./targets";

const [folderGiven = "", version = "", seconds = "0", ...names] = process.argv.slice(2);
const folder = resolve(folderGiven);
const working = join(folder, ".making");
/** The commit's time, which all that is written has. */
const committedAt = new Date(Number(seconds) * 1000).toISOString();

function main() {
  requireSection();
  const chosen = targetsNamed(names);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(working, { recursive: true });
  const pages = writePages(join(working, "pages"), version, committedAt.slice(0, 10));
  for (const target of chosen) {
    const executable = build(target);
    writeArchive(target, executable, pages);
    if (target.debianArchitecture !== undefined) {
      const architecture = target.debianArchitecture;
      writeDebianPackage({ folder, working, version, architecture, executable, pages, seconds });
    }
    console.log(`${target.name} is built`);
  }
  writeFileSync(join(folder, `chatd-${version}.cdx.json`), billOfMaterials(version, committedAt));
  rmSync(working, { recursive: true });
  writeChecksums();
}

/** A version of a tag is described in the changelog, with its day. */
function requireSection() {
  if (version.includes("+") || version.startsWith("0.0.0-dev")) return;
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const heading = new RegExp(
    `^## ${version.replaceAll(".", "\\.")} \\(\\d{4}-\\d\\d-\\d\\d\\)$`,
    "m",
  );
  if (!heading.test(changelog))
    throw new Error(
      `CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)": name the section Unreleased so, and tag the commit that does it.`,
    );
}

/** Builds the executable for a target; answers its path. */
function build(target: Target): string {
  const out = join(working, target.name);
  const runtime = fetchRuntime(target);
  const variables = { OUT: out, VERSION: version, TARGET: target.bunTarget, RUNTIME: runtime };
  const words = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  // The target `release` has looked after the installed packages.
  run(["make", "--no-print-directory", "--old-file=node_modules/.installed", "build", ...words]);
  return join(out, "chatd");
}

function writeArchive({ name }: Target, executable: string, pages: string) {
  const title = `chatd-${version}-${name}`;
  const inside = join(working, title);
  mkdirSync(inside);
  run(["cp", "-r", `${pages}/.`, inside]);
  copyFileSync(executable, join(inside, "chatd"));
  for (const file of ["LICENSE", "CHANGELOG.md", ...releaseDocuments()]) {
    mkdirSync(dirname(join(inside, file)), { recursive: true });
    copyFileSync(join(root, file), join(inside, file));
  }
  run(["chmod", "-R", "u=rwX,go=rX", inside]);
  const archive = join(working, `${title}.tar`);
  run(
    [
      "tar",
      "--create",
      "--file",
      archive,
      "--sort=name",
      "--format=gnu",
      `--mtime=@${seconds}`,
    ].concat(["--owner=0", "--group=0", "--numeric-owner", title]),
    working,
  );
  run(["gzip", "--no-name", archive]);
  renameSync(`${archive}.gz`, join(folder, `${title}.tar.gz`));
  rmSync(inside, { recursive: true });
}

function writeChecksums() {
  const files = readdirSync(folder).sort();
  writeFileSync(join(folder, "SHA256SUMS"), run(["sha256sum", ...files], folder));
  console.log(`${folder} has:\n${[...files, "SHA256SUMS"].map((file) => `  ${file}`).join("\n")}`);
}

main();
