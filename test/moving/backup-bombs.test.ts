import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readArchive, writeArchive } from "../../src/moving/backup/archive";
import { packLines, tableOfPart, unpackLines } from "../../src/moving/backup/row-lines";
import { backUpInto, backupFolder, restoreInto } from "../support/archives/backups";
import { freshPlace } from "../support/databases/storage";
import { outcomeOf } from "../support/outcome";
import { makeWorld } from "../support/world";

const { folder, remove } = backupFolder();
afterAll(remove);

/** 1 GiB of one character, as 50 KB. */
async function bombOf(character: string): Promise<Uint8Array> {
  const piece = await Bun.zstdCompress(Buffer.alloc(1024 * 1024, character));
  return Buffer.concat(Array.from({ length: 1024 }, () => piece));
}

/** A backup, whole and with a right checksum, of which the rows of one table are something else. */
async function withPart(path: string, table: string, part: Uint8Array): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const archive = writeArchive(async (bytes) => void pieces.push(Buffer.from(bytes)), 0);
  const entries = readArchive(new Blob([readFileSync(path)]).stream());
  let next = await entries.next();
  for (; !next.done; next = await entries.next()) {
    const { name } = next.value;
    await archive.add(name, tableOfPart(name) === table ? part : await next.value.bytes());
  }
  const { sha256: _, ...facts } = next.value;
  await archive.end(facts);
  return Buffer.concat(pieces);
}

test("H9: a backup that unpacks to gigabytes is refused before it takes the memory, and nothing is touched", async () => {
  const world = await makeWorld();
  const path = join(folder, "backup.tar");
  await backUpInto(path, world.place, 0);
  for (const character of ["[", "\n"]) {
    const bad = await withPart(path, "users", await bombOf(character));
    expect(bad.byteLength).toBeLessThan(1024 * 1024);
    const place = await freshPlace();
    const peakBefore = process.resourceUsage().maxRSS;
    expect(await outcomeOf(restoreInto(place, bad))).toThrow("This is no whole backup");
    expect((process.resourceUsage().maxRSS - peakBefore) / 1024).toBeLessThan(500);
    expect(readdirSync(place.dataFolder)).toEqual([]);
    await place.remove();
  }
  await world.close();
});

test("H9: neither rows without number nor a row without end are taken as rows of a table", async () => {
  const rows = (count: number) =>
    packLines(
      ["id"],
      Array.from({ length: count }, () => "[1]"),
    );
  expect((await unpackLines(await rows(600_000))).rows.length).toBe(600_000);
  expect(await outcomeOf(unpackLines(await rows(700_000)))).toThrow("more rows");
  expect(await outcomeOf(packLines(["id"], [`["${"x".repeat(128 * 1024 * 1024)}"]`]))).toThrow(
    "128 MiB",
  );
});
