import type { App } from "../core/context";
import { tellOwnFailure } from "../core/storage/database-trouble";
import { traced } from "../core/traced";
import { JobAttempt } from "./attempt";
import type { AnyJob } from "./define";
import { type JobList, makeJobList } from "./list";
import { type Full, findSoonest, type JobRow, nextJobs } from "./store";

/** Number of jobs that a process runs at once, and how many of them may be of one realm. */
interface Places {
  atOnceMax: number;
  perRealmMax: number;
}

/**
 * Part of a realm's places outside that one person's bots or devices may use, of those that others
 * leave. So a place is left for others, however many people use all that they may.
 */
const holderShare = 0.75;

/** For all kinds that work inside together, and for each kind that works for long. */
const insidePlaces: Places = { atOnceMax: 16, perRealmMax: 16 };
/** For each kind that waits for a server outside. */
const outsidePlaces: Places = { atOnceMax: 64, perRealmMax: 16 };
/**
 * Seconds for which the list is not read again without the realms and people that use all their
 * places, after such a read found nothing due: it steps over all of their jobs.
 */
const nothingElseSecondsMax = 1;
/** Seconds to wait after the database failed to give jobs or to store a job's result. */
const troubleSeconds = 5;
/**
 * Delay after another process's writes before the list is read, so that one read serves all of
 * these writes.
 */
const readDelayMilliseconds = 200;
/**
 * Time after which the clock is compared with the time of the next job, because timers do not know
 * that the clock was set, or that the machine slept.
 */
const sleepSecondsMax = 60;
/** Time that the server, when it ends, waits for jobs that ignore their signal. */
const endMilliseconds = 5_000;

/** The part of this process in the background work. */
export interface JobRunner extends JobList {
  /** Begins to run due jobs, now and from now on. */
  start(): void;
  /**
   * A job is due at that time (UNIX seconds), of that kind or of any; 0 also where the
   * configuration has changed, so that other kinds can run.
   */
  wake(dueAt: number, name?: string): void;
  /** Another process has written, perhaps jobs. */
  changedElsewhere(): void;
  /** Waits until no job is running and none is due that this process could run. */
  settled(): Promise<void>;
  /** Lets running jobs finish, and starts no more. */
  stop(): Promise<void>;
}

/** A job as traces show it. */
const workOf = ({ name, id, attempts }: JobRow) =>
  ({
    name: `job ${name}`,
    kind: "consumer",
    facts: { "chatd.job_id": id, "chatd.attempts": attempts },
  }) as const;

const isOf = ({ realmIds, holderIds }: Full, { realmId, holderId }: JobRow): boolean =>
  realmIds.includes(realmId) || (holderId !== null && holderIds.includes(holderId));

/** Runs the jobs of some kinds. */
class Runner {
  private isStopping = false;
  private readonly atWork = new Map<
    number,
    { attempt: JobAttempt; row: JobRow; done: Promise<void> }
  >();
  private reading: Promise<void> | undefined;
  /**
   * Jobs whose attempts have ended since the last read began, so that read rows of theirs may be
   * out of date.
   */
  private readonly ended = new Set<number>();
  private mustReadAgain = false;
  /**
   * Realms and people without whom a read found nothing due before `until`, which is 0 until it has
   * answered. Undefined again as soon as jobs of others may have changed.
   */
  private nothingElse: (Full & { until: number }) | undefined;
  private timer: { at: number; end: () => void } | undefined;

  constructor(
    private readonly app: () => App,
    private readonly jobs: ReadonlyMap<string, AnyJob>,
    private readonly places: Places,
  ) {}

  wake(dueAt: number) {
    this.nothingElse = undefined;
    // The timer may be late, because the clock was set or the machine slept.
    const earliest = Math.min(dueAt, this.timer?.at ?? dueAt);
    if (earliest <= this.app().clock.now()) this.readDueJobs();
    else this.sleepUntil(dueAt);
  }

