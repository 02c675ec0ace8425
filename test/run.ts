/**
 * Runs the whole suite: what depends on the storage engine once on SQLite and once on a real
 * PostgreSQL, tests of PostgreSQL alone on it, the rest once. `bun run test/run.ts [--engine
 * sqlite|postgres] [part of a file name …]`; the last line is `N passed, N failed`.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Subprocess, spawn } from "bun";
import { buildBinary } from "./clients/binary";
import { timingsOf } from "./support/file-order";
import { longLived } from "./support/long-lived";
import { freshDatabase } from "./support/postgres";
import { type PostgresServer, startPostgres } from "./support/postgres-server";
import { provision } from "./support/provisioned";
import { scratchFolder } from "./support/scratch-folder";
import { makeSeed } from "./support/seed";

type Engine = "sqlite" | "postgres";
interface Pass {
  name: string;
  engine: Engine;
  files: string[];
}
type Counts = { passed: number; failed: number; skipped: number; todo: number };
interface NotPassed {
  outcome: "FAILED" | "SKIPPED" | "UNSTEADY";
  file: string;
  /** Name of the test, with the beginning of its error in the lines below it. */
  text: string;
}
type Outcome = { pass: Pass; counts: Counts; notPassed: NotPassed[]; problems: string[] };

/** Takes the settings of `longLived` out of the environment that executables in tests get. */
const longLivedAlone = "./test/support/long-lived-alone.ts";

const passTimeoutMilliseconds = 30 * 60_000;
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

/** Tests that wait for a real browser, which a busy machine holds up in ways that none of ours can see. */
const browserPattern = /^web\/browser\//;
/** Where tests of more files fail, the machine is not the cause. */
const secondTryFilesMax = 3;

const folder = mkdtempSync(join(tmpdir(), "chatd-suite-"));
/** For the data of tests. A server of PostgreSQL that a test starts as another account gets through it. */
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
  const passes = planPasses(engine, parts);
  if (passes.length === 0) throw new Error("No test file matches.");
  if (engine !== "sqlite") server = await startPostgres();
  const outcomes: Outcome[] = [];
  for (const pass of passes) outcomes.push(await trySecondTime(await runPass(pass)));
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

function planPasses(engine: Engine | undefined, parts: string[]): Pass[] {
  const files = [...new Bun.Glob("**/*.test.ts").scanSync(import.meta.dir)]
    .sort()
    .filter((file) => parts.length === 0 || parts.some((part) => `test/${file}`.includes(part)));
  const inBrowsers = files.filter((file) => browserPattern.test(file));
  const others = files.filter((file) => !browserPattern.test(file));
  const isOnce = (file: string) => oncePatterns.some((pattern) => pattern.test(file));
  const ofPostgres = others.filter((file) => postgresPattern.test(file));
  const bothEngines = others.filter((file) => !isOnce(file) && !postgresPattern.test(file));
  const passes: Pass[] = [
    { name: "once", engine: "sqlite", files: others.filter(isOnce) },
    { name: "in browsers", engine: "sqlite", files: inBrowsers },
    { name: "on sqlite", engine: "sqlite", files: bothEngines },
    { name: "on postgres", engine: "postgres", files: bothEngines },
    { name: "of postgres alone", engine: "postgres", files: ofPostgres },
  ];
  return passes.filter(
    (pass) => pass.files.length > 0 && (engine === undefined || pass.engine === engine),
  );
}

async function runPass(pass: Pass): Promise<Outcome> {
  console.log(`\n=== ${pass.name}: ${pass.files.length} files\n`);
  const paths = pass.files.map((file) => `./test/${file}`);
  const seed = await seedOf(pass.engine);
  // Files in one process share the modules that are loaded: to load and to warm them up takes as
  // long as most files.
  const options = ["--parallel", "--no-isolate", "--no-orphans", "--preload", longLivedAlone];
  const patience = ["--timeout", String(testTimeoutMilliseconds)];
  const order = ["--timings", writeOrder(pass)];
  const child = spawn([process.execPath, "test", ...options, ...patience, ...order, ...paths], {
    cwd: `${import.meta.dir}/..`,
    env: {
      ...process.env,
      ...longLived,
      ...(pass.files.some((file) => browserPattern.test(file)) ? keptBrowsers : {}),
      CHATD_TEST_ENGINE: pass.engine,
      CHATD_TEST_POSTGRES: server?.url,
      CHATD_TEST_POSTGRES_SOCKETS: server?.socketFolder,
      CHATD_TEST_SEED: seed,
      CHATD_TEST_SCRATCH: scratch,
      ...(await binaryFor(pass)),
    },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "pipe",
    timeout: passTimeoutMilliseconds,
    killSignal: "SIGKILL",
  });
  children.add(child);
  const lines = await showAllButPasses(child.stderr);
  const exitCode = await child.exited;
  children.delete(child);
  return judge(pass, lines, exitCode);
}

