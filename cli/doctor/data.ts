import { desc, eq } from "drizzle-orm";
import type { RunningApp } from "../../src/app";
import { isoTime } from "../../src/core/clock";
import { isOpen } from "../../src/joining/invitations/ask-to-join";
import { listRealms } from "../../src/realm/queries";
import type { Finding } from "./finding";

/** Difference of clocks that no network explains. */
export const skewSecondsMax = 120;
const namesMax = 5;

/** All that the data tells once it is open. */
export async function findInData(app: RunningApp): Promise<Finding[]> {
  return [...(await findFailedJobs(app)), ...(await findInRealms(app))];
}

async function findFailedJobs({ jobs }: RunningApp): Promise<Finding[]> {
  const failed = await jobs.list({ onlyFailed: true });
  const [first] = failed;
  if (!first) return [];
  const names = [...new Set(failed.map(({ name }) => name))].slice(0, namesMax).join(", ");
  return [
    {
      trap: "jobs",
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
        trap: "signup",
        what: `Anybody who can read mail may join ${realm.name} (${realm.host}) without being invited.`,
        remedy: `If that is not meant: chatd admin realm update invite_required=true --realm ${realm.host}`,
      });
    const newest = await newestEntryOf(app, realm.id);
    if (newest > clock.now() + skewSecondsMax)
      findings.push({
        trap: "clock",
        what: `The data of ${realm.host} has entries of ${isoTime(newest)}, but this machine's clock says ${isoTime(clock.now())}.`,
        remedy: "Let the machine take its time from the network: timedatectl set-ntp true",
      });
  }
  const host = config.url === undefined ? undefined : new URL(config.url).hostname;
  const isKnown = realms.length < 2 || realms.some((realm) => realm.host === host);
  if (host !== undefined && !isKnown)
    findings.push({
      trap: "address",
      what: `The public address leads to ${host}, and there is no organization of that host.`,
      remedy: "Compare it with: chatd admin realm list. Then change url.",
    });
  return findings;
}

/** Time of the newest entry of a realm's log (UNIX seconds); 0 where there is none. */
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
