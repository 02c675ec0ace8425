import { beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { browserTest, stage } from "../browser";

const on = stage();
const ids: number[] = [];

const text = (index: number) => `Message ${index}. ${"Words of a line. ".repeat(index % 7)}`;

beforeAll(async () => {
  for (let index = 0; index < 400; index += 1)
    ids.push(await on.world.alice.say("general", "long", text(index)));
  await on.world.bob.post("/mark_all_as_read");
}, 60_000);

/** The message that is first in view, with its distance from the top of the view. */
const firstSeen = (page: Page) =>
  page.evaluate(() => {
    const feed = document.querySelector(".feed");
    const start = feed?.getBoundingClientRect().top ?? 0;
    for (const article of feed?.querySelectorAll<HTMLElement>("[data-id]") ?? []) {
      const { top, bottom } = (article.querySelector(".row") ?? article).getBoundingClientRect();
      if (bottom > start + 1) return { id: Number(article.dataset["id"]), top: top - start };
    }
    return { id: 0, top: 0 };
  });

const topOf = (page: Page, id: number) =>
  page.evaluate((of) => {
    const start = document.querySelector(".feed")?.getBoundingClientRect().top ?? 0;
    const row = document.querySelector(`[data-id="${of}"] > .row`);
    return (row?.getBoundingClientRect().top ?? Number.NaN) - start;
  }, id);

/** Drift of the message that is first in view, in pixels, when a change has been drawn. */
async function driftAfter(page: Page, change: () => Promise<unknown>): Promise<number> {
  const before = await firstSeen(page);
  await change();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  return Math.abs((await topOf(page, before.id)) - before.top);
}

const rowsIn = (page: Page) => page.locator(".feed [data-id]").count();
const row = (page: Page, content: string) =>
  page.getByRole("article").filter({ hasText: content }).first();

async function wheel(page: Page, pixels: number): Promise<void> {
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, pixels);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

async function openAtEnd(): Promise<Page> {
  const { bob, channels } = on.world;
  expect((await bob.post("/mark_all_as_read")).status).toBe(200);
  const page = await on.open(bob, `#narrow/channel/${channels.general}-general/topic/long`);
  await row(page, "Message 390.").waitFor();
  return page;
}

browserTest(
  "going back through 400 messages keeps the place while pages come before it",
  async () => {
    const page = await openAtEnd();
    let worst = 0;
    for (let round = 0; round < 60 && (await firstSeen(page)).id > (ids[5] ?? 0); round += 1) {
      await wheel(page, -900);
      worst = Math.max(worst, await driftAfter(page, () => page.waitForTimeout(30)));
      expect(await rowsIn(page)).toBeLessThanOrEqual(120);
    }
    expect((await firstSeen(page)).id).toBeLessThanOrEqual(ids[5] ?? 0);
    expect(worst).toBeLessThanOrEqual(1);
  },
);

browserTest("what comes, is edited and deleted moves nothing that is read", async () => {
  const { alice, olga } = on.world;
  const page = await openAtEnd();
  await wheel(page, -900);
  const { id } = await firstSeen(page);
  const above = ids[ids.indexOf(id) - 3] ?? 0;
  const words = `${"A longer text. ".repeat(100)} grown`;
  const drifts = {
    edited: await driftAfter(page, async () => {
      await alice.patch(`/messages/${above}`, { content: words });
      await page.locator(`[data-id="${above}"]`, { hasText: "grown" }).waitFor();
    }),
    deleted: await driftAfter(page, async () => {
      await olga.delete(`/messages/${above}`);
      await page.locator(`[data-id="${above}"]`).waitFor({ state: "detached" });
    }),
    arrived: await driftAfter(page, async () => {
      for (let count = 0; count < 20; count += 1) await alice.say("general", "long", "arrives");
      await row(page, "arrives").waitFor({ state: "attached" });
    }),
    narrower: await driftAfter(page, () => page.setViewportSize({ width: 900, height: 720 })),
    wider: await driftAfter(page, () => page.setViewportSize({ width: 1280, height: 720 })),
    picture: await driftAfter(page, () =>
      page.evaluate(() => {
        const [first] = document.querySelectorAll<HTMLElement>(".feed [data-id] .content");
        const late = document.createElement("div");
        late.style.height = "240px";
        first?.append(late);
      }),
    ),
  };
  for (const [what, drift] of Object.entries(drifts)) {
    expect([what, drift <= 1]).toEqual([what, true]);
  }
});

browserTest(
  "the first message in view that is deleted leaves the others where they were",
  async () => {
    const { olga } = on.world;
    const page = await openAtEnd();
    await wheel(page, -2_000);
    const { id } = await firstSeen(page);
    const next = ids[ids.indexOf(id) + 1] ?? 0;
    const before = await topOf(page, next);
    await olga.delete(`/messages/${id}`);
    await page.locator(`[data-id="${id}"]`).waitFor({ state: "detached" });
    expect(Math.abs((await topOf(page, next)) - before)).toBeLessThanOrEqual(1);
  },
);

/** Pixels between the end of the view and that of the messages. */
const fromEnd = (page: Page) =>
  page.evaluate(() => {
    const feed = document.querySelector(".feed");
    return feed ? feed.scrollHeight - feed.scrollTop - feed.clientHeight : Number.NaN;
  });

browserTest("at the end one stays at the end, and comes back to the pixel elsewhere", async () => {
  const { alice, bob } = on.world;
  const page = await openAtEnd();
  for (let count = 0; count < 15; count += 1) await alice.say("general", "long", "at the end");
  const last = await alice.say("general", "long", "the very last");
  await page.locator(`[data-id="${last}"]`).waitFor();
  expect(Math.abs(await fromEnd(page))).toBeLessThanOrEqual(1);
  await wheel(page, -1_700);
  const place = await firstSeen(page);
  await page.evaluate((at) => location.assign(at), `#narrow/dm/${bob.id}-Bob`);
  await page.locator(`[data-id="${place.id}"]`).waitFor({ state: "detached" });
  await page.goBack();
  await page.locator(`[data-id="${place.id}"]`).waitFor();
  expect(Math.abs((await topOf(page, place.id)) - place.top)).toBeLessThanOrEqual(1);
});

browserTest("a reload leads back to the pixel", async () => {
  const page = await openAtEnd();
  await wheel(page, -1_300);
  const place = await firstSeen(page);
  await page.reload();
  await page.locator(`[data-id="${place.id}"]`).waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  expect(Math.abs((await topOf(page, place.id)) - place.top)).toBeLessThanOrEqual(1);
});

browserTest("what is unread begins below a line that stays where it was on entry", async () => {
  const { alice, carol, channels } = on.world;
  for (let count = 0; count < 3; count += 1) await alice.say("general", "news", `new ${count}`);
  const page = await on.open(carol, `#narrow/channel/${channels.general}-general/topic/news`);
  await page.getByText("3 new", { exact: true }).waitFor();
  await alice.say("general", "news", "one more");
  await row(page, "one more").waitFor();
  await page.getByText("3 new", { exact: true }).waitFor();
});

browserTest("unread messages whose end is in view are followed by those that come", async () => {
  const { alice, carol, channels } = on.world;
  await alice.say("general", "short", "Unread.");
  const page = await on.open(carol, `#narrow/channel/${channels.general}-general/topic/short`);
  await page.getByText("1 new", { exact: true }).waitFor();
  for (let count = 0; count < 30; count += 1) await alice.say("general", "short", `More ${count}.`);
  await row(page, "More 29.").waitFor();
  expect(Math.abs(await fromEnd(page))).toBeLessThanOrEqual(1);
});

browserTest(
  "who has followed many messages at the end and scrolls up keeps their place",
  async () => {
    const { alice, bob, channels } = on.world;
    const page = await on.open(bob, `#narrow/channel/${channels.general}-general/topic/many`);
    for (let count = 0; count < 160; count += 1) await alice.say("general", "many", text(count));
    await row(page, "Message 159.").waitFor();
    await wheel(page, -300);
    const come = async () => {
      await alice.say("general", "many", "One more.");
      await row(page, "One more.").waitFor();
    };
    expect(await driftAfter(page, come)).toBeLessThanOrEqual(1);
  },
);

browserTest("one click leads back to the newest message, from wherever one reads", async () => {
  const { bob, channels } = on.world;
  const near = `#narrow/channel/${channels.general}-general/topic/long/near/${ids[10]}`;
  const page = await on.open(bob, near);
  await row(page, "Message 10.").waitFor();
  await page.getByRole("button", { name: "To the newest message" }).click();
  await row(page, "the very last").waitFor();
  await page.getByRole("button", { name: "To the newest message" }).waitFor({ state: "detached" });
  await wheel(page, -4_000);
  await page.getByRole("button", { name: "To the newest message" }).click();
  await row(page, "the very last").waitFor();
});