/**
 * Runs the files of browser tests that failed once more. Tests that pass now are told of as unsteady,
 * and count as passed.
 */
async function trySecondTime(first: Outcome): Promise<Outcome> {
  const isToTry = ({ outcome, file }: NotPassed) =>
    outcome === "FAILED" && browserPattern.test(file.replace(/^test\//, ""));
  const tried = first.notPassed.filter(isToTry);
  const files = [...new Set(tried.map(({ file }) => file.replace(/^test\//, "")))];
  if (files.length === 0 || files.length > secondTryFilesMax) return first;
  const second = await runPass({ ...first.pass, name: `${first.pass.name}, second try`, files });
  if (second.counts.failed > 0 || second.problems.length > 0) return first;
  const { passed, failed } = first.counts;
  return {
    ...first,
    counts: { ...first.counts, passed: passed + tried.length, failed: failed - tried.length },
    notPassed: first.notPassed.map((test) =>
      isToTry(test) ? { ...test, outcome: "UNSTEADY" } : test,
    ),
  };
}

/** Writes the order in which the files of a pass begin, as bun reads it. */
function writeOrder({ name, files }: Pass): string {
  const path = join(folder, `order ${name}.json`);
  writeFileSync(path, JSON.stringify(timingsOf(files)));
  return path;
}

/** Data that worlds begin with on an engine, made when a pass on it begins. */
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
async function binaryFor({ files }: Pass): Promise<Record<string, string>> {
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

/**
 * Passes the output on as it comes, without a line for each test that passed; answers with all of
 * its lines.
 */
async function showAllButPasses(output: ReadableStream<Uint8Array>): Promise<string[]> {
  const lines: string[] = [];
  const decoder = new TextDecoder();
  const show = showWithHeadings();
  let rest = "";
  const take = (line: string) => {
    lines.push(line);
    show(line);
  };
  for await (const chunk of output) {
    const complete = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = complete.pop() ?? "";
    complete.forEach(take);
  }
  if (rest !== "") take(rest);
  return lines;
}

/** Shows lines, a file's heading only when there is something to say below it. */
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

/** Reads the counts that bun printed last, and what is wrong beyond a test that failed. */
function judge(pass: Pass, lines: string[], exitCode: number): Outcome {
  const count = (what: string) =>
    Number(
      lines
        .findLast((line) => new RegExp(`^ *\\d+ ${what}$`).test(line))
        ?.trim()
        .split(" ")[0] ?? 0,
    );
  const counts = {
    passed: count("pass"),
    failed: count("fail"),
    skipped: count("skip"),
    todo: count("todo"),
  };
  const notPassed = describeNotPassed(lines);
  const problems: string[] = [];
  if (!lines.some((line) => /^Ran \d+ tests? across/.test(line))) {
    problems.push(
      `bun test ended with code ${exitCode} and without a summary (crashed, or ran out of time)`,
    );
  } else if (exitCode !== 0 && counts.failed === 0) {
    problems.push(`bun test ended with code ${exitCode}`);
  }
  if (process.env.CI && counts.skipped > 0) problems.push(`${counts.skipped} skipped, with CI set`);
  return { pass, counts, notPassed, problems };
}

/** The tests that failed or were skipped. */
function describeNotPassed(lines: string[]): NotPassed[] {
  const described = new Map<string, NotPassed>();
  let file = "";
  let printed: string[] = [];
  for (const line of lines) {
    // Where many have failed or were skipped, bun names them once more, without their files.
    if (/^\d+ tests? (?:failed|skipped):$/.test(line)) break;
    const [, heading] = /^(test\/\S+\.test\.ts):$/.exec(line) ?? [];
    const [, outcome, name] = /^\((pass|fail|skip)\) (.*?)(?: \[[\d.]+m?s\])?$/.exec(line) ?? [];
    file = heading ?? file;
    if (outcome === "fail") {
      const text = `${name}${beginningOfError(printed)}`;
      described.set(`${file} ${text}`, { outcome: "FAILED", file, text });
    }
    if (outcome === "skip")
      described.set(`${file} ${name}`, { outcome: "SKIPPED", file, text: name ?? "" });
    if (heading || outcome) printed = [];
    else printed.push(line);
  }
  return [...described.values()];
}

const errorLinesMax = 8;

function beginningOfError(printed: string[]): string {
  const first = printed.findIndex((line) => /^\w*error:/i.test(line));
  const lines = first < 0 ? [] : printed.slice(first).filter((line) => line.trim() !== "");
  const isPlace = (line: string) => /^ +at /.test(line);
  const message = lines.filter((line) => !isPlace(line)).slice(0, errorLinesMax);
  const places = lines.filter(isPlace).slice(0, 1);
  return [...message, ...places].map((line) => `\n    ${line}`).join("");
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
