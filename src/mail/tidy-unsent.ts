import type { App } from "../core/context";
import { serverCounters } from "../core/counters";
import { removeOverdue } from "../jobs/tidy";
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
  await removeOverdue(app, names, patienceSeconds, ({ id, name }) => {
    if (name !== mailJob.name) return;
    serverCounters.of(app).add("mails", "dropped");
    app.log.info("mail_dropped", { job: id, why: "no relay is configured" });
  });
}
