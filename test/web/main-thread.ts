import type { Page } from "playwright-core";
import { patienceMilliseconds } from "./browser";

/**
 * The costs of a page, as the browser's own instruments tell them. Time is that which the main
 * thread was given by the machine (thread ticks), so that it does not grow while others use the
 * machine.
 */
export interface MainThread {
  /** Milliseconds that the main thread has worked since the measuring began. */
  ticks(): Promise<number>;
  /** Numbers of layouts, and of nodes of all documents, since the page was opened. */
  drawings(): Promise<{ layouts: number; nodes: number }>;
  /** Millions of bytes of live objects of JavaScript. */
  heapMegabytes(): Promise<number>;
  /** Numbers of elements and of messages in the document. */
  sizes(): Promise<{ elements: number; rows: number }>;
  /** Waits until an expression holds in the page and is painted. */
  painted(holds: string): Promise<void>;
}

/**
 * Begins to measure the main thread of a page. The page is asked by the protocol of its developer
 * tools alone, because the scripts that a test brings along otherwise would be measured with it.
 */
export async function measureMainThread(page: Page): Promise<MainThread> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const run = async (expression: string) => {
    const options = { awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression,
      ...options,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
    return result.value;
  };
  const metric = async (sought: string) => {
    const { metrics } = await session.send("Performance.getMetrics");
    const found = metrics.find(({ name }) => name === sought);
    if (!found) throw new Error(`The browser does not tell ${sought}.`);
    return found.value;
  };
  return {
    ticks: async () => (await metric("TaskDuration")) * 1_000,
    drawings: async () => ({ layouts: await metric("LayoutCount"), nodes: await metric("Nodes") }),
    async heapMegabytes() {
      await session.send("HeapProfiler.collectGarbage");
      return (await session.send("Runtime.getHeapUsage")).usedSize / 1_000_000;
    },
    sizes: () => run(sizes),
    painted: (holds) => run(painted(holds)),
  };
}

const sizes = `({
  elements: document.querySelectorAll("*").length,
  rows: document.querySelectorAll("article").length,
})`;

/** Frames are asked for at the end only, because each of them costs. */
const painted = (holds: string) => `new Promise((resolve, reject) => {
  const since = performance.now();
  const look = () => {
    if (${holds}) requestAnimationFrame(() => setTimeout(resolve));
    else if (performance.now() - since < ${patienceMilliseconds}) setTimeout(look, 10);
    else reject(new Error(${JSON.stringify(`not painted: ${holds}`)}));
  };
  look();
})`;
