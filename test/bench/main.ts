/**
 * `make bench`: measures the built chatd and the floor program in one run, in turns, prints a table
 * with ratios and appends one line to history.jsonl. A missed target never fails the run; a
 * scenario that does not work does.
 */
import { chmodSync, existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../support/databases/postgres-server";
import { attacks } from "./attacks";
import {
  appendHistory,
  describeCommit,
  describeMachine,
  formatTables,
  type Repeat,
  summarize,
} from "./report";
import { groups, groupsOnDemand, type Run, scenarios } from "./scenarios";
import { buildFloor, cleanUp, describeChatd, makeScratch, type Program } from "./servers";
import type { Engine } from "./targets";

const usage = `bun run test/bench/main.ts [--only send,deliver,fanout,register,fetch,edit,move,mixed,search,sessions,idle,start,growth,unread,neighbours,steady] [--seconds 4] [--repeats 3]
  [--engine postgres]       chatd on a PostgreSQL that is started for the run (the floor stays on SQLite)
  [--engine postgres://…]   the same on one that runs, in databases made for the run
  [--subject PATH|floor]    the binary to measure (dist/chatd); "floor" compares the floor with itself: the noise
  [--serve-flags="…"]       further options of chatd serve
  [--beside longHtml,…]     only these attacks of the scenario neighbours
  [--steady-minutes 60]     how long the scenario steady takes, which only runs where --only names it
  [--no-history]            do not append to history.jsonl`;

function refuse(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}

function readFlags() {
  const { values } = parseArgs({
    options: {
      only: {
        type: "string",
        default: groups.filter((group) => !groupsOnDemand.includes(group)).join(","),
      },
      seconds: { type: "string", default: "4" },
      repeats: { type: "string", default: "3" },
      engine: { type: "string", default: "sqlite" },
      subject: { type: "string", default: resolve(import.meta.dir, "../../dist/chatd") },
      "serve-flags": { type: "string", default: "" },
      beside: { type: "string", default: Object.keys(attacks).join(",") },
      "no-history": { type: "boolean", default: false },
      "steady-minutes": { type: "string", default: "60" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) refuse("Measures chatd against the floor.");
  const unknown = values.only.split(",").find((group) => !groups.includes(group));
  if (unknown !== undefined) refuse(`There is no scenario ${unknown}.`);
  const peaceful = values.beside.split(",").find((name) => !(name in attacks));
  if (peaceful !== undefined) refuse(`There is no attack ${peaceful}.`);
  if (!(Number(values.seconds) > 0 && Number(values.repeats) > 0))
    refuse("--seconds and --repeats are positive numbers.");
  if (!["sqlite", "postgres"].includes(values.engine) && !/^postgres(ql)?:\/\//.test(values.engine))
    refuse("--engine is sqlite, postgres or a postgres:// address.");
  if (values.subject !== "floor" && !existsSync(values.subject))
    refuse(`${values.subject} does not exist: run \`make build\` first.`);
  return values;
}

/**
 * Measures the scenarios of the groups; one that does not work is told, and the others still run.
 */
async function measureGroups(
  run: Run,
  wanted: string[],
): Promise<{ repeats: Repeat[]; failed: string[] }> {
  const repeats: Repeat[] = [];
  const failed: string[] = [];
  for (const scenario of scenarios.filter(({ group }) => wanted.includes(group))) {
    console.error(`measuring ${scenario.name}`);
    try {
      repeats.push(...(await scenario.measure(run, scenario.name)));
    } catch (error) {
      failed.push(scenario.name);
      console.error(
        `${scenario.name} failed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return { repeats, failed };
}

function describeSubject(
  path: string,
  serveFlags: string,
  floor: Program,
  isLimited = false,
): Program {
  if (path === "floor") return { ...floor, name: "floor-again" };
  const given = serveFlags.split(" ").filter((flag) => flag !== "");
  return describeChatd(resolve(path), given, isLimited);
}

/**
 * The address of the PostgreSQL to measure on, empty for SQLite; one of its own waits for the disk
 * as an operator's does.
 */
async function openDatabase(
  engine: string,
  scratch: string,
): Promise<{ address: string; close: () => Promise<void> }> {
  if (engine !== "postgres")
    return { address: engine === "sqlite" ? "" : engine, close: async () => undefined };
  chmodSync(scratch, 0o711);
  const server = await startPostgres({ durable: true, parent: scratch });
  return { address: server.url, close: () => server.stop() };
}

/** Measures, prints and remembers; resolves with the exit code. */
async function main(): Promise<number> {
  const flags = readFlags();
  const scratch = makeScratch();
  process.on("exit", () => cleanUp(scratch));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));
  const floor = buildFloor(scratch);
  const subject = describeSubject(flags.subject, flags["serve-flags"], floor);
  const engine: Engine = flags.engine === "sqlite" ? "sqlite" : "postgres";
  const database = await openDatabase(flags.engine, scratch);
  const run: Run = {
    floor,
    subject,
    limited: describeSubject(flags.subject, flags["serve-flags"], floor, true),
    scratch,
    seconds: Number(flags.seconds),
    repeats: Number(flags.repeats),
    steadyMinutes: Number(flags["steady-minutes"]),
    database: database.address,
    beside: flags.beside.split(","),
  };

  const { repeats, failed } = await measureGroups(run, flags.only.split(","));
  await database.close();
  const { ratios, ...figures } = summarize(repeats);
  const heading = {
    date: new Date().toISOString(),
    commit: describeCommit(),
    machine: describeMachine(),
    engine,
  };
  console.log(`\n${heading.date}  commit ${heading.commit}  ${engine}\n${heading.machine}\n`);
  console.log(formatTables({ ratios, ...figures }, engine, subject.name));
  if (failed.length > 0) console.log(`\nfailed: ${failed.join(", ")}`);
  if (!flags["no-history"] && subject.name === "chatd" && repeats.length > 0) {
    const { seconds } = run;
    appendHistory({
      ...heading,
      seconds,
      repeats: run.repeats,
      failed,
      floor: figures.floor,
      chatd: figures.subject,
      ratios,
    });
  }
  return failed.length === 0 ? 0 : 1;
}

await main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
