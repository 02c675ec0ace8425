/**
 * Runs the whole suite: what depends on the storage engine once on SQLite and once on a real
 * PostgreSQL, tests of PostgreSQL alone on it, the rest once. `bun run test/run.ts [--engine
 * sqlite|postgres] [part of a file name …]`; the last line is `N passed, N failed`.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Subprocess, spawn } from "bun";
import { buildBinary } from "./clients/binary";
import { freshDatabase } from "./support/databases/postgres";
import { type PostgresServer, startPostgres } from "./support/databases/postgres-server";
import { provision } from "./support/databases/provisioned";
import { makeSeed } from "./support/databases/seed";
import { timingsOf, waits } from "./support/file-order";
import { longLived } from "./support/processes/long-lived";
import { scratchFolder } from "./support/scratch-folder";
import {
  addCounts,
  type Counts,
  countTests,
  describeNotPassed,
  type NotPassed,
} from "./support/test-results";

type Engine = "sqlite" | "postgres";
interface Pass {
  name: string;
  files: string[];
}
/** Passes whose files share processes, because one environment fits them. */
interface Run {
  engine: Engine;
  passes: Pass[];
}
type Outcome = { pass: Pass; counts: Counts; notPassed: NotPassed[]; problems: string[] };
/** The report of `bun test` about files, the lines that it printed, and its exit code. */
type Ended = { report: string; lines: string[]; exitCode: number };

/** Takes the settings of `longLived` out of the environment that executables in tests get. */
const longLivedAlone = "./test/support/processes/long-lived-alone.ts";

const runTimeoutMilliseconds = 60 * 60_000;
const testTimeoutMilliseconds = 60_000;

/** Tests that see no engine, or only their own: they run once, as those in browsers do. */
const oncePatterns = [
  /^tidy\.test\.ts$/,
  /^(cli|clients|crash|documents|transcripts)\//,
  /\.once\.test\.ts$/,
];

/** Tests of what PostgreSQL alone has: they run once, on it. */
const postgresPattern = /\.postgres\.test\.ts$/;

/** Tests that drive the executable, which is built once for all of them. */
const binaryPattern = /^(cli|clients|crash|documents|transcripts|web\/browser\/executable)\//;

/**
 * Tests that wait for a real browser, which a busy machine holds up in ways that none of ours can
 * see.
 */
const browserPattern = /^web\/browser\//;
/** Where tests of more files fail, the machine is not the cause. */
const secondTryFilesMax = 3;

const folder = mkdtempSync(join(tmpdir(), "chatd-suite-"));
/**
 * For the data of tests. A server of PostgreSQL that a test starts as another account gets through
 * it.
 */
const scratch = mkdtempSync(join(scratchFolder(), "chatd-suite-"));
chmodSync(scratch, 0o711);
/**
 * Browsers stay for the next file of a process and are killed with it. Their profiles stay in a
 * folder that the run removes.
 */
const keptBrowsers = { CHATD_TEST_KEEPS_BROWSERS: "1", TMPDIR: folder };
const children = new Set<Subprocess>();
let server: PostgresServer | undefined;

async function main(): Promise<number> {
  const { engine, parts } = readArguments();
  const runs = planRuns(engine, parts);
  if (runs.length === 0) throw new Error("No test file matches.");
  if (engine !== "sqlite") server = await startPostgres();
  const outcomes: Outcome[] = [];
  for (const run of runs) {
    for (const outcome of await runTests(run)) outcomes.push(await trySecondTime(run, outcome));
  }
  return report(outcomes);
}

function readArguments(): { engine: Engine | undefined; parts: string[] } {
  const { values, positionals } = parseArgs({
    options: { engine: { type: "string" } },
    allowPositionals: true,
  });
  const { engine } = values;
  if (engine !== undefined && engine !== "sqlite" && engine !== "postgres") {
    throw new Error(`--engine is sqlite or postgres, not "${engine}".`);
  }
  return { engine, parts: positionals };
}

