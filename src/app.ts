import type { Engine, EngineHooks } from "../db/engine";
import type { EngineMeter } from "../db/measure";
import { LostEntriesError, type Migrated, type MigrationRight } from "../db/migrate";
import { databaseFile, isInDataFolder, openEngine } from "../db/open";
import type { Config } from "./config/config";
import { type Clock, steadyMilliseconds, systemClock } from "./core/clock";
import { clockWatch } from "./core/clock-skew";
import type { App, PasswordCosts } from "./core/context";
import { serverCounters } from "./core/counters";
import { describeError, type Log } from "./core/log";
import type { BackgroundTask } from "./core/manifest";
import {
  loadServerSecret,
  makeSecrets,
  requireSecretOfDatabase,
  type Secrets,
} from "./core/secrets/secrets";
import { requireOwnFacts, requireSameSecret, secretFact } from "./core/secrets/server-secret";
import { placeOf } from "./core/storage/data-place";
import { noteOutageOver } from "./core/storage/database-outage";
import { tellOwnFailure } from "./core/storage/database-trouble";
import { makeStorageReports, storageFailureText } from "./core/storage/storage-failure";
import { requireFinishedRestore } from "./core/storage/unfinished-restore";
import { logBlank, tidyQueues } from "./events/housekeeping";
import { makeEventHub } from "./events/hub";
import type { ServingHub } from "./events/serving-hub";
import { features } from "./features";
import { openFiles } from "./files/open";
import { tellStored } from "./files/room";
import type { AnyJob } from "./jobs/define";
import { type JobRunner, makeJobRunner } from "./jobs/runner";
import { tidyJobs } from "./jobs/tidy";
import { parseEventNarrow } from "./messages/narrow/narrow";
import { tidyOwnCopies } from "./moving/backup/copies";
import { listRealms, loadRealm } from "./realm/queries";
import { fullPasswordCosts } from "./sign-in/passwords";
import { stateCatalog } from "./state-catalog";
import { steps } from "./steps";

/** The kinds of durable background work of all features. */
const allJobs: readonly AnyJob[] = features.flatMap(({ jobs = [] }) => jobs);

const checkIntervalMilliseconds = 100;
const heartbeatIntervalMilliseconds = 1_000;
const secondMilliseconds = 1_000;
const minuteMilliseconds = 60_000;

export interface RunningApp extends App {
  readonly events: ServingHub;
  readonly jobs: JobRunner;
  /**
   * Starts the server's own background work; the returned function stops it. Commands do not call
   * it.
   */
  startBackground(): () => void;
  /** Answers held polls, finishes queued writes and closes the data. */
  close(): Promise<void>;
}

interface Surroundings {
  log: Log;
  clock?: Clock;
  /** Ends the process; called when what is on disk can no longer be trusted. */
  exit(code: number): void;
  /** The kinds of background work; by default those of the product. */
  jobs?: readonly AnyJob[];
  /** Costs of hashing a password; by default those of the product. */
  passwordCosts?: PasswordCosts | undefined;
  /** Measures the database, for metrics. */
  meter?: EngineMeter | undefined;
  /** Migrations that may be run on the data; by default all. */
  migrates?: MigrationRight;
}

/**
 * Puts the parts together: opens the data, migrated to the newest schema, and everything that works
 * on it.
 */