  get isIdle() {
    return !this.reading && this.atWork.size === 0;
  }

  async settled() {
    while (!this.isIdle) {
      await this.reading;
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

  /** Sets the only timer to that time, unless it fires earlier. */
  private sleepUntil(at: number) {
    const { clock } = this.app();
    const now = clock.now();
    if (this.isStopping || (this.timer && this.timer.at <= at && this.timer.at > now)) return;
    this.timer?.end();
    const wakeAt = Math.min(at, now + sleepSecondsMax);
    const end = clock.after(Math.max(0, wakeAt * 1000 - clock.nowMilliseconds()), () => {
      this.timer = undefined;
      if (clock.now() < at) this.sleepUntil(at);
      else this.readDueJobs();
    });
    this.timer = { at, end };
  }

  /**
   * Reads the list. With `soonest`, the time of the first job of all kinds, only if that is due.
   */
  readDueJobs(soonest?: Promise<number | undefined>) {
    this.mustReadAgain = true;
    // Another process may have enqueued some.
    if (soonest) this.nothingElse = undefined;
    if (this.reading || this.isStopping) return;
    this.reading = this.beginDue(soonest)
      .catch((error: unknown) => this.troubled("jobs_failed", error))
      .finally(() => {
        this.reading = undefined;
        if (this.mustReadAgain && !this.isStopping) this.readDueJobs();
      });
  }

  private troubled(event: string, error: unknown) {
    tellOwnFailure(this.app(), "warn", event, error);
    this.sleepUntil(this.app().clock.now() + troubleSeconds);
  }

  private async beginDue(soonest?: Promise<number | undefined>) {
    this.mustReadAgain = false;
    this.ended.clear();
    const { engine, clock } = this.app();
    const { atOnceMax } = this.places;
    const names = this.listRunnable();
    if (names.length === 0) return;
    if (soonest) {
      const at = await soonest;
      if (at === undefined) return;
      if (at > clock.now()) return this.sleepUntil(at);
    }
    const full = this.full();
    const nextAt = this.whenElse(full);
    if (nextAt !== undefined) return this.sleepUntil(nextAt);
    const isWhole = full.realmIds.length === 0 && full.holderIds.length === 0;
    const asked = isWhole ? undefined : { ...full, until: 0 };
    if (asked) this.nothingElse = asked;
    // The first rows may include jobs that are running.
    const rows = await nextJobs(engine.reader, names, 2 * atOnceMax + 1, full);
    if (this.isStopping) return;
    const now = clock.now();
    const [{ dueAt: nextDueAt } = { dueAt: null }] = rows;
    if (asked && this.nothingElse === asked)
      asked.until = Math.min(nextDueAt ?? Infinity, now + nothingElseSecondsMax);
    for (const row of rows) {
      if (row.dueAt === null || this.atWork.size >= atOnceMax) return;
      if (row.dueAt > now) return this.sleepUntil(row.dueAt);
      if (this.atWork.has(row.id) || this.ended.has(row.id)) continue;
      // Jobs of others may be due behind those of a realm or person that has used its places.
      if (isOf(this.full(), row)) this.mustReadAgain = true;
      else this.begin(row);
    }
  }

  /** When jobs beside those of `full` may be due, where an earlier read has told. */
  private whenElse({ realmIds, holderIds }: Full): number | undefined {
    const { nothingElse } = this;
    if (!nothingElse || nothingElse.until <= this.app().clock.now()) return undefined;
    const isLess =
      nothingElse.realmIds.every((id) => realmIds.includes(id)) &&
      nothingElse.holderIds.every((id) => holderIds.includes(id));
    return isLess ? nothingElse.until : undefined;
  }

  /** The names of the kinds that this server can run with its present configuration. */
  private listRunnable(): string[] {
    const runnable = [...this.jobs.values()].filter((job) => job.canRun(this.app()));
    return runnable.map(({ name }) => name);
  }

  /**
   * The realms and people that already run as many jobs as they may, while places for others are
   * left.
   */
  private full(): Full {
    const { atOnceMax, perRealmMax } = this.places;
    const realmIds: number[] = [];
    const holderIds: number[] = [];
    if (perRealmMax >= atOnceMax) return { realmIds, holderIds };
    const rows = [...this.atWork.values()].map(({ row }) => row);
    for (const [realmId, ofRealm] of Map.groupBy(rows, (row) => row.realmId)) {
      if (ofRealm.length >= perRealmMax) realmIds.push(realmId);
      for (const [holderId, theirs] of Map.groupBy(ofRealm, (row) => row.holderId)) {
        const left = perRealmMax - (ofRealm.length - theirs.length);
        if (holderId !== null && theirs.length >= holderShare * left) holderIds.push(holderId);
      }
    }
    return { realmIds, holderIds };
  }

  private begin(row: JobRow) {
    const job = this.jobs.get(row.name);
    if (!job) return;
    const attempt = new JobAttempt(this.app(), job, row);
    const work = async () => {
      const trying = traced(this.app(), workOf(row), () => attempt.run());
      const trouble = await trying.then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      this.atWork.delete(row.id);
      this.ended.add(row.id);
      // It may be due again.
      if (this.nothingElse && !isOf(this.nothingElse, row)) this.nothingElse = undefined;
      if (trouble) this.troubled("job_unsettled", trouble.error);
      else if (!this.isStopping) this.readDueJobs();
    };
    this.atWork.set(row.id, { attempt, row, done: work() });
  }
}

/**
 * Makes the runner of the jobs of all realms, of the listed kinds. `app` is called when there is
 * work.
 */
export function makeJobRunner(app: () => App, jobs: readonly AnyJob[]): JobRunner {
  if (new Set(jobs.map(({ name }) => name)).size !== jobs.length)
    throw new Error("Two jobs have the same name.");
  const runnerOf = (some: readonly AnyJob[], places: Places) =>
    new Runner(app, new Map(some.map((job) => [job.name, job])), places);
  const isApart = ({ isOutside, isLong }: AnyJob) => isOutside || isLong;
  const inside = runnerOf(
    jobs.filter((job) => !isApart(job)),
    insidePlaces,
  );
  const placesOf = ({ isOutside }: AnyJob) => (isOutside ? outsidePlaces : insidePlaces);
  const apart = jobs.filter(isApart);
  const byName = new Map(apart.map((job) => [job.name, runnerOf([job], placesOf(job))]));
  const all = [inside, ...byName.values()];
  let [isStarted, isStopping, isReadPlanned] = [false, false, false];
  /** Asks one short question for all runners, because most of them have nothing to do. */
  const readAll = () => {
    const soonest = (async () => findSoonest(app().engine.reader))();
    // A runner that is reading does not await the answer, because it reads again afterwards.
    soonest.catch(() => undefined);
    for (const runner of all) runner.readDueJobs(soonest);
  };
  return {
    ...makeJobList(app, jobs),
    start() {
      isStarted = true;
      readAll();
    },
    wake(dueAt, name) {
      if (!isStarted || isStopping) return;
      const some = name === undefined ? all : [byName.get(name) ?? inside];
      for (const runner of some) runner.wake(dueAt);
    },
    changedElsewhere() {
      // The app may not be open yet, because the database tells of writes from its opening on.
      if (!isStarted || isStopping || isReadPlanned) return;
      isReadPlanned = true;
      app().clock.after(readDelayMilliseconds, () => {
        isReadPlanned = false;
        if (!isStopping) readAll();
      });
    },
    async settled() {
      // A finished job may have enqueued work for another runner.
      while (all.some(({ isIdle }) => !isIdle))
        await Promise.all(all.map((runner) => runner.settled()));
    },
    async stop() {
      isStopping = true;
      await Promise.all(all.map((runner) => runner.stop()));
    },
  };
}
