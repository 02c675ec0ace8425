import { afterAll, expect, test } from "bun:test";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { spawn } from "bun";
import { makeHeldFolder, removeLeftFolders } from "../../db/held-folder";
import { scratchFolder } from "../support/scratch-folder";
import { root } from "../support/source-tree";

const parent = mkdtempSync(join(scratchFolder(), "chatd-held-folder-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

test("a folder in use stays, and one that its process has removed is gone", async () => {
  const folder = makeHeldFolder(parent, "work-");
  writeFileSync(join(folder.path, "rows"), "rows");
  await removeLeftFolders(parent, "work-");
  expect(existsSync(join(folder.path, "rows"))).toBe(true);
  await folder.remove();
  expect(readdirSync(parent)).toEqual([]);
});

test("a folder of a killed process is removed, and others stay", async () => {
  const script = `
    import { makeHeldFolder } from ${JSON.stringify(join(root, "db/held-folder.ts"))};
    console.log(makeHeldFolder(${JSON.stringify(parent)}, "work-").path);
    await new Promise(() => setInterval(() => undefined, 1_000));`;
  const child = spawn([process.execPath, "-e", script], { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const path = new TextDecoder().decode(value).trim();
  mkdirSync(join(parent, "other"));
  await removeLeftFolders(parent, "work-");
  expect(existsSync(path)).toBe(true);
  child.kill("SIGKILL");
  await child.exited;
  await removeLeftFolders(parent, "work-");
  expect(readdirSync(parent)).toEqual(["other"]);
});

/** A folder as `makeHeldFolder` names it. */
function leftFolder(): string {
  const path = join(parent, `work-${crypto.randomUUID()}`);
  mkdirSync(path);
  return path;
}

test("a folder whose removal was cut off after its lock file is removed", async () => {
  const folder = leftFolder();
  mkdirSync(join(folder, "files"));
  await removeLeftFolders(parent, "work-");
  expect(existsSync(folder)).toBe(false);
});

test("a folder that another version or somebody has named is left alone", async () => {
  const names = ["work-12345-1700000000", "work-of-alice", `work-${crypto.randomUUID()}-old`];
  for (const name of names) mkdirSync(join(parent, name));
  await removeLeftFolders(parent, "work-");
  expect(names.filter((name) => !existsSync(join(parent, name)))).toEqual([]);
  for (const name of names) rmSync(join(parent, name), { recursive: true });
});

test("a lock or a folder that is a symbolic link is left alone, with the file that it names", async () => {
  const target = join(parent, "chatd.db");
  writeFileSync(target, "");
  const withLink = leftFolder();
  symlinkSync(target, join(withLink, ".chatd-in-use"));
  const withFolder = leftFolder();
  mkdirSync(join(withFolder, ".chatd-in-use"));
  const link = join(parent, `work-${crypto.randomUUID()}`);
  symlinkSync(join(parent, "other"), link);
  await removeLeftFolders(parent, "work-");
  expect([withLink, withFolder, link].map((path) => existsSync(path))).toEqual([true, true, true]);
  for (const path of [withLink, withFolder, link, target]) rmSync(path, { recursive: true });
});

test.skipIf(process.geteuid?.() !== 0)(
  "a folder or a lock of another account is left alone",
  async () => {
    const anotherAccount = 12_345;
    const folder = leftFolder();
    chownSync(folder, anotherAccount, anotherAccount);
    const withLock = leftFolder();
    writeFileSync(join(withLock, ".chatd-in-use"), "");
    chownSync(join(withLock, ".chatd-in-use"), anotherAccount, anotherAccount);
    await removeLeftFolders(parent, "work-");
    expect([folder, withLock].map((path) => existsSync(path))).toEqual([true, true]);
    for (const path of [folder, withLock]) rmSync(path, { recursive: true });
  },
);
