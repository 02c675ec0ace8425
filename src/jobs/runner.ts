import type { App } from "../core/context";
import { tellFailure } from "../core/log";
import { JobAttempt } from "./attempt";
import type { AnyJob } from "./define";
import { type JobList, makeJobList } from "./list";
import { type JobRow, nextJobs } from "./store";

/** Number of jobs that a process works on at once, and number of them that may be of one realm. */
interface Places {
  atOnceMax: number;
  perRealmMax: number;
}

const insidePlaces: Places = { atOnceMax: 16, perRealmMax: 16 };
/** Of each kind that waits for somebody outside. */
const outsidePlaces: Places = { atOnceMax: 64, perRealmMax: 16 };
/** Seconds to wait after the database could not be asked, or did not take a job's result. */
const troubleSeconds = 5;
/**
 * Time after another process's writes at which it is looked whether there are jobs among them: once
 * for all in that time.
 */
const lookDelayMilliseconds = 200;
/** Timers do not reach further than 24 days. */
const sleepSecondsMax = 24 * 3600;
/** Time for which the end of the server waits for jobs that do not heed their signal. */
const endMilliseconds = 5_000;

/** The process's part in the background work of all. */
export interface JobRunner extends JobList {
  /** Begins to work off what is due, now and from now on. */
  start(): void;
  /** Something is due at that time (UNIX seconds), of that kind or of any. */
  wake(dueAt: number, name?: string): void;
  /** Another process has written: maybe jobs. */
  changedElsewhere(): void;
  /** Waits until nothing is at work, and nothing is due that this process could do. */
  settled(): Promise<void>;
  /** Lets what is at work come to its end, and begins nothing any more. */
  stop(): Promise<void>;
}

/** Works off the jobs of some kinds. */
class Runner {
  private isStarted = false;
  private isStopping = false;
  private readonly atWork = new Map<
    number,
    { attempt: JobAttempt; realmId: number; done: Promise<void> }
  >();
  private looking: Promise<void> | undefined;
  /**
   * The jobs whose attempts have ended since it was last begun to look: what is read of them may be
   * from before that.
   */
  private readonly ended = new Set<number>();
  private lookAgain = false;
  private isLookPlanned = false;
  private timer: { at: number; end: () => void } | undefined;

  constructor(
    private readonly app: () => App,
    private readonly jobs: ReadonlyMap<string, AnyJob>,
    private readonly places: Places,
  ) {}

  start() {
    this.isStarted = true;
    this.lookForJobs();
  }

  wake(dueAt: number) {
    if (!this.isStarted || this.isStopping) return;
    if (dueAt <= this.app().clock.now()) this.lookForJobs();
    else this.sleepUntil(dueAt);
  }

  changedElsewhere() {
    if (!this.isStarted || this.isStopping || this.isLookPlanned) return;
    this.isLookPlanned = true;
    this.app().clock.after(lookDelayMilliseconds, () => {
      this.isLookPlanned = false;
      this.lookForJobs();
    });
  }

  get isIdle() {
    return !this.looking && this.atWork.size === 0;
  }

  async settled() {
    while (!this.isIdle) {
      await this.looking;
      await Promise.all([...this.atWork.values()].map(({ done }) => done));
    }
  }

  async stop() {
    this.isStopping = true;
    this.timer?.end();
    for (const { attempt } of this.atWork.values()) attempt.interrupt();
    const { promise, resolve } = Promise.withResolvers<void>();
    const endWaiting = this.app().clock.after(endMilliseconds, resolve);
    await Promise.race([this.settled(), promise]);
    endWaiting();
  }

  /** Sets the one timer to that time, unless it goes off before. */
  private sleepUntil(at: number) {
    const { clock } = this.app();
    const now = clock.now();
    if (this.isStopping || (this.timer && this.timer.at <= at && this.timer.at > now)) return;
    this.timer?.end();
    const wakeAt = Math.min(at, now + sleepSecondsMax);
    const end = clock.after(Math.max(0, wakeAt * 1000 - clock.nowMilliseconds()), () => {
      this.timer = undefined;
      this.lookForJobs();
    });
    this.timer = { at: wakeAt, end };
  }

