import type { BrowserContext, Page } from "playwright-core";

/*
 * Tabs that stay from one test to the next, because to start a tab's process and to compile the
 * scripts of the client takes longer than most tests do.
 */

export interface KeptTabs {
  /** The tab that was kept for somebody, who has it until it is kept again. */
  take(key: number): Page | undefined;
  /**
   * Closes all tabs of somebody's browser but the first, which is as a new one then: nothing is
   * stored or was gone through before, no request is intercepted, the pointer is outside. Scripts
   * that were added to the tab, clocks and listeners stay, and so does the cookie of the session.
   */
  keepOne(context: BrowserContext, key: number): Promise<void>;
}

/** Tabs in which the client of one origin is opened. */
export function keepTabs(origin: string): KeptTabs {
  const tabs = new Map<number, Page>();
  return {
    take(key) {
      const tab = tabs.get(key);
      tabs.delete(key);
      return tab;
    },
    async keepOne(context, key) {
      const [first, ...others] = context.pages();
      if (first === undefined) return context.close();
      await Promise.all(others.map((page) => page.close()));
      await empty(first, origin);
      tabs.set(key, first);
    },
  };
}

/** Size of a new tab, as playwright has it. */
const usualSize = { width: 1_280, height: 720 };

/** A page of the site that has no script and stores nothing. */
const plainPath = "/robots.txt";

const stored = "local_storage,indexeddb,cache_storage,service_workers,file_systems";

async function empty(tab: Page, origin: string): Promise<void> {
  await tab.unrouteAll();
  await tab.goto(`${origin}${plainPath}`);
  await tab.evaluate(() => sessionStorage.clear());
  const session = await tab.context().newCDPSession(tab);
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: stored });
  await session.send("Page.resetNavigationHistory");
  await session.detach();
  await tab.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null });
  await tab.setViewportSize(usualSize);
  await tab.mouse.up();
  await tab.mouse.move(-1, -1);
}
