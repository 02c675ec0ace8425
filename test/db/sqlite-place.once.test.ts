import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MovedError, watchPlace } from "../../db/sqlite-place";
import { freshFolder, waitFor } from "../cli/chatd";

/**
 * A database's files in a folder that has been left alone for so long that it is known by its time.
 */
async function watched() {
  const folder = join(freshFolder(), "data");
  mkdirSync(folder);
  const path = join(folder, "chatd.db");
  writeFileSync(path, "pages");
  writeFileSync(`${path}-wal`, "frames");
  const tickMilliseconds = 20;
  await waitFor(() => Date.now() - statSync(folder).ctimeMs > tickMilliseconds || undefined, 1_000);
  const requireInPlace = watchPlace(path, 0);
  requireInPlace();
  await new Promise((resolve) => setTimeout(resolve, 0));
  requireInPlace();
  return { folder, path, requireInPlace };
}

describe("A database file that is looked for under its name", () => {
  test.each<[string, (at: { folder: string; path: string }) => void]>([
    ["its folder is renamed", ({ folder }) => renameSync(folder, `${folder}-away`)],
    ["its folder is removed", ({ folder }) => rmSync(folder, { recursive: true })],
    ["it is removed", ({ path }) => rmSync(path)],
    ["its log is renamed", ({ path }) => renameSync(`${path}-wal`, `${path}-old`)],
    [
      "another stands in its place",
      ({ path }) => {
        copyFileSync(path, `${path}-copy`);
        renameSync(`${path}-copy`, path);
      },
    ],
  ])("is missed when %s", async (_what, change) => {
    const at = await watched();
    change(at);
    expect(at.requireInPlace).toThrow(MovedError);
    expect(at.requireInPlace).toThrow(MovedError);
  });

  test("is found while others are made and removed beside it, and what is written to it", async () => {
    const { path, requireInPlace } = await watched();
    for (let number = 0; number < 3; number += 1) {
      writeFileSync(`${path}-${number}`, "");
      requireInPlace();
      rmSync(`${path}-${number}`);
      writeFileSync(path, `pages ${number}`);
      requireInPlace();
    }
  });
});
