import { expect } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { en as words } from "../../../../src/web/words/en";
import { freshFolder } from "../../../cli/chatd";
import { buildChanged } from "../../../clients/binary";
import { outcomeOf } from "../../../support/outcome";
import { browserTest } from "../../browser";
import { executableStage, topicAt } from "../../executable";
import { readKept, untilKept } from "../../kept-by-browser";
import { shortenWaits } from "../../short-waits";
import { until } from "../../waiting";

/* Files that a browser keeps of one version of the executable, when another one has taken over. */

const on = executableStage();
const slowMilliseconds = 120_000;

const newText = "The newer version is offline.";

/** Gives the client another text, so that its files, and with them its build, are others. */
function changeText(copy: string): void {
  const file = join(copy, "src/web/words/en.ts");
  const text = readFileSync(file, "utf8");
  const changed = text.replace(JSON.stringify(words.offline), JSON.stringify(newText));
  expect(changed).not.toBe(text);
  writeFileSync(file, changed);
}

/** Has pages in alice's browser begin to keep themselves without the 3 seconds of quiet before. */
async function keepAtOnce(): Promise<void> {
  const empty = await on.newPage("alice");
  await empty.context().addInitScript(shortenWaits, { of: 3_000, to: 0, most: 1 });
}

const cacheNames = (page: Page): Promise<string[]> => page.evaluate(() => caches.keys());

/**
 * Has the browser ask for the worker, as it does by itself when a page is opened or a day is over.
 */
const updateWorker = (page: Page) =>
  page.evaluate(async () => {
    const taken = new Promise((done) =>
      navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }),
    );
    await (await navigator.serviceWorker.ready).update();
    await taken;
  });

browserTest(
  "a newer version opens nothing of the one before, and then opens its own",
  async () => {
    const newer = buildChanged(freshFolder(), changeText);
    const at = await topicAt(on, "lunch");
    await on.client("olga").post("/messages", {
      type: "stream",
      to: JSON.stringify("general"),
      topic: "lunch",
      content: "Soup at noon",
    });
    await keepAtOnce();
    const page = await on.open("alice", at);
    await untilKept(page, "Soup at noon");
    const before = await cacheNames(page);
    await on.kill();
    on.replace(newer);
    await on.start();
    await updateWorker(page);
    await on.kill();
    // The worker is of the newer version now, and the state and the files that were kept are not.
    const another = await on.newPage("alice");
    expect(await outcomeOf(another.goto(`${on.site}/${at}`))).toThrow();
    await another.close();

    // A page of the older version may reload by itself, which would abort a reload of the test.
    await page.close();
    await on.start();
    const newPage = await on.open("alice", at);
    await untilKept(newPage, "Soup at noon");
    await until(async () => !(await newPage.evaluate(readKept)).includes(before.join()));
    await on.kill();
    await newPage.reload();
    await newPage.getByText(newText).waitFor();
    await newPage.getByRole("article").filter({ hasText: "Soup at noon" }).waitFor();
    expect((await cacheNames(newPage)).length).toBe(1);
  },
  slowMilliseconds,
);
