import type { BrowserContext, Page } from "playwright-core";
import { isHeld } from "../support/polls";
import type { World } from "../support/world";
import type { LentBrowser } from "./lent-browsers";

/*
 * Pages that go on from one test of a file to the next, because to load the client takes ten times
 * as long as to go to another view in it.
 */

export interface PagesAtRest {
  /**
   * Brings the page of somebody's browser to rest until they open it again. Where that may not be,
   * or a test has changed or left something in the page, its tab is kept empty.
   */
  end(personId: number, context: BrowserContext, mayRest: boolean): Promise<void>;
  /** Somebody's page that was at rest. */
  take(personId: number): Page | undefined;
  /** Notes from now on which event queue a page follows. */
  follow(page: Page): void;
  /** Goes to a view in a page that was at rest. False where it does not follow events any more. */
  wake(page: Page, fragment: string): Promise<boolean>;
  /** Empties somebody's page, everybody's, or the one that has been at rest longest. */
  empty(which: number | "all" | "oldest"): Promise<void>;
}

interface Surroundings {
  readonly world: World;
  readonly lent: LentBrowser;
}

export function restPages(now: () => Surroundings): PagesAtRest {
  const pages = new Map<number, Page>();
  /** Event queues by which pages follow events. */
  const queues = new WeakMap<Page, string>();
  const follow = (page: Page) => {
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      const queue = searchParams.get("queue_id");
      if (pathname === "/api/v1/events" && queue !== null) queues.set(page, queue);
    });
  };
  const take = (personId: number) => {
    const page = pages.get(personId);
    pages.delete(personId);
    return page;
  };
  /** False where a test has changed or left something in a page, or there are more pages. */
  const leave = async (personId: number, context: BrowserContext): Promise<boolean> => {
    const [page, ...others] = context.pages();
    if (page === undefined || others.length > 0) return false;
    const { tabs } = now().lent;
    if (!tabs.isUnchanged(page) || !(await goToRest(page))) return false;
    await tabs.makeUsual(page);
    follow(page);
    pages.set(personId, page);
    return true;
  };
  return {
    take,
    follow,
    async end(personId, context, mayRest) {
      const isAtRest = mayRest && (await leave(personId, context).catch(() => false));
      if (!isAtRest) await now().lent.tabs.keepOne(context);
    },
    async wake(page, fragment) {
      const queue = queues.get(page);
      if (queue === undefined || !(await hasAllEvents(now().world, queue))) return false;
      await page.evaluate(goTo, fragment);
      return true;
    },
    async empty(which) {
      const [oldest] = pages.keys();
      const ids = which === "all" ? [...pages.keys()] : [which === "oldest" ? oldest : which];
      for (const id of ids) {
        const page = id === undefined ? undefined : take(id);
        if (page) await now().lent.tabs.keepOne(page.context());
      }
    },
  };
}

/** View in which nothing is read, and which few events change. */
const restingPlace = "#snippets";

const pressesMax = 5;

/**
 * Closes what is open by Esc, and notices by their buttons, and goes to rest; false where anything
 * else is left.
 */
async function goToRest(page: Page): Promise<boolean> {
  for (let press = 0; press <= pressesMax; press += 1) {
    const left = await page.evaluate(restIfNothingIsLeft, restingPlace);
    if (left !== "open") return left === "nothing";
    await page.keyboard.press("Escape");
  }
  return false;
}

/** Runs in a page: leads to a place if nothing is open, typed, stored or replaced. */
async function restIfNothingIsLeft(place: string): Promise<"nothing" | "open" | "more"> {
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  const isThere = (selector: string) => document.querySelector(selector) !== null;
  if (location.pathname !== "/" || !isThere(".shell[data-whole=true]")) return "more";
  if (isThere(".sending, [aria-busy=true]")) return "more";
  for (const notice of document.querySelectorAll<HTMLElement>(".toast > .tool")) notice.click();
  if (isThere(".toast")) return "open";
  if (isThere("dialog[open], :popover-open, [role=menu], .edit")) return "open";
  const fields = document.querySelectorAll<HTMLInputElement>(
    ".compose :is(input, textarea), .rail input, input[type=search]",
  );
  if ([...fields].some(({ value }) => value !== "")) return "more";
  // A page reads the latest searches from the storage each time.
  for (const key of Object.keys(localStorage))
    if (key.startsWith("chatd searches ")) localStorage.removeItem(key);
  // Each page stores these when it opens.
  const usual =
    /^chatd-begun-for |^chatd-kept-place |^chatd choice \d+ (first steps shown|people shown|single keys on)$/;
  const stored = [localStorage, sessionStorage].flatMap((storage) => Object.entries(storage));
  if (stored.some(([key, value]) => !usual.test(`${key} ${value}`) && value !== "{}"))
    return "more";
  const functions = [fetch, setTimeout, Storage.prototype.setItem, HTMLElement.prototype.focus];
  if (!functions.every((one) => one.toString().includes("[native code]"))) return "more";
  location.assign(place);
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  return "nothing";
}

/** Runs in a page: goes to a view, until it is drawn and its messages, or its lines, have come. */
async function goTo(fragment: string): Promise<void> {
  location.assign(fragment);
  const frame = () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  const patience = performance.now() + 2_000;
  do await frame();
  while (document.querySelector("[aria-busy=true]") !== null && performance.now() < patience);
}

const patienceMilliseconds = 1_000;
const pauseMilliseconds = 10;

/** Waits until a page has received all events so far; false where it asks for none. */
async function hasAllEvents({ app, realm }: World, queue: string): Promise<boolean> {
  const since = performance.now();
  while (!isHeld(app, queue, realm.id)) {
    if (performance.now() - since > patienceMilliseconds) return false;
    await Bun.sleep(pauseMilliseconds);
  }
  return true;
}
