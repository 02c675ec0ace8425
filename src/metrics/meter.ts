import { statfs } from "node:fs/promises";
import type { RunningApp } from "../app";
import { serverCounters } from "../core/counters";
import { describeError, type Log } from "../core/log";
import { certificateEnds, endOfCertificate } from "../core/network/certificates";
import { commit, version } from "../core/version";
import { deliveryJobs } from "../devices/push/jobs";
import type { Tls } from "../http/listeners";
import { countJobs, type JobCounts } from "../jobs/counts";
import { mailJobName } from "../letters/cancel";
import { LogCounts } from "./counting-log";
import { DatabaseMeter } from "./database-meter";
import { Exposition } from "./exposition";
import { LoopDelay } from "./loop-delay";
import { addProcess } from "./process-facts";
import { RequestMeter } from "./request-meter";

/** Milliseconds during which one count of the jobs answers all requests for metrics. */
const jobsMilliseconds = 5_000;
/** Milliseconds that the database has for the count, because Prometheus does not wait for long. */
const patienceMilliseconds = 2_000;

/** Results that are shown as 0 before they happen, so that the first one appears as an increase. */
const results = {
  mails: ["sent", "refused", "failed", "dropped"],
  pushes: ["sent", "refused", "failed"],
  spans: ["exported", "dropped"],
};
const refusalsOfNeed = [
  "DATABASE_UNAVAILABLE",
  "INSUFFICIENT_STORAGE",
  "INTERNAL_SERVER_ERROR",
  "RATE_LIMIT_HIT",
  "SERVER_BUSY",
];

/** All metrics of a server; most are measured only when they are requested. */
export class Meter {
  readonly requests = new RequestMeter();
  readonly database = new DatabaseMeter();
  private readonly logged = new LogCounts();
  private readonly loop = new LoopDelay();
  private app: RunningApp | undefined;
  private servedTls: () => Tls | undefined = () => undefined;
  private counted: { at: number; jobs: Promise<JobCounts[] | undefined> } | undefined;

  /** A log whose warnings and errors are counted. */
  readonly countingOf = (log: Log): Log => this.logged.countingOf(log);

  /** Starts to measure the delay of the event loop; the returned function stops it. */
  readonly start = () => this.loop.start();

  /** Connects the meter to a running app, whose metrics it shows from now on. */
  attach(app: RunningApp, servedTls: () => Tls | undefined) {
    this.app = app;
    this.servedTls = servedTls;
  }

  /** All metrics as Prometheus reads them. */
  async page(): Promise<string> {
    const page = new Exposition();
    const { app } = this;
    this.requests.addTo(page);
    this.logged.addTo(page);
    this.loop.addTo(page);
    addProcess(page);
    if (app) await this.addApp(page, app);
    return page.text();
  }

  private async addApp(page: Exposition, app: RunningApp) {
    const { engine, config } = app;
    const database = engine.isRemote ? "PostgreSQL" : "SQLite";
    page.add("chatd_build_info", 1, { version, commit: commit ?? "none", database });
    const { queues, held, lagEntriesMax } = app.events.figures();
    page.add("chatd_event_queues", queues);
    page.add("chatd_event_polls_held", held);
    page.add("chatd_event_queue_lag_entries_max", lagEntriesMax);
    this.addDatabase(page, app);
    addCounters(page, app);
    for (const [use, end] of certificateEnds.of(app))
      page.add("chatd_certificate_expiry_timestamp_seconds", end, { use });
    const httpsEnd = endOfTls(this.servedTls(), app.clock.now());
    page.add("chatd_certificate_expiry_timestamp_seconds", httpsEnd, { use: "https" });
    await addDisk(page, config.data);
    const jobs = engine.isAway() ? undefined : await this.jobsOf(app);
    page.add("chatd_database_up", jobs === undefined ? 0 : 1);
    if (jobs) addJobs(page, jobs, app.clock.now());
  }

  private addDatabase(page: Exposition, { engine }: RunningApp) {
    const { writesWaiting, files, pools } = engine.figures();
    this.database.addTo(page, files !== undefined);
    page.add("chatd_database_writes_waiting", writesWaiting);
    page.add("chatd_sqlite_database_bytes", files?.databaseBytes);
    page.add("chatd_sqlite_wal_bytes", files?.logBytes);
    for (const { name: pool, connectionsMax, inUse, waiting } of pools) {
      page.add("chatd_postgres_connections_max", connectionsMax, { pool });
      page.add("chatd_postgres_connections_in_use", inUse, { pool });
      page.add("chatd_postgres_connections_waited_for", waiting, { pool });
    }
  }

  /** Counts of the jobs; undefined if the database does not answer. */
  private jobsOf(app: RunningApp): Promise<JobCounts[] | undefined> {
    const now = app.clock.nowMilliseconds();
    if (this.counted && now - this.counted.at < jobsMilliseconds) return this.counted.jobs;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const stopWaiting = app.clock.after(patienceMilliseconds, () => resolve(undefined));
    const counts = countJobs(app.engine.reader, app.clock.now()).catch((error: unknown) => {
      app.log.debug("jobs_not_counted", describeError(error));
      return undefined;
    });
    const jobs = Promise.race([counts, promise]).finally(stopWaiting);
    this.counted = { at: now, jobs };
    return jobs;
  }
}

/**
 * Expiry time of the https certificate that expires first; undefined if there is none. A
 * placeholder counts as expired, because clients refuse it, so that the alert fires if a
 * certificate is missing.
 */
function endOfTls(tls: Tls | undefined, now: number): number | undefined {
  if (tls === undefined || tls.certificates.length === 0) return undefined;
  const ends = tls.certificates.map((one) =>
    one.isPlaceholder ? now : endOfCertificate(one.chain),
  );
  return Math.min(...ends);
}

function addCounters(page: Exposition, app: RunningApp) {
  const counts = serverCounters.of(app);
  for (const result of results.mails)
    page.add("chatd_mails_total", counts.count("mails", result), { result });
  for (const result of results.pushes)
    page.add("chatd_pushes_total", counts.count("pushes", result), { result });
  for (const result of results.spans)
    page.add("chatd_trace_spans_total", counts.count("spans", result), { result });
  const codes = new Set([...refusalsOfNeed, ...counts.kindsOf("refusals")]);
  for (const code of codes)
    page.add("chatd_http_refusals_total", counts.count("refusals", code), { code });
  page.add("chatd_sign_in_failures_total", counts.count("sign_in_failures"));
  page.add("chatd_stored_file_bytes_total", counts.count("stored_file_bytes"));
}

async function addDisk(page: Exposition, folder: string) {
  const disk = await statfs(folder).catch(() => undefined);
  if (!disk) return;
  page.add("chatd_disk_free_bytes", disk.bavail * disk.bsize);
  page.add("chatd_disk_size_bytes", disk.blocks * disk.bsize);
}

function addJobs(page: Exposition, jobs: readonly JobCounts[], now: number) {
  for (const { name: kind, firstDueAt, ...counts } of jobs) {
    for (const state of ["waiting", "running", "failed"] as const)
      page.add("chatd_jobs", counts[state], { kind, state });
    const overdue = firstDueAt === undefined ? 0 : Math.max(0, now - firstDueAt);
    page.add("chatd_job_overdue_seconds", overdue, { kind });
  }
  const waitingOf = (names: readonly string[]) =>
    jobs.reduce((sum, { name, waiting }) => sum + (names.includes(name) ? waiting : 0), 0);
  page.add("chatd_mails_waiting", waitingOf([mailJobName]));
  page.add("chatd_pushes_waiting", waitingOf(Object.values(deliveryJobs)));
}