export async function openApp(
  config: Config,
  { log, clock = systemClock, exit, jobs = allJobs, ...given }: Surroundings,
): Promise<RunningApp> {
  const { meter, migrates = "all", passwordCosts = fullPasswordCosts } = given;
  requireFinishedRestore(config.data);
  requireSecretOfDatabase(config);
  const secrets = makeSecrets(loadServerSecret(config.secret, config.data));
  const storage = makeStorageReports(log, clock, placesOf(config));
  const runner = makeJobRunner(() => app, jobs);
  const later: Later = { runner };
  const hooks = { ...engineHooks(later, log, exit), meter };
  const { engine, migrated } = await openEngine(placeOf(config), hooks, clock.now(), {
    facts: secretFact(secrets),
    right: migrates,
    requireOwn: (stored) => requireOwnFacts(stored, secrets),
    copy: async () =>
      (await import("./moving/backup/copy-database")).copyDatabase(config, clock.now()),
  });
  await orClose(engine, requireOwnData(config, engine, secrets));
  if (migrated.from !== migrated.to) tellMigrated(config, log, clock, migrated);
  const events = openHub(
    engine,
    config,
    log,
    clock,
    secrets,
    blankWriter(() => app),
  );
  later.hub = events;
  later.reachable = () => noteOutageOver(app);
  const app: RunningApp = {
    config,
    engine,
    clock,
    log,
    secrets,
    passwordCosts,
    events,
    storage,
    files: tellStored(openFiles(config, clock, log), (sizeBytes) => noteStored(app, sizeBytes)),
    jobs: runner,
    steps,
    realtime: { states: stateCatalog, checkNarrow: parseEventNarrow },
    memory: new Map(),
    startedAt: clock.now(),
    startBackground() {
      const end = startBackground(app);
      later.endBackground = end;
      return () => void end();
    },
    async close() {
      events.close();
      await later.endBackground?.();
      await engine.close();
    },
  };
  await orClose(app, tellOpened(app));
  return app;
}

/**
 * Refuses data of another secret, and data that a restore has begun to replace since. A restore
 * first announces itself and then looks for open data, so this check must come after opening.
 */
async function requireOwnData(config: Config, engine: Engine, secrets: Secrets) {
  requireFinishedRestore(config.data);
  await requireSameSecret(engine, secrets);
}

/** A copy was made, so that an older one may go. */
function tellMigrated(config: Config, log: Log, clock: Clock, migrated: Migrated) {
  log.info("migrated", { ...migrated });
  if (migrated.copy === undefined) return;
  const removed = tidyOwnCopies(config, migrated.to, clock.now());
  if (removed.length > 0) log.info("old_copies_removed", { files: removed });
}

function noteStored(app: App, sizeBytes: number) {
  app.storage.stored("files");
  serverCounters.of(app).add("stored_file_bytes", "all", sizeBytes);
}

/** Waits for work without which nothing may be served, and closes what is open where it fails. */
async function orClose(open: { close(): Promise<void> }, work: Promise<void>) {
  await work.catch(async (error: unknown) => {
    await open.close();
    throw error;
  });
}

async function tellOpened(app: App) {
  for (const { opened } of features) await opened?.(app);
}

/** Places of the data, for the operator to read. The address of a database may hold a password. */
const placesOf = (config: Config) => ({
  database: isInDataFolder(placeOf(config)) ? databaseFile(config.data) : "PostgreSQL",
  files: config.data,
});

/** Parts that are made after the engine, which calls them. */
interface Later {
  runner: JobRunner;
  hub?: ServingHub;
  /** Notes that the database answers again. */
  reachable?: () => void;
  endBackground?: () => Promise<void>;
  /** Looks for entries that the database has lost; undefined where nothing is to be looked for. */
  haveLostEntries?: (() => Promise<boolean>) | undefined;
}

function engineHooks(later: Later, log: Log, exit: (code: number) => void): EngineHooks {
  const fatal = (error: unknown) => {
    log.error("storage_failed", {
      ...describeError(error),
      what_to_do: storageFailureText(error)?.text,
    });
    exit(74);
  };
  /** If it cannot look, it does so again with the next pulse of the database. */
  const checkEntries = () => {
    const { haveLostEntries } = later;
    later.haveLostEntries = undefined;
    haveLostEntries?.().then(
      (isSo) => isSo && fatal(new LostEntriesError()),
      () => {
        later.haveLostEntries ??= haveLostEntries;
      },
    );
  };
  return {
    milliseconds: steadyMilliseconds,
    flushed: () => later.hub?.flushed(),
    changedElsewhere(realmId) {
      later.hub?.changedElsewhere(realmId);
      later.runner.changedElsewhere();
      if (realmId === undefined) checkEntries();
    },
    received: (text) => later.hub?.received(text),
    lost() {
      const haveLostEntries = later.hub?.connectionLost();
      return (wasAway) => {
        if (wasAway) {
          log.warn("database_back", {});
          later.reachable?.();
        }
        later.haveLostEntries = haveLostEntries;
        checkEntries();
      };
    },
    warn: (event, fields) => log.warn(event, fields),
    fatal,
  };
}

