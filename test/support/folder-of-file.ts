import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder } from "./scratch-folder";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder for a test file, removed at its end. */
export function folderOfFile(name: string): string {
  const folder = mkdtempSync(join(scratchFolder(), `chatd-${name}-`));
  folders.push(folder);
  return folder;
}
