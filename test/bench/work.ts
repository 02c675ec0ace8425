import type { Figures, LoadTarget } from "./load-target";
import { cpuMs } from "./process-usage";
import { median, quantile } from "./statistics";

/** Requests that were made for a time. */
export interface Run {
  /** Number of all requests. */
  count: number;
  /** Latencies of those that the server does not hold back until something happens. */
  latenciesMs: readonly number[];
  /** Sizes of their answers, where the scenario tells them. */
  sizesBytes?: readonly number[];
  /** Latencies of some of them, by what is added to the names of the figures. */
  more?: Readonly<Record<string, readonly number[]>>;
}

/** Makes requests for a time, as often as it is called. */
export type Work = (durationMs: number) => Promise<Run>;

/** A scenario that can go on after a pause. */
export interface Scenario {
  /** Beginning of the names of its figures. */
  prefix: string;
  /** Length of the turns in which it is measured beside another server. */
  turnMs: number;
  /** Prepares the server, and lets it run until its most used code is compiled. */
  prepare(target: LoadTarget): Promise<Work>;
}

/** Runs of a scenario on one server, with all that they took. */
interface Tally {
  runs: Run[];
  elapsedMs: number;
  cpuMs: number;
}

const emptyTally = (): Tally => ({ runs: [], elapsedMs: 0, cpuMs: 0 });

async function addRun(tally: Tally, { pid }: LoadTarget, run: () => Promise<Run>): Promise<void> {
  const [cpuBefore, startMs] = [cpuMs(pid), performance.now()];
  tally.runs.push(await run());
  tally.elapsedMs += performance.now() - startMs;
  tally.cpuMs += cpuMs(pid) - cpuBefore;
}

/** The figures of a scenario on a server. */
export async function measure(target: LoadTarget, scenario: Scenario): Promise<Figures> {
  const work = await scenario.prepare(target);
  const tally = emptyTally();
  await addRun(tally, target, () => work(target.seconds * 1000));
  return figuresOf(scenario, tally);
}

/**
 * The figures of a scenario on two servers, which take short turns, so that a busy moment of the
 * machine is one for both. The first `warmUpSeconds` of each are not counted.
 */
export async function measureInTurns(
  targets: readonly [LoadTarget, LoadTarget],
  scenario: Scenario,
  warmUpSeconds: number,
): Promise<[Figures, Figures]> {
  const sides = [];
  for (const target of targets)
    sides.push({ target, work: await scenario.prepare(target), tally: emptyTally() });
  const turnsOf = (seconds: number) => Math.ceil((seconds * 1000) / scenario.turnMs);
  const warmUpTurns = turnsOf(warmUpSeconds);
  for (let turn = 0; turn < warmUpTurns + turnsOf(targets[0].seconds); turn++) {
    for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
      const tally = turn < warmUpTurns ? emptyTally() : side.tally;
      await addRun(tally, side.target, () => side.work(scenario.turnMs));
    }
  }
  const [one = {}, other = {}] = sides.map(({ tally }) => figuresOf(scenario, tally));
  return [one, other];
}

/**
 * The figures of several scenarios on one server, which take short turns, so that they can be
 * compared with each other.
 */
export async function measureTogether(
  target: LoadTarget,
  scenarios: readonly Scenario[],
): Promise<Figures> {
  const parts = [];
  for (const scenario of scenarios)
    parts.push({ scenario, work: await scenario.prepare(target), tally: emptyTally() });
  const turnMs = Math.max(...scenarios.map((scenario) => scenario.turnMs));
  const turnCount = Math.ceil((target.seconds * 1000) / turnMs);
  for (let turn = 0; turn < turnCount; turn++) {
    for (const { work, tally } of turn % 2 === 0 ? parts : parts.toReversed())
      await addRun(tally, target, () => work(turnMs));
  }
  return Object.assign({}, ...parts.map(({ scenario, tally }) => figuresOf(scenario, tally)));
}

function figuresOf({ prefix }: Scenario, { runs, elapsedMs, cpuMs }: Tally): Figures {
  const count = runs.reduce((sum, run) => sum + run.count, 0);
  const latenciesMs = runs.flatMap((run) => run.latenciesMs);
  const sizesBytes = runs.flatMap((run) => run.sizesBytes ?? []);
  const names = Object.keys(runs[0]?.more ?? {});
  return {
    [`${prefix}PerSecond`]: (count / elapsedMs) * 1000,
    [`${prefix}P50Ms`]: quantile(latenciesMs, 0.5),
    [`${prefix}P99Ms`]: quantile(latenciesMs, 0.99),
    [`${prefix}CpuUs`]: (cpuMs * 1000) / count,
    ...(sizesBytes.length > 0 ? { [`${prefix}AnswerKB`]: median(sizesBytes) / 1000 } : {}),
    ...Object.fromEntries(
      names.map((name) => [
        `${prefix}${name}P99Ms`,
        quantile(
          runs.flatMap(({ more }) => more?.[name] ?? []),
          0.99,
        ),
      ]),
    ),
  };
}
