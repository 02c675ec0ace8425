import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import { openEngine } from "../../db/open";
import { assetPath } from "../../src/core/assets";
import { freshFolder } from "../cli/chatd";
import { notingHooks } from "../support/databases/storage";
import { root } from "../support/root";
import { PageCache } from "./page-cache";
import { seededRandom } from "./seeded-random";
import { canTrace, names, readTrace, replay, tracer } from "./traced-writes";

/**
 * `CHATD_POWER_CUTS=100 make test ARGS="failed-sync"` for the figure that we publish;
 * `CHATD_CRASH_SEED` repeats a run.
 */
const powerCuts = Number(process.env.CHATD_POWER_CUTS ?? 8);
const seed = Number(process.env.CHATD_CRASH_SEED ?? 20_261_123);
const cutsPerRun = 8;
const cutMilliseconds = 3_000;

const rowsBefore = 45;
const rowsAfter = 12;
/** The first process makes more of them, of which some are for a checkpoint. */
const syncsMax = 45;

interface Outcome {
  lost: number[];
  neverSent: number[];
  integrity: unknown;
}

/** Runs the process that writes rows, and answers its trace. */
function writeRows(folder: string, first: number, count: number, failing?: number) {
  const traceFile = join(folder, "..", `trace-${first}`);
  const writing = [
    process.execPath,
    "run",
    join(root, "test/crash/writing-process.ts"),
    folder,
    `${first}`,
    `${count}`,
  ];
  const { exitCode, stderr } = spawnSync([...tracer(traceFile, failing), ...writing]);
  return { exitCode, stderr: stderr.toString(), calls: readTrace(readFileSync(traceFile, "utf8")) };
}

async function openFolder(folder: string) {
  const place = {
    databaseUrl: undefined,
    dataFolder: folder,
    migrationsFolder: assetPath("db", "migrations"),
  };
  return (await openEngine(place, notingHooks().hooks, 1)).engine;
}

/**
 * Contents of an image of the disk beside the messages that were acknowledged before the power was
 * cut.
 */
async function judgeImage(
  image: Map<string, Buffer>,
  acknowledged: readonly number[],
): Promise<Outcome> {
  const folder = join(freshFolder(), "image");
  mkdirSync(folder);
  for (const [name, content] of image) writeFileSync(join(folder, name), content);
  const engine = await openFolder(folder);
  const rows = await engine.reader.db.select().from(engine.schema.eventLog);
  await engine.close();
  const file = new Database(join(folder, "chatd.db"));
  const integrity = file.query("PRAGMA integrity_check").values();
  file.close();
  const stored = new Set(rows.map(({ type }) => Number(type)));
  return {
    lost: acknowledged.filter((number) => !stored.has(number)),
    neverSent: [...stored].filter((number) => number < 1 || number > rowsBefore + rowsAfter),
    integrity,
  };
}

/**
 * A process whose disk fails once, another one after it, and images of power cuts while that one
 * works.
 */
async function failAndGoOn(random: () => number): Promise<Outcome[]> {
  const folder = join(freshFolder(), "data");
  mkdirSync(folder);
  writeRows(folder, 1, 0);
  const cache = new PageCache(
    names.map((name) => [name, readFileSync(join(folder, name))]),
    random,
  );
  const first = writeRows(folder, 1, rowsBefore, 1 + Math.floor(random() * syncsMax));
  const second = writeRows(folder, rowsBefore + 1, rowsAfter);
  // Where the failing sync is one of the start, the process does not begin to write.
  expect([[1, 74].includes(first.exitCode), second.stderr]).toEqual([true, ""]);
  const acknowledged: number[] = [];
  const take = (call: (typeof first.calls)[number]) => {
    replay(cache, folder, call);
    const said = call.name === "write" && /^said (\d+)$/m.exec(call.bytes.toString())?.[1];
    if (said) acknowledged.push(Number(said));
  };
  for (const call of first.calls) take(call);
  const outcomes: Outcome[] = [];
  const cuts = new Set(
    Array.from({ length: cutsPerRun }, () => Math.floor(random() * second.calls.length)),
  );
  for (const [index, call] of second.calls.entries()) {
    take(call);
    if (cuts.has(index)) outcomes.push(await judgeImage(cache.image(), acknowledged));
  }
  return outcomes;
}

test.skipIf(!canTrace())(
  `of ${powerCuts} power cuts after a restart on a disk that has failed once none loses what was acknowledged`,
  async () => {
    const random = seededRandom(seed);
    const outcomes: Outcome[] = [];
    while (outcomes.length < powerCuts) outcomes.push(...(await failAndGoOn(random)));
    const lossy = outcomes.filter(({ lost }) => lost.length > 0);
    console.log(
      `${outcomes.length} images, ${lossy.length} of them have lost something that was acknowledged`,
    );
    const good: Outcome = { lost: [], neverSent: [], integrity: [["ok"]] };
    expect(outcomes).toEqual(outcomes.map(() => good));
  },
  60_000 + powerCuts * cutMilliseconds,
);
