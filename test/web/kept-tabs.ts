import type { BrowserContext, CDPSession, Disposable, Page } from "playwright-core";

/*
 * Tabs that stay from one test to the next, because to start a tab's process and to compile the
 * scripts of the client would take most of a test's time.
 */

export interface KeptTabs {
  /** A new tab in a browser of its own, which can be kept when its test has ended. */
  add(context: BrowserContext): Promise<Page>;
  /** A tab that was kept, with a browser of its own in which nobody is signed in. */
  take(): Page | undefined;
  /**
   * Closes all tabs of a browser but the first, which is as a new one then: nothing is stored or
   * was gone through before, nobody is signed in, no script was added, nothing listens or debugs,
   * no request is intercepted, the pointer is outside. Closes the browser where that cannot be.
   */
  keepOne(context: BrowserContext): Promise<void>;
  /** Whether no test has changed a tab since it was emptied, beyond what `makeUsual` takes back. */
  isUnchanged(tab: Page): boolean;
  /** Gives a tab its usual size, colours and pointer, with no history and nobody who listens. */
  makeUsual(tab: Page): Promise<void>;
}

/** As many tabs as most tests open are enough, because their processes take memory. */
const keptMax = 4;

/** Changes that a test has made to a tab, and that no visit to another page ends. */
interface Traces {
  /** A session of the debugging protocol that no test sees. */
  readonly session: () => Promise<CDPSession>;
  /** Scripts and functions that each page of the tab gets, and sessions of tests. */
  readonly additions: Promise<Disposable>[];
  /** Whether there are others, which cannot be taken away. */
  areLasting: boolean;
  /** Whether requests of the tab have been intercepted since it was emptied. */
  areRouted: boolean;
}

/** Tabs in which the client of one origin is opened. */
export function keepTabs(origin: string): KeptTabs {
  const tracesOf = new WeakMap<Page, Traces>();
  const tabs: Page[] = [];
  /** Number of tabs that are being emptied. Each has its place among the kept ones already. */
  let emptying = 0;
  const keep = async (tab: Page): Promise<boolean> => {
    const traces = tracesOf.get(tab);
    if (traces === undefined || traces.areLasting) return false;
    if (tabs.length + emptying >= keptMax) return false;
    emptying += 1;
    try {
      await empty(tab, traces, origin);
      tabs.push(tab);
    } finally {
      emptying -= 1;
    }
    return true;
  };
  return {
    async add(context) {
      const tab = await context.newPage();
      tracesOf.set(tab, noteTraces(tab));
      return tab;
    },
    take: () => tabs.pop(),
    async keepOne(context) {
      const [first, ...others] = context.pages();
      await Promise.all(others.map((page) => page.close()));
      const isKept = first !== undefined && (await keep(first).catch(() => false));
      if (!isKept) await context.close();
    },
    isUnchanged(tab) {
      const traces = tracesOf.get(tab);
      if (traces === undefined) return false;
      return !traces.areLasting && !traces.areRouted && traces.additions.length === 0;
    },
    async makeUsual(tab) {
      const traces = tracesOf.get(tab);
      if (traces) await makeUsual(tab, traces);
    },
  };
}

/** Notes from now on what is done to a tab and its browser. */
function noteTraces(tab: Page): Traces {
  const context = tab.context();
  const newSession = context.newCDPSession.bind(context, tab);
  let session: Promise<CDPSession> | undefined;
  const traces: Traces = {
    session: () => {
      session ??= newSession();
      return session;
    },
    additions: [],
    areLasting: false,
    areRouted: false,
  };
  for (const target of [tab, context])
    for (const name of ["addInitScript", "exposeBinding", "exposeFunction"])
      afterEachCall(target, name, (made) => traces.additions.push(made));
  for (const target of [tab, context])
    afterEachCall(target, "route", () => {
      traces.areRouted = true;
    });
  const noteLasting = () => {
    traces.areLasting = true;
  };
  tab.on("crash", noteLasting);
  for (const name of ["grantPermissions", "setExtraHTTPHeaders", "setOffline"])
    afterEachCall(context, name, noteLasting);
  afterEachCall<CDPSession>(context, "newCDPSession", (made) =>
    traces.additions.push(endOfSession(made)),
  );
  for (const name of ["install", "pauseAt", "setFixedTime", "setSystemTime"])
    afterEachCall(context.clock, name, noteLasting);
  return traces;
}

/** The end of a session of the debugging protocol, with which all ends that it has changed. */
async function endOfSession(made: Promise<CDPSession>): Promise<Disposable> {
  const session = await made;
  // A test may have ended it already.
  const dispose = () => session.detach().catch(() => undefined);
  return { dispose, [Symbol.asyncDispose]: dispose };
}

function afterEachCall<Made = Disposable>(
  target: object,
  name: string,
  note: (made: Promise<Made>) => void,
) {
  const method = Reflect.get(target, name);
  Reflect.set(target, name, (...given: unknown[]) => {
    const made: Promise<Made> = Reflect.apply(method, target, given);
    note(made);
    return made;
  });
}

/** Size of a new tab, as playwright has it. */
const usualSize = { width: 1_280, height: 720 };

/** A page of the site that has no script and stores nothing. */
const plainPath = "/robots.txt";

const stored = "local_storage,indexeddb,cache_storage,service_workers,file_systems";

/** Events of a tab to which tests and the stage listen. */
const tabEvents = [
  "console",
  "dialog",
  "domcontentloaded",
  "load",
  "pageerror",
  "popup",
  "request",
  "requestfailed",
  "requestfinished",
  "response",
];

async function empty(tab: Page, traces: Traces, origin: string): Promise<void> {
  const context = tab.context();
  const removed = traces.additions.splice(0).map(async (made) => (await made).dispose());
  await Promise.all([...removed, tab.unrouteAll(), context.unrouteAll()]);
  traces.areRouted = false;
  await tab.goto(`${origin}${plainPath}`);
  const client = await traces.session();
  await Promise.all([
    tab.evaluate(() => {
      sessionStorage.clear();
      window.name = "";
    }),
    client.send("Storage.clearDataForOrigin", { origin, storageTypes: stored }),
    context.clearCookies(),
    makeUsual(tab, traces),
  ]);
}

async function makeUsual(tab: Page, { session }: Traces): Promise<void> {
  for (const event of tabEvents) tab.removeAllListeners(event);
  for (const event of ["page", "request", "response"]) tab.context().removeAllListeners(event);
  const client = await session();
  await Promise.all([
    client.send("Page.resetNavigationHistory"),
    tab.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null, media: null }),
    tab.setViewportSize(usualSize),
  ]);
  await tab.mouse.up();
  await tab.mouse.move(-1, -1);
}
