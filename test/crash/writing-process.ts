/**
 * Opens the data in a folder and stores one numbered row after the other, `said N` on stdout once
 * one is acknowledged; ends like a power cut after the last, or with 74 where the engine gives the
 * disk up. `bun run test/crash/writing-process.ts FOLDER FIRST COUNT`
 */
import { writeSync } from "node:fs";
import { endAtOnce } from "../../cli/end-at-once";
import { openEngine } from "../../db/open";
import { assetPath } from "../../src/core/assets";

const [folder = "", first = "1", count = "0"] = process.argv.slice(2);
/** Several pages, so that a checkpoint comes soon. */
const filling = "x".repeat(100_000);

const engine = await open();
for (let number = Number(first); number < Number(first) + Number(count); number += 1) {
  const row = { realmId: 1, type: `${number}`, audience: "{}", body: filling, createdAt: 1 };
  await engine.write(
    1,
    async ({ db, t }) => void (await db.insert(t.eventLog).values(row)),
    () => undefined,
  );
  writeSync(1, `said ${number}\n`);
}
process.kill(process.pid, "SIGKILL");

async function open() {
  const place = {
    databaseUrl: undefined,
    dataFolder: folder,
    migrationsFolder: assetPath("db", "migrations"),
  };
  const nothing = () => undefined;
  const milliseconds = () => performance.now();
  const hooks = {
    milliseconds,
    flushed: nothing,
    changedElsewhere: nothing,
    received: nothing,
    lost: () => nothing,
    warn: nothing,
  };
  return (await openEngine(place, { ...hooks, fatal: () => endAtOnce(74) }, 1)).engine;
}