function planRuns(engine: Engine | undefined, parts: string[]): Run[] {
  const files = [...new Bun.Glob("**/*.test.ts").scanSync(import.meta.dir)]
    .sort()
    .filter((file) => parts.length === 0 || parts.some((part) => `test/${file}`.includes(part)));
  const inBrowsers = files.filter((file) => browserPattern.test(file));
  const others = files.filter((file) => !browserPattern.test(file));
  const isOnce = (file: string) => oncePatterns.some((pattern) => pattern.test(file));
  const ofPostgres = others.filter((file) => postgresPattern.test(file));
  const bothEngines = others.filter((file) => !isOnce(file) && !postgresPattern.test(file));
  const once = { name: "once", files: others.filter(isOnce) };
  const browsers = { name: "in browsers", files: inBrowsers };
  const onSqlite = { name: "on sqlite", files: bothEngines };
  const onPostgres = { name: "on postgres", files: bothEngines };
  const postgresAlone = { name: "of postgres alone", files: ofPostgres };
  const runs: Run[] = [
    { engine: "sqlite", passes: [once, onSqlite] },
    { engine: "sqlite", passes: [browsers] },
    { engine: "postgres", passes: [onPostgres, postgresAlone] },
  ];
  return runs
    .filter((run) => engine === undefined || run.engine === engine)
    .map((run) => ({ ...run, passes: run.passes.filter(({ files }) => files.length > 0) }))
    .filter(({ passes }) => passes.length > 0);
}

/**
 * Runs the passes of a run together. Files in one process share the modules that are loaded: to
 * load and to warm them up takes as long as most files. Files that wait most of their time have a
 * process beside the others, because no processor should wait with them.
 */
async function runTests({ engine, passes }: Run): Promise<Outcome[]> {
  const files = passes.flatMap((pass) => pass.files);
  console.log(`\n=== ${passes.map(({ name }) => name).join(", ")}: ${files.length} files\n`);
  const env = await environmentOf(engine, files);
  const lanes = [files.filter((file) => !waits(file)), files.filter(waits)];
  const ended = lanes
    .filter((lane) => lane.length > 0)
    .map((lane, index) => runFiles(lane, env, index > 0));
  return judge(passes, await Promise.all(ended));
}

/** Runs files, and shows what is printed as it comes, or later where others run meanwhile. */
async function runFiles(files: string[], env: Environment, isBeside: boolean): Promise<Ended> {
  const options = ["--no-isolate", "--no-orphans", "--preload", longLivedAlone];
  const patience = ["--timeout", String(testTimeoutMilliseconds)];
  const order = isBeside ? [] : ["--parallel", "--timings", writeOrder(files)];
  const report = join(mkdtempSync(join(folder, "report-")), "report.xml");
  const reporting = ["--reporter=junit", `--reporter-outfile=${report}`];
  const paths = files.map((file) => `./test/${file}`);
  const args = [...options, ...patience, ...order, ...reporting, ...paths];
  const child = spawn([process.execPath, "test", ...args], {
    cwd: `${import.meta.dir}/..`,
    env,
    stdin: "ignore",
    stdout: isBeside ? "ignore" : "inherit",
    stderr: "pipe",
    timeout: runTimeoutMilliseconds,
    killSignal: "SIGKILL",
  });
  children.add(child);
  const show = showWithHeadings();
  const lines = await readLines(child.stderr, isBeside ? () => undefined : show);
  if (isBeside) lines.forEach(show);
  const exitCode = await child.exited;
  children.delete(child);
  return { report: existsSync(report) ? readFileSync(report, "utf8") : "", lines, exitCode };
}

type Environment = Record<string, string | undefined>;

async function environmentOf(engine: Engine, files: string[]): Promise<Environment> {
  return {
    ...process.env,
    ...longLived,
    ...(files.some((file) => browserPattern.test(file)) ? keptBrowsers : {}),
    CHATD_TEST_ENGINE: engine,
    CHATD_TEST_POSTGRES: server?.url,
    CHATD_TEST_POSTGRES_SOCKETS: server?.socketFolder,
    CHATD_TEST_SEED: await seedOf(engine),
    CHATD_TEST_SCRATCH: scratch,
    ...(await binaryFor(files)),
  };
}

