import type { Browser } from "playwright-core";
import { worldHost } from "../support/world";
import { type KeptTabs, keepTabs } from "./kept-tabs";
import { type Network, openNetwork } from "./network";

/*
 * Browsers that go from one file of tests to the next in a process, because to start one, and its
 * first tabs, takes more than half as long as a test.
 */

export const origin = `https://${worldHost}`;

/** A browser in which the origin is a world's server. */
export interface LentBrowser {
  readonly browser: Browser;
  readonly network: Network;
  readonly tabs: KeptTabs;
}

/** A browser whose file has ended. One is enough, because files of a process run in turn. */
let free: LentBrowser | undefined;

/**
 * Nobody tells a process that its last file has ended, so a browser ends with the process. Its
 * profile stays then, which is why only a run that removes the profiles asks for that.
 */
const staysAfterFile = () => process.env["CHATD_TEST_KEEPS_BROWSERS"] !== undefined;

/** Lends a browser in which a server of this machine is the origin. */
export async function lendBrowser(
  site: string,
  launch: (args: string[]) => Promise<Browser>,
): Promise<LentBrowser> {
  const lent = free;
  free = undefined;
  if (lent?.browser.isConnected()) {
    lent.network.mend();
    lent.network.leadTo(site);
    return lent;
  }
  await lent?.network.close();
  const network = await openNetwork(site);
  const browser = await launch([
    `--host-resolver-rules=MAP ${worldHost}:443 127.0.0.1:${network.port}`,
    "--ignore-certificate-errors",
  ]);
  return { browser, network, tabs: keepTabs(origin) };
}

/** Takes a browser back, whose tabs are closed or kept. */
export async function takeBack(lent: LentBrowser): Promise<void> {
  lent.network.cut();
  if (staysAfterFile() && free === undefined && lent.browser.isConnected()) {
    free = lent;
    return;
  }
  await lent.browser.close();
  await lent.network.close();
}