  private lookForJobs() {
    this.lookAgain = true;
    if (this.looking || this.isStopping) return;
    this.looking = this.beginDue()
      .catch((error: unknown) => this.troubled("jobs_failed", error))
      .finally(() => {
        this.looking = undefined;
        if (this.lookAgain && !this.isStopping) this.lookForJobs();
      });
  }

  private troubled(event: string, error: unknown) {
    if (!this.app().storage.report(error)) tellFailure(this.app().log.warn, event, error);
    this.sleepUntil(this.app().clock.now() + troubleSeconds);
  }

  private async beginDue() {
    this.lookAgain = false;
    this.ended.clear();
    const { engine, clock } = this.app();
    const { atOnceMax } = this.places;
    // Jobs that are at work may still stand among the first.
    const rows = await nextJobs(
      engine.reader,
      [...this.jobs.keys()],
      2 * atOnceMax + 1,
      this.fullRealms(),
    );
    const now = clock.now();
    for (const row of rows) {
      if (row.dueAt === null || this.atWork.size >= atOnceMax) return;
      if (row.dueAt > now) return this.sleepUntil(row.dueAt);
      if (this.atWork.has(row.id) || this.ended.has(row.id)) continue;
      // Behind those of a realm that has all its places others may be due.
      if (this.fullRealms().includes(row.realmId)) this.lookAgain = true;
      else this.begin(row);
    }
  }

  /**
   * The realms that have as many jobs at work as one may have, where others could have some too.
   */
  private fullRealms(): number[] {
    const { atOnceMax, perRealmMax } = this.places;
    if (perRealmMax >= atOnceMax || this.atWork.size < perRealmMax) return [];
    const counts = Map.groupBy(this.atWork.values(), ({ realmId }) => realmId);
    return [...counts].filter(([, jobs]) => jobs.length >= perRealmMax).map(([realmId]) => realmId);
  }

  private begin(row: JobRow) {
    const job = this.jobs.get(row.name);
    if (!job) return;
    const attempt = new JobAttempt(this.app(), job, row);
    const work = async () => {
      const trouble = await attempt.run().then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      this.atWork.delete(row.id);
      this.ended.add(row.id);
      if (trouble) this.troubled("job_unsettled", trouble.error);
      else if (!this.isStopping) this.lookForJobs();
    };
    this.atWork.set(row.id, { attempt, realmId: row.realmId, done: work() });
  }
}

/**
 * Makes what works off the jobs of all realms, of the kinds in the list. `app` is asked for when
 * there is work.
 */
export function makeJobRunner(app: () => App, jobs: readonly AnyJob[]): JobRunner {
  if (new Set(jobs.map(({ name }) => name)).size !== jobs.length)
    throw new Error("Two jobs have the same name.");
  const runnerOf = (some: readonly AnyJob[], places: Places) =>
    new Runner(app, new Map(some.map((job) => [job.name, job])), places);
  const inside = runnerOf(
    jobs.filter(({ isOutside }) => !isOutside),
    insidePlaces,
  );
  const outside = jobs.filter(({ isOutside }) => isOutside);
  const byName = new Map(outside.map((job) => [job.name, runnerOf([job], outsidePlaces)]));
  const all = [inside, ...byName.values()];
  return {
    ...makeJobList(app, jobs),
    start: () => all.forEach((runner) => void runner.start()),
    wake(dueAt, name) {
      const some = name === undefined ? all : [byName.get(name) ?? inside];
      for (const runner of some) runner.wake(dueAt);
    },
    changedElsewhere: () => all.forEach((runner) => void runner.changedElsewhere()),
    async settled() {
      // A finished job may have made work for another runner.
      while (all.some(({ isIdle }) => !isIdle))
        await Promise.all(all.map((runner) => runner.settled()));
    },
    stop: async () => void (await Promise.all(all.map((runner) => runner.stop()))),
  };
}
