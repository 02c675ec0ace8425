import type { App } from "../core/context";
import { isMailOn } from "./relay";

/*
 * A server without a relay leaves the work of mail to another node, or until it has a relay: mails
 * must not be lost because a node was started without its configuration.
 */

/** Whether the server can run jobs that send or write mails. */
export const hasRelay = ({ config }: App): boolean => isMailOn(config);

/** Throws if the relay was taken from the configuration after the job was read. */
export function requireRelay(app: App) {
  if (!hasRelay(app)) throw new Error("No relay is configured.");
}
