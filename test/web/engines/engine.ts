import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { setPassword } from "../../../src/management/accounts/update";
import { requireTool } from "../../support/processes/tools";
import { makeWorld, type Person, type World, worldHost } from "../../support/world";
import { nothingKept, readKept } from "../kept-by-browser";
import { type Network, openNetwork } from "../network";
import { type DrivenTab, drivenTab, startMilliseconds, type Wire } from "./driven-tab";
import { untilThere } from "./tab";
import { openTunnel } from "./tunnel";

/** A browser of another make than the one that most browser tests run in. */
export interface Engine<Browser extends RunningEngine = RunningEngine> {
  readonly name: string;
  /** Programs that it needs, by the names of their commands. */
  readonly programs: readonly string[];
  /** Starts it with all that it asks for led to a proxy, and its word taken for certificates. */
  start(proxyPort: number): Promise<Browser>;
}

export interface RunningEngine {
  /** Opens a tab in which nobody is signed in; one at a time. */
  open(): Promise<Wire>;
  close(): Promise<void>;
}

/** A server and a browser of one engine, for the tests of one file. */
export interface EngineStage<Browser extends RunningEngine = RunningEngine> {
  readonly world: World;
  readonly browser: Browser;
  /** The way from the browser to the server. */
  readonly network: Network;
  /** A test that needs the engine: skipped loudly where there is none, refused with `CI`. */
  readonly test: typeof test;
  /**
   * Opens a link as somebody, who signs in through the form, and waits for all of the page.
   * Somebody for whom the test before has opened a tab goes on in it, with nothing stored but the
   * session.
   */
  open(person: Person, fragment: string): Promise<DrivenTab>;
}

interface Running<Browser> {
  world: World;
  network: Network;
  browser: Browser;
  end(): Promise<void>;
}

const origin = `https://${worldHost}`;
const password = "correct-horse-battery";

/** Flags are those of `makeWorld`. */
export function engineStage<Browser extends RunningEngine>(
  engine: Engine<Browser>,
  flags: Record<string, string> = {},
): EngineStage<Browser> {
  const isThere = engine.programs.every(requireTool);
  let running: Running<Browser> | undefined;
  let opened: Opened | undefined;
  const takeOpened = () => {
    const last = opened;
    opened = undefined;
    return last;
  };
  const withPassword = new Set<Person>();
  const now = (): Running<Browser> => {
    if (!running) throw new Error(`${engine.name} is not started.`);
    return running;
  };
  beforeAll(async () => {
    if (isThere) running = await start(engine, flags);
  }, 2 * startMilliseconds);
  afterEach(async () => {
    running?.network.mend();
    const last = takeOpened();
    // A tab that is gone tells of nothing: that is its complaint.
    const complaints = await last?.tab.complaints().catch((error) => [String(error)]);
    if (complaints?.length === 0) opened = last;
    else await close(last);
    expect(complaints ?? []).toEqual([]);
  });
  afterAll(async () => {
    await close(takeOpened());
    await running?.end();
  });
  return {
    get world() {
      return now().world;
    },
    get browser() {
      return now().browser;
    },
    get network() {
      return now().network;
    },
    test: test.skipIf(!isThere),
    async open(person, fragment) {
      const { world, browser } = now();
      if (!withPassword.has(person)) await setPassword(world.operator, person.id, password);
      withPassword.add(person);
      if (opened?.person !== person || !(await isEmptied(opened.tab))) {
        await close(takeOpened());
        opened = { person, tab: drivenTab(await browser.open()) };
      }
      const { tab } = opened;
      await tab.resize(1280, 720);
      await tab.go(`${origin}/${fragment}`);
      await signIn(tab, person);
      return tab;
    },
  };
}

interface Opened {
  readonly person: Person;
  readonly tab: DrivenTab;
}

/** Closes a tab, where there is one: it may be gone already, or its browser may have ended. */
const close = async (opened?: Opened): Promise<void> => opened?.tab.close().catch(() => undefined);

/** Leaves the page of a tab, and takes away what it has stored; false where that cannot be. */
async function isEmptied(tab: DrivenTab): Promise<boolean> {
  try {
    await tab.go(`${origin}/robots.txt`);
    await tab.evaluate(emptyStorage);
    return (await tab.evaluate(readKept)) === nothingKept;
  } catch {
    return false;
  }
}

/** Runs in a page: takes away all that scripts have stored. */
async function emptyStorage(): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
  for (const { name } of await indexedDB.databases())
    await new Promise((gone, refused) => {
      const deleting = indexedDB.deleteDatabase(name ?? "");
      deleting.onsuccess = gone;
      deleting.onblocked = refused;
      deleting.onerror = refused;
    });
}

async function start<Browser extends RunningEngine>(
  engine: Engine<Browser>,
  flags: Record<string, string>,
): Promise<Running<Browser>> {
  const world = await makeWorld({ url: origin, ...flags });
  const network = await openNetwork(world.site);
  const tunnel = await openTunnel(network.port);
  const browser = await engine.start(tunnel.port);
  const end = async () => {
    await browser.close();
    tunnel.close();
    await network.close();
    await world.close();
  };
  return { world, network, browser, end };
}

/** Signs somebody in at the form to which the page has led, if it has, by mouse and keyboard. */
async function signIn(tab: DrivenTab, { email }: Person): Promise<void> {
  const isSignedIn = await tab.evaluate(() => location.pathname !== "/login");
  if (!isSignedIn) {
    await tab.click("#email");
    await tab.type(email);
    await tab.click("#password");
    await tab.type(password);
    await tab.press("Enter");
  }
  await untilThere(tab, ".shell[data-whole=true]");
  await tab.listen();
}