function openHub(
  engine: Engine,
  config: Config,
  log: Log,
  clock: Clock,
  secrets: Secrets,
  logOne: (realmId: number) => void,
): ServingHub {
  const { reader } = engine;
  const parts = { reader, secrets, clock, realmOf: (id: number) => loadRealm(reader, id) };
  const presenters = new Map(features.flatMap((one) => [...(one.presenters?.(parts) ?? [])]));
  return makeEventHub({
    engine,
    clock,
    presenters,
    heartbeatSeconds: config.heartbeatSeconds,
    queueEventsMax: config.queueEventsMax,
    answerSizeBytesMax: config.answerSizeBytesMax,
    logBlank: logOne,
    warn: (event, fields) => log.warn(event, fields),
  });
}

/** Appends entries for nobody, one of a realm at a time. */
function blankWriter(app: () => App): (realmId: number) => void {
  const underWay = new Set<number>();
  return (realmId) => {
    if (underWay.has(realmId)) return;
    underWay.add(realmId);
    logBlank(app(), realmId)
      .catch((error: unknown) => {
        tellOwnFailure(app(), "warn", "blank_failed", error);
      })
      .finally(() => underWay.delete(realmId));
  };
}

/**
 * Saves when queues were last polled. It waits for nothing but the database, because other nodes
 * end queues whose times are too old.
 */
const queueTidyingOf = (events: ServingHub): BackgroundTask => ({
  name: "tidy_queues",
  at: ["minute"],
  make: (app) => async () => tidyQueues(app, events, await listRealmIds(app)),
});

/**
 * Removes outdated data, first of jobs, then of the features. One after the other, because none of
 * it is urgent.
 */
const tidying: BackgroundTask = {
  name: "tidy",
  at: ["minute"],
  make: (app) => async () => {
    const ids = await listRealmIds(app);
    await tidyJobs(app);
    for (const { tidying: its = [] } of features) {
      for (const tidy of its) await tidy(app, ids);
    }
  },
};

const listRealmIds = async ({ engine }: App) =>
  (await listRealms(engine.reader)).map(({ id }) => id);

/**
 * Starts background work. The returned function stops it; its promise resolves when all of it has
 * ended.
 */
function startBackground(app: RunningApp): () => Promise<void> {
  const { clock, engine, events, jobs: runner } = app;
  let isEnding = false;
  runner.start();
  const own = [queueTidyingOf(events), tidying, clockWatch];
  const declared = [...own, ...features.flatMap(({ tasks: its = [] }) => its)];
  const tasks = declared.map((task) => makeTask(app, task, () => isEnding));
  const begin = (moment: BackgroundTask["at"][number]) => {
    for (const task of tasks) if (task.at.includes(moment)) task.begin();
  };
  begin("start");
  const ends = [
    clock.every(secondMilliseconds, () => begin("second")),
    clock.every(checkIntervalMilliseconds, () => engine.checkForOtherWrites()),
    clock.every(checkIntervalMilliseconds, () => engine.checkFilesInPlace()),
    clock.every(heartbeatIntervalMilliseconds, () => events.sendHeartbeats()),
    clock.every(minuteMilliseconds, () => begin("minute")),
  ];
  return async () => {
    isEnding = true;
    for (const end of ends) end();
    await Promise.all([...tasks.map((task) => task.settled()), runner.stop()]);
  };
}

/**
 * Repeated work that does not start again while it is running or while the database does not
 * answer, and whose failure ends nothing.
 */
function makeTask(app: RunningApp, { name, at, make }: BackgroundTask, isEnding: () => boolean) {
  const { engine } = app;
  const run = make(app, isEnding);
  let atWork: Promise<void> | undefined;
  const go = async () => {
    await run().catch((error: unknown) => {
      tellOwnFailure(app, "error", `${name}_failed`, error);
    });
    atWork = undefined;
  };
  return {
    at,
    begin() {
      if (!engine.isAway()) atWork ??= go();
    },
    settled: async () => atWork,
  };
}
