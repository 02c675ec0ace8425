import { and, inArray, lte } from "drizzle-orm";
import type { App, Tx } from "../core/context";
import { serverCounters } from "../core/counters";
import { removeJobs } from "../jobs/tidy";
import { hasRelay } from "../letters/relay-needed";
import { digestJob } from "./digest/job";
import { mailJob, patienceSeconds } from "./job";
import { missedMailJob } from "./missed-mail/job";
import { newMentionsJob } from "./missed-mail/new-mentions";

const names = [mailJob, missedMailJob, newMentionsJob, digestJob].map(({ name }) => name);

/**
 * Removes the work of mail that no server has begun for days, where no relay is configured, because
 * nobody expects these mails any more once there is a relay again.
 */
export async function tidyUnsent(app: App): Promise<void> {
  if (hasRelay(app)) return;
  const dueBefore = app.clock.now() - patienceSeconds;
  const isOld = ({ jobs }: Tx["t"]) => and(lte(jobs.dueAt, dueBefore), inArray(jobs.name, names));
  await removeJobs(app, isOld, ({ id, name }) => {
    if (name !== mailJob.name) return;
    serverCounters.of(app).add("mails", "dropped");
    app.log.info("mail_dropped", { job: id, why: "no relay is configured" });
  });
}
