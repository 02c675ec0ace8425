/**
 * `make compare WITH=PATH`: measures dist/chatd beside another executable of chatd, such as that of
 * the commit before, in turns. Prints for each figure the median of the ratios of all pairs and its
 * 95 % interval; above 1 the new one does better. A pair takes `--seconds` of each, after its start
 * and `--warm-up` seconds that do not count, in which the runtime compiles the most used code.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Figures } from "./load-target";
import { describeMachine } from "./report";
import {
  cleanUp,
  describeChatd,
  makeScratch,
  measureStart,
  type Program,
  runLoadInTurns,
  startServer,
} from "./servers";
import { median, medianInterval } from "./statistics";
import { lines } from "./targets";

const usage = `bun run test/bench/compare.ts --with PATH [--subject dist/chatd] [--only send1,mixed,…] [--pairs 9] [--seconds 6] [--warm-up 10]`;
/**
 * Scenarios whose data the executables make themselves: the stored data of one may be too new for
 * the other.
 */
const scenarios = ["send1", "send16", "send64", "register", "fetch", "mixed", "start"];
/** The mixed load begins with ten seconds of its own. */
const warmsUpItself = (scenario: string) => scenario === "mixed";
const limitMs = 120_000;

interface Pair {
  older: Figures;
  newer: Figures;
}

interface Comparison {
  older: Program;
  newer: Program;
  scratch: string;
  seconds: number;
  warmUpSeconds: number;
  pairs: number;
}

/**
 * The figures of both. Each pair begins with the other one than the pair before, because the second
 * may have it easier.
 */
async function comparePairs(comparison: Comparison, scenario: string): Promise<Pair[]> {
  const { older, newer, pairs } = comparison;
  const measure = scenario === "start" ? compareStarts : compareLoads;
  // The first start of each reads the executable from the disk.
  if (scenario === "start") await compareStarts(comparison, scenario, [older, newer]);
  const measured: Pair[] = [];
  for (let index = 0; index < pairs; index++) {
    const isTurned = index % 2 === 1;
    const [one, other] = await measure(
      comparison,
      scenario,
      isTurned ? [newer, older] : [older, newer],
    );
    measured.push(isTurned ? { newer: one, older: other } : { older: one, newer: other });
  }
  return measured;
}

type Programs = readonly [Program, Program];

async function compareStarts(
  { scratch }: Comparison,
  _scenario: string,
  [one, other]: Programs,
): Promise<[Figures, Figures]> {
  const startMs = await measureStart(one, scratch);
  return [{ startMs }, { startMs: await measureStart(other, scratch) }];
}

/**
 * Figures of two servers that were just started, because one process of a program differs from the
 * next by more than two programs do. They take short turns at the load.
 */
async function compareLoads(
  { scratch, seconds, warmUpSeconds }: Comparison,
  scenario: string,
  [one, other]: Programs,
): Promise<[Figures, Figures]> {
  const servers = [
    await startServer(one, scratch, ""),
    await startServer(other, scratch, ""),
  ] as const;
  try {
    const lengths = { seconds, warmUpSeconds: warmsUpItself(scenario) ? 0 : warmUpSeconds };
    return await runLoadInTurns(servers, scenario, lengths, limitMs);
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** A line for each figure of the bench that was measured. */
function describe(pairs: readonly Pair[]): string[] {
  return lines.flatMap(({ figure, label, better, compared }) => {
    const values = pairs.flatMap(({ older, newer }) => {
      const [before, after] = [older[figure], newer[figure]];
      return before === undefined || after === undefined ? [] : [{ before, after }];
    });
    if (values.length === 0 || compared !== undefined) return [];
    const ratios = values.map(({ before, after }) =>
      better === "higher" ? after / before : before / after,
    );
    const [low, high] = medianInterval(ratios);
    const numbers = [
      median(values.map(({ before }) => before)),
      median(values.map(({ after }) => after)),
    ];
    const shown = numbers.map((value) => String(Number(value.toPrecision(4))).padStart(9)).join("");
    return [
      `${label.padEnd(46)}${shown}  ${median(ratios).toFixed(3)}  (${low.toFixed(3)}–${high.toFixed(3)})`,
    ];
  });
}

function readFlags() {
  const { values } = parseArgs({
    options: {
      with: { type: "string", default: "" },
      subject: { type: "string", default: resolve(import.meta.dir, "../../dist/chatd") },
      only: { type: "string", default: scenarios.join(",") },
      pairs: { type: "string", default: "9" },
      seconds: { type: "string", default: "6" },
      "warm-up": { type: "string", default: "10" },
    },
  });
  const only = values.only.split(",");
  const unknown = only.find((name) => !scenarios.includes(name));
  const missing = [values.with, values.subject].find((path) => !existsSync(path));
  if (unknown !== undefined || missing !== undefined) {
    console.error(
      `${unknown === undefined ? `"${missing}" does not exist` : `There is no scenario ${unknown}`}.\n${usage}`,
    );
    process.exit(2);
  }
  return { ...values, only };
}

async function main() {
  const flags = readFlags();
  const scratch = makeScratch();
  process.on("exit", () => cleanUp(scratch));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));
  const comparison = {
    older: describeChatd(resolve(flags.with), []),
    newer: describeChatd(resolve(flags.subject), []),
    scratch,
    seconds: Number(flags.seconds),
    warmUpSeconds: Number(flags["warm-up"]),
    pairs: Number(flags.pairs),
  };
  console.log(`${new Date().toISOString()}  ${describeMachine()}, ${flags.pairs} pairs`);
  console.log(`${"".padEnd(46)}    older    newer  ratio  (95 % of it)`);
  for (const scenario of flags.only) {
    for (const line of describe(await comparePairs(comparison, scenario))) console.log(line);
  }
}

await main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
