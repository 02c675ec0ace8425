import type { Secrets } from "./secrets/secrets";

/** Header that marks mails of this server, so that it recognizes one that comes back. */
export const ownMailHeader = "X-Chatd-Server";

/** Value of that header, equal on all nodes. */
export const ownMailMark = (secrets: Secrets): string =>
  secrets.hash("own-mail", "mark").slice(0, 32);
