import type { AnyJob } from "../jobs/define";
import { registrationJob } from "../joining/invitations/ask-to-join";
import { mailLinkJob } from "../sign-in/mailed-links";
import { digestJob } from "./digest/job";
import { mailJob } from "./job";
import { missedMailJob } from "./missed-mail/job";

/** All background work that has to do with outgoing mail. */
export const mailJobs: readonly AnyJob[] = [
  mailJob,
  mailLinkJob,
  registrationJob,
  missedMailJob,
  digestJob,
];
