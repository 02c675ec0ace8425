import { feature } from "../core/manifest";
import { beginMails } from "./begin";
import { digestJob } from "./digest/job";
import { mailJob } from "./job";
import { tidyReceivedMails } from "./mail-in/tidy";
import { missedMailJob } from "./missed-mail/job";
import { newMentionsJob } from "./missed-mail/new-mentions";
import { mailPages } from "./routes";
import { tidyUnsent } from "./tidy-unsent";

/** Mail: sending, receiving, and the mails that the server writes by itself. */
export const mailFeature = feature({
  name: "mail",
  pages: mailPages,
  jobs: [mailJob, missedMailJob, newMentionsJob, digestJob],
  tidying: [tidyReceivedMails, tidyUnsent],
  tasks: [{ name: "mails", at: ["start", "minute"], make: (app) => () => beginMails(app) }],
});
