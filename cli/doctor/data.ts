import { join } from "node:path";
import { desc, eq } from "drizzle-orm";
import type { RunningApp } from "../../src/app";
import { isoTime } from "../../src/core/clock";
import { findClockSkew } from "../../src/core/clock-skew";
import type { RealmRow } from "../../src/core/context";
import { s3PlaceOf } from "../../src/files/open";
import { isOpen } from "../../src/joining/ask-to-join";
import { listRealms } from "../../src/realm/queries";
import { keyOf } from "../../src/uploads/wire";
import type { Finding } from "./finding";

/** Seconds of difference between clocks that no network delay explains. */
export const skewSecondsMax = 120;
const namesMax = 5;
/** Number of an organization's newest files that are checked. */
const filesMax = 100;

/** All problems that the opened data shows. */
export async function findInData(app: RunningApp): Promise<Finding[]> {
  return [
    ...(await findOtherClock(app)),
    ...(await findStaleStatistics(app)),
    ...(await findFailedJobs(app)),
    ...(await findInRealms(app)),
  ];
}

async function findOtherClock({ engine }: RunningApp): Promise<Finding[]> {
  const skew = await findClockSkew(engine);
  if (!skew) return [];
  const now = isoTime(skew.theirs + skew.seconds);
  return [
    {
      check: "clock",
      what: `This machine's clock says ${now}, and that of PostgreSQL ${isoTime(skew.theirs)}: nodes whose clocks differ do background work twice, and end each other's event queues.`,
      remedy: "Let each machine take its time from the network: timedatectl set-ntp true",
    },
  ];
}

async function findStaleStatistics({ engine }: RunningApp): Promise<Finding[]> {
  const tables = (await engine.listStaleStatistics?.()) ?? [];
  if (tables.length === 0) return [];
  return [
    {
      check: "statistics",
      what: `PostgreSQL's statistics of ${tables.join(", ")} are older than most of the rows, so searches and lists may take a hundred times as long.`,
      remedy:
        "Run in the database: ANALYZE. If autovacuum is off there, switch it on, because it does this by itself.",
    },
  ];
}

async function findFailedJobs({ jobs }: RunningApp): Promise<Finding[]> {
  const failed = await jobs.list({ onlyFailed: true });
  const [first] = failed;
  if (!first) return [];
  const names = [...new Set(failed.map(({ name }) => name))].slice(0, namesMax).join(", ");
  return [
    {
      check: "jobs",
      what: `Background work has failed for good (${failed.length}: ${names}). The last error of job ${first.id}: ${first.last_error}`,
      remedy:
        "See: chatd admin jobs list --failed. Then chatd admin jobs retry, or chatd admin jobs delete.",
    },
  ];
}

async function findInRealms(app: RunningApp): Promise<Finding[]> {
  const { engine, clock, config } = app;
  const realms = (await listRealms(engine.reader)).filter(({ isActive }) => isActive);
  const findings: Finding[] = [];
  for (const realm of realms) {
    if (isOpen({ app }, realm))
      findings.push({
        check: "signup",
        what: `Anybody with an e-mail address may join ${realm.name} (${realm.host}) without being invited.`,
        remedy: `If you do not want that: chatd admin realm update invite_required=true --realm ${realm.host}`,
      });
    findings.push(...(await findMissingFiles(app, realm)));
    const newest = await newestEntryOf(app, realm.id);
    if (newest > clock.now() + skewSecondsMax)
      findings.push({
        check: "clock",
        what: `The data of ${realm.host} has entries of ${isoTime(newest)}, but this machine's clock says ${isoTime(clock.now())}.`,
        remedy: "Synchronize the clock with the network: timedatectl set-ntp true",
      });
  }
  const host = config.url === undefined ? undefined : new URL(config.url).hostname;
  const isKnown = realms.length < 2 || realms.some((realm) => realm.host === host);
  if (host !== undefined && !isKnown)
    findings.push({
      check: "address",
      what: `The public address has the host ${host}, but no organization has that host.`,
      remedy: "Compare it with: chatd admin realm list. Then change url.",
    });
  return findings;
}

/**
 * Files that the data names but that are missing in this machine's folder, mostly because another
 * node has them. `chatd admin check` checks every file, also in an S3 store.
 */
async function findMissingFiles(
  { engine, config, files }: RunningApp,
  { id, host }: RealmRow,
): Promise<Finding[]> {
  if (s3PlaceOf(config) !== undefined) return [];
  const { db, t } = engine.reader;
  const newest = await db
    .select({ pathId: t.attachments.pathId })
    .from(t.attachments)
    .where(eq(t.attachments.realmId, id))
    .orderBy(desc(t.attachments.id))
    .limit(filesMax);
  const found = await Promise.all(newest.map(({ pathId }) => files.find(keyOf(pathId))));
  const missing = found.filter((file) => file === undefined).length;
  if (missing === 0) return [];
  const cause = engine.isRemote ? "another node has them, or they are lost" : "they are lost";
  return [
    {
      check: "files",
      what: `${missing} of the ${newest.length} newest files of ${host} are not in ${join(config.data, "files")}: ${cause}.`,
      remedy: engine.isRemote
        ? "Several nodes need an S3 store: name it on each, then, on each: chatd admin files move --to s3. Lost files are named by: chatd admin check"
        : "See which: chatd admin check. Then put them back from a backup.",
    },
  ];
}

/** Time of the newest entry of a realm's log (UNIX seconds); 0 if there is none. */
async function newestEntryOf({ engine }: RunningApp, realmId: number): Promise<number> {
  const { db, t } = engine.reader;
  const [row] = await db
    .select({ createdAt: t.eventLog.createdAt })
    .from(t.eventLog)
    .where(eq(t.eventLog.realmId, realmId))
    .orderBy(desc(t.eventLog.id))
    .limit(1);
  return row?.createdAt ?? 0;
}
