import { beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  createWriteStream,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { spawnSync } from "bun";
import { pack } from "tar-stream";
import { buildBinary } from "../clients/binary";
import { mayMount, withMounts } from "../support/processes/own-mounts";
import { freshFolder, uncompiled } from "./chatd";

/* Upgrades that cannot be made: each says why and what to do, and leaves chatd as it was. */

const shared = freshFolder();
const binary = () => join(shared, "own");

beforeAll(() => copyFileSync(buildBinary(shared), binary()), 300_000);

function install() {
  const folder = freshFolder();
  const own = join(folder, "chatd");
  linkSync(binary(), own);
  return { folder, own, files: () => readdirSync(folder).sort() };
}

function run(words: string[], cwd: string) {
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith("CHATD_"));
  const { exitCode, stdout, stderr } = spawnSync(words, {
    cwd,
    env: { ...Object.fromEntries(environment), ...uncompiled },
  });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** An archive as of a release, with a chatd of zeros. */
async function makeArchive(path: string, mib: number) {
  const archive = pack();
  archive.entry({ name: "chatd-99/chatd" }, Buffer.alloc(mib << 20));
  archive.finalize();
  await pipeline(archive, createGzip({ level: 1 }), createWriteStream(path));
  return path;
}

describe("chatd upgrade", () => {
  test("says of an archive that was cut off that it is to be downloaded again", async () => {
    const { folder, own, files } = install();
    const archive = await makeArchive(join(shared, "chatd-99.tar.gz"), 1);
    const whole = readFileSync(archive);
    for (const length of [10, whole.length >> 1, whole.length - 4]) {
      writeFileSync(archive, whole.subarray(0, length));
      const { code, stderr } = run([own, "upgrade", archive], folder);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${archive} cannot be unpacked`)]);
      expect(stderr).toContain("Download it again: it is incomplete or damaged.");
    }
    expect(files()).toEqual(["chatd"]);
  });

  test("says of a folder that it is none to upgrade to", () => {
    const { folder, own, files } = install();
    const { code, stderr } = run([own, "upgrade", shared], folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${shared} is no file. Name`)]);
    expect(files()).toEqual(["chatd"]);
  });

  test.skipIf(!mayMount())("says where there is no room, and leaves chatd as it was", async () => {
    const { folder, own } = install();
    const size = (statSync(own).size >> 20) + 20;
    const mount = `mount -t tmpfs -o size=${size}m none ${folder} && cp ${binary()} ${own}`;
    const archive = await makeArchive(join(shared, "large.tar.gz"), 64);
    for (const file of [archive, binary()]) {
      const show = `"$@"; echo $?; ls -A ${folder}`;
      const words = [...withMounts(mount), "sh", "-c", show, "sh", own, "upgrade", file];
      const { stdout, stderr } = run(words, shared);
      expect(stderr.trim()).toEndWith(
        `chatd: There is no room for the new version in ${folder}, the folder of chatd. Nothing was changed. Make room there, then try again.`,
      );
      expect(stdout.trim().split("\n")).toEqual(["1", "chatd"]);
    }
  });

  test("removes what an upgrade that was killed has left, because it takes much room", () => {
    const { folder, own, files } = install();
    writeFileSync(join(folder, ".chatd-new-0b5e"), "half of a new version");
    expect(run([own, "upgrade", binary()], folder).stdout).toContain("is already");
    expect(files()).toEqual(["chatd"]);
  });

  test.skipIf(process.getuid?.() !== 0)(
    "tells an account that may not change the data to upgrade as root",
    () => {
      const { folder, own, files } = install();
      const data = join(folder, "data");
      mkdirSync(data, { mode: 0o700 });
      for (const path of [shared, folder]) chmodSync(path, 0o777);
      const account = ["setpriv", "--reuid", "4712", "--regid", "4712", "--clear-groups"];
      const words = [...account, own, "upgrade", binary(), "--data", data];
      const { code, stderr } = run(words, "/");
      expect([code, stderr.trim()]).toEqual([
        1,
        `chatd: The data in ${data} belongs to the account root, and this account may not change it. Run the command as root, with sudo.`,
      ]);
      expect(files()).toEqual(["chatd", "data"]);
    },
  );
});
