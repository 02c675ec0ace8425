import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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

test("a folder whose removal was cut off after its lock file is removed", async () => {
  mkdirSync(join(parent, "work-rest", "files"), { recursive: true });
  await removeLeftFolders(parent, "work-");
  expect(existsSync(join(parent, "work-rest"))).toBe(false);
});
