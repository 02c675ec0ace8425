import type { Engine, EngineHooks } from "../db/engine";
import { databaseFile, isInDataFolder, openEngine } from "../db/open";
import { answerEmbedded } from "./bots/embedded-bots/job";
import { deliverWebhook } from "./bots/outgoing-webhooks/job";
import { makeBotPresenter } from "./bots/presenter";
import { channelPresenter } from "./channels/events";
import { makeSubscriptionPresenters } from "./channels/subscription-presenter";
import { makeTrafficCount } from "./channels/traffic";
import { userTopicPresenters } from "./channels/user-topics/presenter";
import type { Config } from "./config";
import { type Clock, systemClock } from "./core/clock";
import type { App } from "./core/context";
import { describeError, type Log, tellFailure } from "./core/log";
import { placeOf } from "./core/place";
import { loadServerSecret, makeSecrets, type Secrets } from "./core/secrets";
import { requireSameSecret, secretFact } from "./core/server-secret";
import { makeStorageReports, storageFailureText } from "./core/storage-failure";
import { requireFinishedRestore } from "./core/unfinished-restore";
import { pushJobs } from "./devices/push/background";
import { pushDevicePresenter } from "./devices/registration/presenter";
import { relayRegistrationJob } from "./devices/registration/relay-registration";
import { logBlank, tidyQueues } from "./events/housekeeping";
import { makeEventHub } from "./events/hub";
import type { Presenters } from "./events/present";
import type { ServingHub } from "./events/serving-hub";
import { openFiles } from "./files/open";
import { tellStored } from "./files/room";
import type { AnyJob } from "./jobs/define";
import { type JobRunner, makeJobRunner } from "./jobs/runner";
import { tidyJobs } from "./jobs/tidy";
import { mailJobs } from "./mail/all-jobs";
import { beginMails } from "./mail/begin";
import { tidyReceivedMails } from "./mail/mail-in/tidy";
import { deleteDueRealms } from "./management/organization/delete";
import { deleteSentJob } from "./messages/delete/delete-sent";
import { makeRetention } from "./messages/delete/retention";
import { editPresenter } from "./messages/edit/presenter";
import { messageEventForms } from "./messages/event-forms";
import { parseEventNarrow } from "./messages/narrow/narrow";
import { messagePresenter } from "./messages/presenter";
import { reactionPresenter } from "./messages/reactions/events";
import { shrinkHtmlJob } from "./messages/rendering/outgrown";
import { beginRerendering, rerenderJob } from "./messages/rendering/rerender";
import { makeIndexing } from "./messages/search/indexing";
import { typingPresenters } from "./messages/typing/presenter";
import { exportRealmJob } from "./moving/export/job";
import { deliverReminder } from "./own/reminders/deliver";
import { deliverScheduled } from "./own/scheduled-messages/deliver";
import { leaveGravatar } from "./people/avatars/default-source";
import { presencePresenter } from "./people/presence/presenter";
import { statusPresenter } from "./people/status/events";
import { userGroupPresenter } from "./people/user-groups/events";
import { listRealms, loadRealm } from "./realm/queries";
import { makeRealmEmojiPresenter } from "./realm/realm-emoji/presenter";
import { hashPasswordJob } from "./sign-in/declared-passwords";
import { tidySignIns } from "./sign-in/failed-sign-ins";
import { storeKeyUses } from "./sign-in/key-uses";
import { tidySessions } from "./sign-in/sessions";
import { stateCatalog } from "./state-catalog";
import { tidyUploads } from "./uploads/tidy";

/** The kinds of background work, feature by feature. */
const allJobs: readonly AnyJob[] = [
  rerenderJob,
  shrinkHtmlJob,
  hashPasswordJob,
  deliverScheduled,
  deliverReminder,
  deleteSentJob,
  relayRegistrationJob,
  ...pushJobs,
  deliverWebhook,
  answerEmbedded,
  ...mailJobs,
  exportRealmJob,
];

const lookIntervalMilliseconds = 100;
const heartbeatIntervalMilliseconds = 1_000;
const tidyIntervalMilliseconds = 60_000;
const indexIntervalMilliseconds = 1_000;

export interface RunningApp extends App {
  readonly events: ServingHub;
  readonly jobs: JobRunner;
  /** Runs what the server does by itself; the answer ends it. The command line leaves this out. */
  startBackground(): () => void;
  /** Answers held polls, finishes queued writes and closes the data. */
  close(): Promise<void>;
}

interface Surroundings {
  log: Log;
  clock?: Clock;
  /** Ends the process; called when what is on disk can no longer be trusted. */
  exit(code: number): void;
  /** The kinds of background work, where they are not those of the product. */
  jobs?: readonly AnyJob[];
}

/**
 * Puts the parts together: opens the data, migrated to the newest schema, and everything that works
 * on it.
 */
