import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { box, browserTest, stage, topicIn } from "../browser";
import { eventually, until } from "../waiting";

/* Texts of one tab that another tab of the person has, too. */

const on = stage();
const hourMilliseconds = 3_600_000;

interface Row {
  readonly content: string;
  readonly serverId?: number;
}

/** Entries of drafts in the storage of the browser. */
const rowsIn = (page: Page): Promise<[string, Row][]> =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => /^chatd draft \d/.test(key))
      .map((key) => [key, JSON.parse(localStorage.getItem(key) ?? "")]),
  );

const contents = async (page: Page) => (await rowsIn(page)).map(([, { content }]) => content);

browserTest("a tab that opens while another is written in stores none of its text", async () => {
  const { alice } = on.world;
  const first = await on.newTab(alice);
  // For the other tab, all that is written here is written at this moment.
  await first.clock.install({ time: Date.now() + hourMilliseconds });
  await on.openIn(first, topicIn(on, "plans"));
  await box(first).fill("We could meet on");
  await until(async () => (await contents(first)).includes("We could meet on"));
  const second = await on.newTab(alice);
  let posts = 0;
  second.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/drafts")) posts += 1;
  });
  await on.openIn(second, topicIn(on, "other"));
  const name = `chatd drafts ${alice.id}`;
  await second.evaluate((lock) => navigator.locks.request(lock, () => undefined), name);
  expect(posts).toBe(0);
  await box(first).fill("We could meet on Monday");
  await first.clock.runFor(5_000);
  const stored = async () => {
    const { drafts } = (await alice.get("/drafts")).body;
    return drafts.map(({ content }: { content: string }) => content);
  };
  await eventually(async () => expect(await stored()).toEqual(["We could meet on Monday"]));
});

browserTest("an older text that another tab has stored does not replace a newer one", async () => {
  const page = await on.open(on.world.alice, topicIn(on, "letters"));
  await box(page).fill("To the last letter");
  await until(async () => (await contents(page)).includes("To the last letter"));
  const rows = await rowsIn(page);
  const key = rows.find(([, { content }]) => content === "To the last letter")?.[0] ?? "";
  const other = await on.newTab(on.world.alice);
  await other.goto(new URL("/robots.txt", page.url()).href);
  await other.evaluate((name) => {
    const written = JSON.parse(localStorage.getItem(name) ?? "");
    const older = { ...written, content: "To the", changedAt: written.changedAt - 1 };
    localStorage.setItem(name, JSON.stringify({ ...older, serverId: 7_777 }));
  }, key);
  await until(async () =>
    (await rowsIn(page)).some(([, one]) => one.content === "To the last letter" && one.serverId),
  );
  expect(await box(page).inputValue()).toBe("To the last letter");
});
