import { mailLinkJob } from "../auth/mailed-links";
import { digestJob } from "../digest/job";
import type { AnyJob } from "../jobs/define";
import { missedMailJob } from "../missed-mail/job";
import { registrationJob } from "../registration/ask";
import { mailJob } from "./job";

/** All background work that has to do with outgoing mail. */
export const mailJobs: readonly AnyJob[] = [
  mailJob,
  mailLinkJob,
  registrationJob,
  missedMailJob,
  digestJob,
];
