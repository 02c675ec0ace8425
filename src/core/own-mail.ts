import type { Secrets } from "./secrets";

/** The header that mails of this server carry, so that it knows one that comes back. */
export const ownMailHeader = "X-Chatd-Server";

/** Text of that header, alike on all nodes. */
export const ownMailMark = (secrets: Secrets): string =>
  secrets.hash("own-mail", "mark").slice(0, 32);
