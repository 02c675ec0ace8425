import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { setPassword } from "../../src/management/accounts/update";
import { Browser as CookieJar } from "../support/browser";
import { lacking } from "../support/processes/tools";
import { makeWorld, type Person, type World, worldHost } from "../support/world";
import type { KeptTabs } from "./kept-tabs";
import { type LentBrowser, lendBrowser, origin, takeBack } from "./lent-browsers";
import type { Network } from "./network";
import { type PagesAtRest, restPages } from "./pages-at-rest";

/*
 * Browser tests stand in `test/web/browser/`, which runs once: the engine is tested without them.
 */

export const patienceMilliseconds = 20_000;
export { origin } from "./lent-browsers";

/**
 * Tests that hold requests back see none that a service worker makes: a test that needs one says
 * so.
 */
const usual: BrowserContextOptions = { ignoreHTTPSErrors: true, serviceWorkers: "block" };

const executable =
  process.env.CHATD_TEST_BROWSER ??
  Bun.which("chromium-headless-shell") ??
  Bun.which("chromium") ??
  undefined;

export const hasBrowser =
  executable !== undefined ||
  lacking("there is no chromium-headless-shell, and CHATD_TEST_BROWSER names no other browser");

/** A test that needs a browser: skipped loudly where there is none, refused with `CI`. */
export const browserTest = test.skipIf(!hasBrowser);

/** Starts a browser, with further arguments of its command line. */
export const launchBrowser = (args: string[]): Promise<Browser> =>
  chromium.launch({
    ...(executable === undefined ? {} : { executablePath: executable }),
    args,
    timeout: patienceMilliseconds,
  });

/** A server and people with browsers, for the tests of one file. */
export interface Stage {
  readonly world: World;
  readonly network: Network;
  /** Opens a tab in somebody's browser at a fragment, when all parts of its page are there. */
  open(person: Person, fragment?: string): Promise<Page>;
  /** Opens a fragment in an empty tab, until all parts of its page are there. */
  openIn(page: Page, fragment: string): Promise<Page>;
  /** Opens an empty tab in somebody's browser. */
  newTab(person: Person): Promise<Page>;
  /** Opens an empty tab in a browser in which nobody is signed in. */
  openOutside(): Promise<Page>;
  /** Tabs that are open, of everybody. */
  readonly pages: readonly Page[];
  /** Errors of pages, and what their policy has blocked; a test that expects some empties it. */
  readonly complaints: string[];
  /** Opens new browsers from now on, until the end of the test, where tabs are kept otherwise. */
  newBrowsers(): void;
  /** Opens new browsers with options from now on, until the end of the test. */
  browsersAre(options: BrowserContextOptions): void;
}

/** Key of the browser in which nobody is signed in, among the ids of people. */
const outside = 0;

interface Running {
  world: World;
  lent: LentBrowser;
  cookies: Map<number, { name: string; value: string }[]>;
}

interface StageOptions {
  /**
   * False where each test begins with new tabs, because it looks at requests for scripts, or at the
   * work of a page that opens. Otherwise tests begin with tabs that were kept from earlier ones,
   * which take half the time to open.
   */
  readonly keepsTabs?: boolean;
  /**
   * True where somebody's page goes on from one test of the file to the next, if nothing is left in
   * it but what Esc closes. Otherwise each test loads its pages anew.
   */
  readonly pagesGoOn?: boolean;
}

/**
 * Starts a server for a file of tests, and ends it after the file. Its browser may come from an
 * earlier file, and stay for a later one. Each test begins with nobody's browser open, and fails on
 * errors in its pages. Flags are those of `makeWorld`.
 */
export function stage(flags: Record<string, string> = {}, options: StageOptions = {}): Stage {
  let running: Running | undefined;
  const complaints: string[] = [];
  const now = () => started(running);
  const people = browsersOfPeople(now, complaints, options);
  beforeAll(async () => {
    if (hasBrowser) running = await start(flags);
  }, patienceMilliseconds);
  afterEach(async () => {
    running?.lent.network.mend();
    await people.endTest();
    const heard = complaints.splice(0);
    expect(heard).toEqual([]);
  });
  afterAll(async () => {
    await people.endFile();
    if (running) await takeBack(running.lent);
    await running?.world.close();
  });
  return {
    get world() {
      return now().world;
    },
    get network() {
      people.noteWeather();
      return now().lent.network;
    },
    pages: people.pages,
    complaints,
    open: (person, fragment = "#feed") => people.open(person, fragment),
    openIn,
    newTab: (person) => people.newTab(person),
    openOutside: () => people.newTab(),
    newBrowsers: () => people.beNew({}),
    browsersAre: people.beNew,
  };
}

async function openIn(page: Page, fragment: string): Promise<Page> {
  await page.goto(`${origin}/${fragment}`);
  await page.locator(".shell[data-whole=true]").waitFor();
  return page;
}

