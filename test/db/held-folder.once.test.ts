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
import { root } from "../support/root";
import { scratchFolder } from "../support/scratch-folder";

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

test("a folder whose making was cut off is removed, before it was locked and after", async () => {
  const [unlocked, locked] = [0, 1].map(() => join(parent, `.chatd-${crypto.randomUUID()}`));
  mkdirSync(unlocked ?? "");
  mkdirSync(locked ?? "");
  writeFileSync(join(locked ?? "", ".chatd-in-use"), "");
  await removeLeftFolders(parent, "work-");
  expect(readdirSync(parent)).toEqual(["other"]);
});

test("a folder that cannot be locked leaves nothing behind", () => {
  // SQLite opens no path of more than 512 bytes.
  const deep = join(parent, "deep", "x".repeat(250), "y".repeat(250));
  mkdirSync(deep, { recursive: true });
  expect(() => makeHeldFolder(deep, "work-")).toThrow();
  expect(readdirSync(deep)).toEqual([]);
  rmSync(join(parent, "deep"), { recursive: true });
});

test("a folder that is made while another process removes what was left is whole", async () => {
  const script = `
    import { removeLeftFolders } from ${JSON.stringify(join(root, "db/held-folder.ts"))};
    console.log("removes");
    for (;;) await removeLeftFolders(${JSON.stringify(parent)}, "work-");`;
  const child = spawn([process.execPath, "-e", script], { stdout: "pipe" });
  await child.stdout.getReader().read();
  for (let count = 0; count < 300; count++) {
    const folder = makeHeldFolder(parent, "work-");
    expect(readdirSync(folder.path)).toEqual([".chatd-in-use"]);
    await folder.remove();
  }
  child.kill("SIGKILL");
  await child.exited;
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
