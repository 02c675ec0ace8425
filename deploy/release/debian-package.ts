import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { releaseDocuments } from "./documents";
import { root, run } from "./run";

interface Making {
  folder: string;
  working: string;
  version: string;
  /** Debian's name of the kind of machine: `amd64`. */
  architecture: string;
  executable: string;
  /** The pages of the manual and what shells complete by. */
  pages: string;
  /** UNIX seconds of the commit, which all files in the package have. */
  seconds: string;
}

const debian = join(root, "deploy/debian");
const maintainer = "The chatd authors <chatd@example.com>";

/** Writes `chatd_1.2.0_amd64.deb` into a folder. */
export function writeDebianPackage(making: Making) {
  const { folder, working, version, architecture, seconds } = making;
  const tree = join(working, `deb-${architecture}`);
  const debianVersion = debianVersionOf(version);
  const put = putInto(tree);
  putFiles(making, put);
  writeDocuments(tree, put, debianVersion, seconds);
  putControl(tree, put, debianVersion, architecture);
  for (const script of ["postinst", "prerm", "postrm"])
    put(join(debian, script), `DEBIAN/${script}`, 0o755);
  const target = join(folder, `chatd_${debianVersion}_${architecture}.deb`);
  const build = ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z6", "--build", tree, target];
  run(["env", `SOURCE_DATE_EPOCH=${seconds}`, ...build]);
  rmSync(tree, { recursive: true });
}

/** A version before a release sorts before it: 1.2.0~rc.1. */
export const debianVersionOf = (version: string): string => version.replaceAll("-", "~");

type Put = (source: string, path: string, mode?: number) => void;

function putInto(tree: string): Put {
  return (source, path, mode = 0o644) => {
    const target = join(tree, path);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(source, target);
    run(["chmod", mode.toString(8), target]);
  };
}

function putFiles({ executable, pages, working }: Making, put: Put) {
  put(executable, "usr/bin/chatd", 0o755);
  const unit = readFileSync(join(root, "deploy/chatd.service"), "utf8");
  const own = join(working, "chatd.service");
  writeFileSync(own, unitOfPackage(unit));
  put(own, "lib/systemd/system/chatd.service");
  put(join(debian, "chatd.sysusers"), "usr/lib/sysusers.d/chatd.conf");
  put(join(debian, "chatd.toml"), "etc/chatd/chatd.toml");
  put(join(debian, "lintian-overrides"), "usr/share/lintian/overrides/chatd");
  put(join(pages, "completions/chatd.bash"), "usr/share/bash-completion/completions/chatd");
  put(join(pages, "completions/_chatd"), "usr/share/zsh/vendor-completions/_chatd");
  put(join(pages, "completions/chatd.fish"), "usr/share/fish/vendor_completions.d/chatd.fish");
  putCompressed(put, join(pages, "man/chatd.1"), "usr/share/man/man1/chatd.1.gz");
  putCompressed(put, join(pages, "man/chatd.toml.5"), "usr/share/man/man5/chatd.toml.5.gz");
}

/** The unit, for an executable and an account that the package brings. */
export const unitOfPackage = (unit: string): string =>
  unit
    .replaceAll("/usr/local/bin/chatd", "/usr/bin/chatd")
    .replace(
      /^# chatd as a systemd service\.[\s\S]*?useradd.*\n/,
      "# chatd as a systemd service.\n",
    );

function putCompressed(put: Put, source: string, path: string) {
  const compressed = `${source}.gz`;
  writeFileSync(compressed, run9(source));
  put(compressed, path);
}

/** Compressed as Debian wants it, without a name and a time inside. */
const run9 = (source: string): Uint8Array =>
  Bun.spawnSync(["gzip", "--no-name", "-9", "--stdout", source]).stdout;

function writeDocuments(tree: string, put: Put, debianVersion: string, seconds: string) {
  const scratch = `${tree}.text`;
  const date = run(["date", "--rfc-email", "--utc", `--date=@${seconds}`]).trim();
  writeFileSync(
    scratch,
    `chatd (${debianVersion}) stable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- ${maintainer}  ${date}\n`,
  );
  const own = debianVersion.includes("-") ? "changelog.Debian.gz" : "changelog.gz";
  putCompressed(put, scratch, `usr/share/doc/chatd/${own}`);
  copyFileSync(join(root, "CHANGELOG.md"), scratch);
  putCompressed(put, scratch, "usr/share/doc/chatd/CHANGELOG.md.gz");
  put(join(root, "LICENSE"), "usr/share/doc/chatd/copyright");
  for (const file of releaseDocuments()) put(join(root, file), `usr/share/doc/chatd/${file}`);
  for (const path of [scratch, `${scratch}.gz`]) rmSync(path);
}

function putControl(tree: string, put: Put, debianVersion: string, architecture: string) {
  const scratch = `${tree}.text`;
  const [size = "0"] = run(["du", "-sk", tree]).split("\t");
  const control = [
    "Package: chatd",
    `Version: ${debianVersion}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${size}`,
    "Section: net",
    "Priority: optional",
    "Depends: libc6 (>= 2.29), procps, systemd | systemd-standalone-sysusers | systemd-sysusers",
    "Recommends: ca-certificates",
    "Homepage: https://example.com/chatd",
    "Description: team chat server in one executable",
    " Channels with topics, direct messages and bots in real time, in a browser",
    " and in every client that speaks the HTTP API of Zulip. SQLite is inside;",
    " several nodes run on PostgreSQL.",
    "",
  ];
  writeFileSync(scratch, control.join("\n"));
  put(scratch, "DEBIAN/control");
  writeFileSync(scratch, "/etc/chatd/chatd.toml\n");
  put(scratch, "DEBIAN/conffiles");
  writeFileSync(
    scratch,
    run(
      [
        "sh",
        "-c",
        "find * -type f -not -path 'DEBIAN/*' -print0 | LC_ALL=C sort -z | xargs -0 md5sum",
      ],
      tree,
    ),
  );
  put(scratch, "DEBIAN/md5sums");
  rmSync(scratch);
}