/** Browsers that are open in a test, one for each person. */
function browsersOfPeople(
  now: () => Running,
  complaints: string[],
  { keepsTabs = true, pagesGoOn = false }: StageOptions,
) {
  /** Options of new browsers, once a test has asked for such. */
  let options: BrowserContextOptions | undefined;
  /** Whether pages may go on from this test: not where it does something to the network. */
  let mayRest = pagesGoOn;
  const contexts = new Map<number, BrowserContext>();
  const pages: Page[] = [];
  const atRest = restPages(now);
  const areKept = () => keepsTabs && options === undefined;
  const heard = (page: Page): Page => {
    pages.push(hearComplaints(page, complaints));
    return page;
  };
  const newTab = async (person?: Person): Promise<Page> => {
    const id = person?.id ?? outside;
    await atRest.empty(id);
    const how = areKept() ? "kept" : { ...usual, ...options };
    const further = await contexts.get(id)?.newPage();
    const page = further ?? (await emptyTab(now(), atRest, how, person));
    contexts.set(id, page.context());
    if (pagesGoOn) atRest.follow(page);
    return heard(page);
  };
  return {
    pages,
    newTab,
    noteWeather() {
      mayRest = false;
    },
    beNew(more: BrowserContextOptions) {
      options = { ...options, ...more };
    },
    async open(person: Person, fragment: string): Promise<Page> {
      const page = areKept() && !contexts.has(person.id) ? atRest.take(person.id) : undefined;
      if (page === undefined) return openIn(await newTab(person), fragment);
      contexts.set(person.id, page.context());
      if (await atRest.wake(page, fragment)) return heard(page);
      await page.goto("about:blank");
      return openIn(heard(page), fragment);
    },
    async endTest() {
      const [areNowKept, mayNowRest] = [areKept(), mayRest];
      const ended = [...contexts];
      contexts.clear();
      pages.length = 0;
      options = undefined;
      mayRest = pagesGoOn;
      await Promise.all(
        ended.map(([id, context]) =>
          areNowKept ? atRest.end(id, context, mayNowRest && id !== outside) : context.close(),
        ),
      );
    },
    endFile: () => atRest.empty("all"),
  };
}

/** An empty tab in somebody's browser, which may be a kept one. */
async function emptyTab(
  running: Running,
  atRest: PagesAtRest,
  options: BrowserContextOptions | "kept",
  person?: Person,
): Promise<Page> {
  const { browser, tabs } = running.lent;
  // Pages at rest would be there beside the new browsers of their people.
  if (options !== "kept") await atRest.empty("all");
  const kept = options === "kept" ? await keptTab(tabs, atRest) : undefined;
  const added = options === "kept" ? usual : options;
  const tab = kept ?? (await tabs.add(await browser.newContext(added)));
  tab.context().setDefaultTimeout(patienceMilliseconds);
  if (person) await tab.context().addCookies(await cookiesOf(running, person));
  return tab;
}

/** A kept tab; where there is none, that of the page which has been at rest longest. */
async function keptTab(tabs: KeptTabs, atRest: PagesAtRest): Promise<Page | undefined> {
  const kept = tabs.take();
  if (kept) return kept;
  await atRest.empty("oldest");
  return tabs.take();
}

function started(running: Running | undefined): Running {
  if (!running) throw new Error("The browser is not started.");
  return running;
}

async function start(flags: Record<string, string>): Promise<Running> {
  const world = await makeWorld({ url: origin, ...flags });
  return { world, lent: await lendBrowser(world.site, launchBrowser), cookies: new Map() };
}

/** Cookies of a session, which is begun once for a person: a password takes long to check. */
async function cookiesOf({ world, cookies }: Running, person: Person) {
  const pairs = cookies.get(person.id) ?? (await signIn(world, person));
  cookies.set(person.id, pairs);
  return pairs.map((pair) => ({ ...pair, url: origin, secure: true, httpOnly: true }));
}

async function signIn(world: World, person: Person) {
  const password = "correct-horse-battery";
  await setPassword(world.operator, person.id, password);
  const jar = new CookieJar(world.site, worldHost);
  const { status } = await jar.submit("/login", { email: person.email, password });
  expect(status).toBe(303);
  return [...jar.cookies].map(([name, value]) => ({ name, value }));
}

/** Writes down what goes wrong in a page, which is answered. */
export function hearComplaints(page: Page, complaints: string[]): Page {
  page.on("pageerror", (error) => complaints.push(error.stack ?? error.message));
  page.on("console", (message) => {
    const text = message.text();
    // A request that fails is told of in any case, and handled by the page.
    if (message.type() === "error" && !text.startsWith("Failed to load resource"))
      complaints.push(text);
  });
  return page;
}

/** The field in which messages are written. */
export const box = (page: Page) => page.locator(".compose textarea");

/** Rows of the messages that hold a text. */
export const rowOf = (page: Page, text: string | RegExp) =>
  page.getByRole("article").filter({ hasText: text });

/** Fragment of a topic of the channel `general`. */
export const topicIn = ({ world }: Stage, topic: string) =>
  `#narrow/channel/${world.channels.general}-general/topic/${topic}`;