/**
 * Runs the files of browser tests that failed once more. Tests that pass now are told of as
 * unsteady, and count as passed.
 */
async function trySecondTime({ engine }: Run, first: Outcome): Promise<Outcome> {
  const isToTry = ({ outcome, file }: NotPassed) =>
    outcome === "FAILED" && browserPattern.test(file.replace(/^test\//, ""));
  const tried = first.notPassed.filter(isToTry);
  const files = [...new Set(tried.map(({ file }) => file.replace(/^test\//, "")))];
  if (files.length === 0 || files.length > secondTryFilesMax) return first;
  const again = { name: `${first.pass.name}, second try`, files };
  const [second] = await runTests({ engine, passes: [again] });
  if (!second || second.counts.failed > 0 || second.problems.length > 0) return first;
  const { passed, failed } = first.counts;
  // A file whose process crashed may not be counted among the failed ones.
  const mended = Math.min(failed, tried.length);
  return {
    ...first,
    counts: { ...first.counts, passed: passed + mended, failed: failed - mended },
    notPassed: first.notPassed.map((test) =>
      isToTry(test) ? { ...test, outcome: "UNSTEADY" } : test,
    ),
  };
}

/** Writes the order in which files begin, as bun reads it. */
function writeOrder(files: string[]): string {
  const path = join(mkdtempSync(join(folder, "order-")), "timings.json");
  writeFileSync(path, JSON.stringify(timingsOf(files)));
  return path;
}

/** Data that worlds begin with on an engine, made when a run on it begins. */
async function seedOf(engine: Engine): Promise<string> {
  const seed = join(folder, `seed-${engine}`);
  if (existsSync(seed)) return seed;
  await makeSeed(
    seed,
    engine === "postgres" && server ? await freshDatabase("template0", server.url) : undefined,
  );
  return seed;
}

let built: Record<string, string> | undefined;

/**
 * The executable, and what it has provisioned. Where it cannot be built, the tests that need it say
 * so.
 */
async function binaryFor(files: string[]): Promise<Record<string, string>> {
  if (!files.some((file) => binaryPattern.test(file)) || Bun.which("make") === null) return {};
  try {
    built ??= await buildAndProvision();
    return built;
  } catch (error) {
    console.error(error);
    return {};
  }
}

async function buildAndProvision(): Promise<Record<string, string>> {
  const [binary, provisioned] = [buildBinary(folder), join(folder, "provisioned")];
  provision(join(provisioned, "sqlite"), [binary]);
  const databaseUrl = server && (await freshDatabase("template0", server.url));
  if (databaseUrl !== undefined)
    provision(join(provisioned, "postgres"), [binary], { databaseUrl });
  return { CHATD_TEST_BINARY: binary, CHATD_TEST_PROVISIONED: provisioned };
}

/** Reads all lines of an output, and gives each away as it comes. */
async function readLines(
  output: ReadableStream<Uint8Array>,
  onLine: (line: string) => void,
): Promise<string[]> {
  const lines: string[] = [];
  const decoder = new TextDecoder();
  let rest = "";
  const take = (line: string) => {
    lines.push(line);
    onLine(line);
  };
  for await (const chunk of output) {
    const complete = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = complete.pop() ?? "";
    complete.forEach(take);
  }
  if (rest !== "") take(rest);
  return lines;
}

/**
 * Shows lines without those of tests that passed, a file's heading only when there is something to
 * say below it.
 */
function showWithHeadings(): (line: string) => void {
  let heading: string | undefined;
  return (line) => {
    if (line === "" || line.startsWith("(pass)")) return;
    if (/^test\/\S+\.test\.ts:$/.test(line)) {
      heading = line;
      return;
    }
    if (heading !== undefined && !isCount(line)) console.error(`\n${heading}`);
    heading = undefined;
    console.error(line);
  };
}

const isCount = (line: string) => /^ *\d+ (pass|fail|skip|todo)$/.test(line);

/**
 * Gives each pass its part of what bun reported and printed. A file without a counted test is a
 * problem, because it could not be loaded, its process has crashed, or bun has written no report. A
 * failure outside of tests is a problem of the last pass.
 */
function judge(passes: Pass[], ended: Ended[]): Outcome[] {
  const counts = ended.flatMap(({ report }) => [...countTests(report)]);
  const counted = new Set(counts.map(([file]) => file));
  const notPassed = ended.flatMap(({ lines }) => describeNotPassed(lines));
  const outcomes: Outcome[] = passes.map((pass) => {
    const files = new Set(pass.files.map((file) => `test/${file}`));
    return {
      pass,
      counts: addCounts(counts.flatMap(([file, ofFile]) => (files.has(file) ? ofFile : []))),
      notPassed: notPassed.filter(({ file }) => files.has(file)),
      problems: [...files.difference(counted)].map((file) => `no test of ${file} has ended`),
    };
  });
  outcomes.at(-1)?.problems.push(...ended.flatMap(problemsIn));
  for (const { counts, problems } of outcomes) {
    if (process.env.CI && counts.skipped > 0)
      problems.push(`${counts.skipped} skipped, with CI set`);
  }
  return outcomes;
}

function problemsIn({ report, lines, exitCode }: Ended): string[] {
  if (!lines.some((line) => /^Ran \d+ tests? across/.test(line)))
    return [
      `bun test ended with code ${exitCode} and without a summary (crashed, or ran out of time)`,
    ];
  const { failed } = addCounts([...countTests(report).values()]);
  const printed = Number(
    lines.findLast((line) => /^ *\d+ fail$/.test(line))?.split(" fail")[0] ?? 0,
  );
  if (printed > failed)
    return [`files or hooks that failed outside of a test: ${printed - failed}`];
  return exitCode !== 0 && failed === 0 ? [`bun test ended with code ${exitCode}`] : [];
}

/** Prints the summary; a problem counts as a failed test. Answers with the exit code. */
function report(outcomes: Outcome[]): number {
  console.log("\n=== Summary");
  const problems = [...outcomes.flatMap(problemsOf), ...unequalCounts(outcomes)];
  for (const { pass, notPassed } of outcomes) {
    for (const { outcome, file, text } of notPassed)
      console.log(`!!! ${pass.name}: ${outcome} ${file}: ${text}`);
  }
  for (const problem of problems) console.log(`!!! PROBLEM ${problem}`);
  for (const { pass, counts } of outcomes) console.log(`${pass.name}: ${describeCounts(counts)}`);
  const total = (what: keyof Counts) => outcomes.reduce((sum, { counts }) => sum + counts[what], 0);
  const failed = total("failed") + problems.length;
  console.log(`${total("passed")} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

const problemsOf = ({ pass, problems }: Outcome) =>
  problems.map((problem) => `${pass.name}: ${problem}`);

const describeCounts = ({ passed, failed, skipped, todo }: Counts) =>
  `${passed} passed, ${failed} failed, ${skipped} skipped, ${todo} todo`;

/**
 * Both engines run one suite: a test that ran on one of them only is a problem. A test that failed
 * is counted already.
 */
function unequalCounts(outcomes: Outcome[]): string[] {
  const [first, second] = outcomes
    .filter(({ pass }) => pass.name.startsWith("on "))
    .map(({ counts }) => ({ text: describeCounts(counts), ran: counts.passed + counts.failed }));
  if (first === undefined || second === undefined || first.ran === second.ran) return [];
  return [`the engines differ: sqlite ${first.text}; postgres ${second.text}`];
}

async function cleanUp(): Promise<void> {
  for (const child of children) child.kill("SIGKILL");
  await server?.stop();
  server = undefined;
  for (const made of [folder, scratch]) rmSync(made, { recursive: true, force: true });
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => void cleanUp().finally(() => process.exit(130)));
}

let exitCode = 1;
try {
  exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log("0 passed, 1 failed");
} finally {
  await cleanUp();
}
process.exit(exitCode);