export async function openApp(
  config: Config,
  { log, clock = systemClock, exit, jobs = allJobs }: Surroundings,
): Promise<RunningApp> {
  requireFinishedRestore(config.data);
  const secrets = makeSecrets(loadServerSecret(config.secret, config.data));
  const storage = makeStorageReports(log, clock, placesOf(config));
  const runner = makeJobRunner(() => app, jobs);
  const later: Later = { runner };
  const hooks = engineHooks(later, log, exit);
  const { engine, migrated } = await openEngine(
    placeOf(config),
    hooks,
    clock.now(),
    secretFact(secrets),
  );
  await requireSameSecret(engine, secrets).catch(async (error: unknown) => {
    await engine.close();
    throw error;
  });
  if (migrated.from !== migrated.to) log.info("migrated", { ...migrated });
  const events = openHub(
    engine,
    config,
    log,
    clock,
    secrets,
    blankWriter(() => app),
  );
  later.hub = events;
  const app: RunningApp = {
    config,
    engine,
    clock,
    log,
    secrets,
    events,
    storage,
    files: tellStored(openFiles(config, clock, log), storage),
    jobs: runner,
    realtime: { states: stateCatalog, checkNarrow: parseEventNarrow },
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
  await leaveGravatar(app).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  return app;
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
  endBackground?: () => Promise<void>;
}

function engineHooks(later: Later, log: Log, exit: (code: number) => void): EngineHooks {
  return {
    flushed: () => later.hub?.flushed(),
    changedElsewhere(realmId) {
      later.hub?.changedElsewhere(realmId);
      later.runner.changedElsewhere();
    },
    received: (text) => later.hub?.received(text),
    warn: (event, fields) => log.warn(event, fields),
    fatal(error) {
      log.error("storage_failed", {
        ...describeError(error),
        what_to_do: storageFailureText(error)?.text,
      });
      exit(74);
    },
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
  const realmOf = (realmId: number) => loadRealm(reader, realmId);
  const presenters: Presenters = new Map([
    ["message", messagePresenter(reader, realmOf)],
    ["update_message", editPresenter(reader, realmOf)],
    ["reaction", reactionPresenter],
    ["presence", presencePresenter],
    ["user_status", statusPresenter],
    ["stream", channelPresenter],
    ["user_group", userGroupPresenter],
    ["push_device", pushDevicePresenter],
    ["realm_bot", makeBotPresenter(reader, secrets, clock)],
    ["realm_emoji", makeRealmEmojiPresenter(reader)],
    ...makeSubscriptionPresenters(reader),
    ...messageEventForms,
    ...typingPresenters,
    ...userTopicPresenters,
  ]);
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
        if (!app().storage.report(error)) tellFailure(app().log.warn, "blank_failed", error);
      })
      .finally(() => underWay.delete(realmId));
  };
}

/** The answer ends it, and is settled when nothing of it is at work any more. */
function startBackground(app: RunningApp): () => Promise<void> {
  const { clock, engine, events, jobs: runner } = app;
  let isEnding = false;
  runner.start();
  // While the database does not answer, nothing is begun that would only fail.
  const task = (name: string, run: () => Promise<void>) =>
    makeTask(app, name, run, () => engine.isAway());
  const tidying = task("tidy", async () => {
    const ids = (await listRealms(engine.reader)).map(({ id }) => id);
    await tidyQueues(app, events, ids);
    await tidySignIns(app, ids);
    await tidySessions(app, ids);
    await storeKeyUses(app);
    await tidyReceivedMails(app, ids);
    await tidyJobs(app);
    await tidyUploads(app);
  });
  const isOver = () => isEnding;
  // It may be at work for hours: nothing else waits for it.
  const deletion = task("deletion", () => deleteDueRealms(app, isOver));
  const retention = task("retention", makeRetention(app, isOver));
  const traffic = task("traffic", makeTrafficCount(app, isOver));
  const indexing = task("indexing", makeIndexing(app, isOver));
  const rerendering = task("rerendering", () => beginRerendering(app));
  rerendering.begin();
  const mails = task("mails", () => beginMails(app));
  mails.begin();
  const ends = [
    clock.every(indexIntervalMilliseconds, () => indexing.begin()),
    clock.every(lookIntervalMilliseconds, () => engine.lookElsewhere()),
    clock.every(lookIntervalMilliseconds, () => engine.lookInPlace()),
    clock.every(heartbeatIntervalMilliseconds, () => events.sendHeartbeats()),
    clock.every(tidyIntervalMilliseconds, () => {
      tidying.begin();
      deletion.begin();
      retention.begin();
      traffic.begin();
      mails.begin();
    }),
  ];
  return async () => {
    isEnding = true;
    for (const end of ends) end();
    await Promise.all([
      tidying.settled(),
      deletion.settled(),
      retention.settled(),
      traffic.settled(),
      indexing.settled(),
      rerendering.settled(),
      mails.settled(),
      runner.stop(),
    ]);
  };
}

/** Work that is not begun again while it goes on, and that ends nothing when it fails. */
function makeTask(
  { log, storage }: App,
  name: string,
  run: () => Promise<void>,
  isAway: () => boolean,
) {
  let atWork: Promise<void> | undefined;
  const go = async () => {
    await run().catch((error: unknown) => {
      if (!storage.report(error)) tellFailure(log.error, `${name}_failed`, error);
    });
    atWork = undefined;
  };
  return {
    begin() {
      if (!isAway()) atWork ??= go();
    },
    settled: async () => atWork,
  };
}
