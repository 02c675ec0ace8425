import { beforeAll, describe, expect } from "bun:test";
import type { CDPSession, Page } from "playwright-core";
import { browserTest, hasBrowser } from "../../browser";
import { channelsFor, executableStage, peopleBeside } from "../../executable";
import { holdLateParts } from "../../late-parts";
import { measureMainThread } from "../../main-thread";

/* The organization of the budget: 200 channels and 100 people. */
const on = executableStage({ users: peopleBeside(97), channels: channelsFor("alice", 199) });

const loads = 3;

/**
 * Costs of a first load in an empty browser, until its messages are painted, and then of the whole.
 */
interface Load {
  /** Bytes of the answers, as they were sent, by what they are. */
  bytes: Record<"page" | "script" | "style", number>;
  requests: readonly string[];
  mainThreadMilliseconds: number;
  heapMegabytes: number;
  elements: number;
  rows: number;
}

const kinds: Readonly<Record<string, keyof Load["bytes"]>> = {
  Document: "page",
  Script: "script",
  Stylesheet: "style",
};

/** Notes what comes over the network from now on. */
async function noteAnswers(session: CDPSession) {
  const bytes = { page: 0, script: 0, style: 0 };
  const requests: string[] = [];
  const kindOf = new Map<string, keyof Load["bytes"]>();
  session.on("Network.requestWillBeSent", ({ requestId, request, type = "" }) => {
    requests.push(request.url);
    const kind = kinds[type];
    if (kind) kindOf.set(requestId, kind);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const kind = kindOf.get(requestId);
    if (kind) bytes[kind] += encodedDataLength;
  });
  await session.send("Network.enable");
  return { bytes, requests };
}

async function loadFirst(page: Page): Promise<Load> {
  const session = await page.context().newCDPSession(page);
  const { bytes, requests } = await noteAnswers(session);
  const late = await holdLateParts(session);
  const main = await measureMainThread(page);
  await page.goto(`${on.site}/#feed`, { waitUntil: "commit" });
  await main.painted(`document.querySelector("article .rendered")`);
  const mainThreadMilliseconds = await main.ticks();
  await late.isAsked;
  const untilPainted = { bytes: { ...bytes }, requests: requests.filter(isFirst) };
  await late.release();
  await main.painted(`document.querySelector(".shell[data-whole=true] .compose textarea")`);
  const sizes = await main.sizes();
  const heapMegabytes = await main.heapMegabytes();
  await page.context().close();
  return { ...untilPainted, mainThreadMilliseconds, heapMegabytes, ...sizes };
}

const isFirst = (address: string) => !address.includes("/static/web/chunk-");

describe("the first load", () => {
  const all: Load[] = [];
  const least = (cost: (load: Load) => number) => Math.min(...all.map(cost));
  beforeAll(async () => {
    if (!hasBrowser) return;
    await (await on.open("alice", "#feed")).context().close();
    const alice = on.client("alice");
    for (let count = 0; count < 100; count += 1) {
      const content = `Message ${count}, with **bold** words and\n\n\`\`\`python\nfor i in range(10): print(i)\n\`\`\``;
      await alice.post("/messages", { type: "channel", to: "general", topic: "t", content });
    }
    while (all.length < loads) all.push(await loadFirst(await on.newPage("alice")));
  }, 60_000);

  browserTest("brings at most 45 KB of scripts, 9 KB of styles and 30 KB of page", () => {
    for (const { bytes } of all) {
      expect(bytes.script).toBeWithin(10_000, 45_000);
      expect(bytes.style).toBeWithin(1_000, 9_000);
      expect(bytes.page).toBeWithin(1_000, 30_000);
    }
  });

  browserTest("asks four times until messages are painted", () => {
    for (const { requests } of all)
      expect(requests.map((address) => address.replace(/-\w+\.|\?.*$/g, "*"))).toEqual([
        `${on.site}/`,
        `${on.site}/static/web/main*css`,
        `${on.site}/static/web/main*js`,
        `${on.site}/api/v1/messages*`,
      ]);
  });

  /*
   * The least of some loads, because whoever else uses the machine empties its caches, and the main
   * thread works longer then.
   */
  browserTest("takes the main thread at most 250 ms until messages are painted", () => {
    expect(least((load) => load.mainThreadMilliseconds)).toBeWithin(10, 250);
  });

  browserTest("leaves at most 10 MB of heap, 10,000 elements and 120 rows", () => {
    expect(least((load) => load.heapMegabytes)).toBeWithin(1, 10);
    for (const { elements, rows } of all) {
      expect(elements).toBeWithin(500, 10_000);
      expect(rows).toBeWithin(20, 121);
    }
  });
});
