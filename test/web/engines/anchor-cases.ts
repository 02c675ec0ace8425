import { expect, type test } from "bun:test";
import type { Person, World } from "../../support/world";
import { type Tab, untilGone, untilMessage, untilThere } from "./tab";

/** A server, and the browser in which its people open tabs. */
interface Stage {
  readonly world: World;
  readonly test: typeof test;
  open(person: Person, fragment: string): Promise<Tab>;
}

const driftMax = 1;

const text = (index: number) => `Message ${index}. ${"Words of a line. ".repeat(index % 7)}`;

/** The message that is first in view, with its distance from the top of the view. */
const firstSeen = (tab: Tab) =>
  tab.evaluate(() => {
    const feed = document.querySelector(".feed");
    const start = feed?.getBoundingClientRect().top ?? 0;
    for (const article of feed?.querySelectorAll<HTMLElement>("[data-id]") ?? []) {
      const { top, bottom } = (article.querySelector(".row") ?? article).getBoundingClientRect();
      if (bottom > start + 1) return { id: Number(article.dataset["id"]), top: top - start };
    }
    return { id: 0, top: 0 };
  });

const topOf = (tab: Tab, id: number) =>
  tab.evaluate((of) => {
    const start = document.querySelector(".feed")?.getBoundingClientRect().top ?? 0;
    const row = document.querySelector(`[data-id="${of}"] > .row`);
    if (!row) throw new Error(`Message ${of} is not drawn.`);
    return row.getBoundingClientRect().top - start;
  }, id);

/** Lets the page draw what has changed: sizes are told of when a frame is drawn, and not before. */
const drawn = (tab: Tab) =>
  tab.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))));

/** Drift of the message that is first in view, in pixels, when a change has been drawn. */
async function driftAfter(tab: Tab, change: () => Promise<unknown>): Promise<number> {
  const before = await firstSeen(tab);
  await change();
  await drawn(tab);
  return Math.abs((await topOf(tab, before.id)) - before.top);
}

/**
 * Turns the wheel and waits until the feed has come to rest, because browsers scroll smoothly. A
 * feed that is at its start moves no more.
 */
async function wheel(tab: Tab, pixels: number): Promise<void> {
  const before = await tab.evaluate(() => document.querySelector(".feed")?.scrollTop ?? 0);
  await tab.wheel(pixels);
  await tab.evaluate(async (start) => {
    const restFrames = 4;
    const framesMax = 600;
    const feed = document.querySelector(".feed");
    let top = start;
    let rested = 0;
    for (let frame = 0; rested < restFrames || (top === start && top > 0); frame += 1) {
      if (frame === framesMax) throw new Error("The wheel has moved nothing.");
      await new Promise((done) => requestAnimationFrame(done));
      const now = feed?.scrollTop ?? 0;
      rested = now === top ? rested + 1 : 0;
      top = now;
    }
  }, before);
}

/**
 * Cases in which the message that is read stays at its pixel, for a browser of any make. Answers a
 * way to have the 400 messages that they read, which are written once.
 */
export function anchorCases(on: Stage): () => Promise<readonly number[]> {
  let writing: Promise<readonly number[]> | undefined;
  const written = () => {
    writing ??= write(on);
    return writing;
  };
  const openAtEnd = async () => {
    const { bob, channels } = on.world;
    await written();
    expect((await bob.post("/mark_all_as_read")).status).toBe(200);
    const tab = await on.open(bob, `#narrow/channel/${channels.general}-general/topic/long`);
    await untilMessage(tab, "Message 390.");
    return tab;
  };
  drawingCases(on, { written, openAtEnd });
  returningCases(on, { openAtEnd });
  followingCases(on);
  return written;
}

interface Reading {
  written(): Promise<readonly number[]>;
  openAtEnd(): Promise<Tab>;
}

/** Writes what is read, and answers the ids of the messages. */
async function write({ world: { alice } }: Stage): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let index = 0; index < 400; index += 1)
    ids.push(await alice.say("general", "long", text(index)));
  return ids;
}

/** Cases in which what is drawn around the message becomes another. */
function drawingCases(on: Stage, { written, openAtEnd }: Reading): void {
  on.test(
    "going back through 400 messages keeps the place while pages come before it",
    async () => {
      const tab = await openAtEnd();
      const [oldest = 0] = (await written()).slice(5);
      let worst = 0;
      for (let round = 0; round < 60 && (await firstSeen(tab)).id > oldest; round += 1) {
        await wheel(tab, -900);
        worst = Math.max(worst, await driftAfter(tab, () => pause(tab)));
        expect(await rowsIn(tab)).toBeLessThanOrEqual(120);
      }
      expect((await firstSeen(tab)).id).toBeLessThanOrEqual(oldest);
      expect(worst).toBeLessThanOrEqual(driftMax);
    },
  );

  on.test("what comes, is edited and deleted moves nothing that is read", async () => {
    const tab = await openAtEnd();
    await wheel(tab, -900);
    const { id } = await firstSeen(tab);
    const ids = await written();
    const above = ids[ids.indexOf(id) - 3] ?? 0;
    for (const [change, make] of Object.entries(changesAbove(on, tab, above))) {
      const drift = await driftAfter(tab, make);
      expect([change, drift <= driftMax ? "stays" : drift]).toEqual([change, "stays"]);
    }
  });

  on.test(
    "the first message in view that is deleted leaves the others where they were",
    async () => {
      const tab = await openAtEnd();
      await wheel(tab, -2_000);
      const { id } = await firstSeen(tab);
      const ids = await written();
      const next = ids[ids.indexOf(id) + 1] ?? 0;
      const before = await topOf(tab, next);
      await on.world.olga.delete(`/messages/${id}`);
      await untilGone(tab, `[data-id="${id}"]`);
      expect(Math.abs((await topOf(tab, next)) - before)).toBeLessThanOrEqual(driftMax);
    },
  );
}

/** Cases in which somebody stays at the end, or goes away and comes back. */
function returningCases(on: Stage, { openAtEnd }: Pick<Reading, "openAtEnd">): void {
  on.test("at the end one stays at the end, and comes back to the pixel elsewhere", async () => {
    const { alice, bob } = on.world;
    const tab = await openAtEnd();
    for (let count = 0; count < 15; count += 1) await alice.say("general", "long", "at the end");
    const last = await alice.say("general", "long", "the very last");
    await untilThere(tab, `[data-id="${last}"]`);
    await drawn(tab);
    expect(Math.abs(await fromEnd(tab))).toBeLessThanOrEqual(driftMax);
    await wheel(tab, -1_700);
    const place = await firstSeen(tab);
    await tab.evaluate((at) => location.assign(at), `#narrow/dm/${bob.id}-Bob`);
    await untilGone(tab, `[data-id="${place.id}"]`);
    await tab.back();
    await untilThere(tab, `[data-id="${place.id}"]`);
    await drawn(tab);
    expect(Math.abs((await topOf(tab, place.id)) - place.top)).toBeLessThanOrEqual(driftMax);
  });

  on.test("a reload leads back to the pixel", async () => {
    const tab = await openAtEnd();
    await wheel(tab, -1_300);
    const place = await firstSeen(tab);
    await tab.reload();
    await untilThere(tab, `[data-id="${place.id}"]`);
    await drawn(tab);
    expect(Math.abs((await topOf(tab, place.id)) - place.top)).toBeLessThanOrEqual(driftMax);
  });
}

/** Cases in which somebody follows what comes at the end. */
function followingCases(on: Stage): void {
  const openTopic = (person: Person, topic: string) =>
    on.open(person, `#narrow/channel/${on.world.channels.general}-general/topic/${topic}`);

  on.test("unread messages whose end is in view are followed by those that come", async () => {
    const { alice, bob } = on.world;
    await alice.say("general", "short", "Unread.");
    const tab = await openTopic(bob, "short");
    await untilMessage(tab, "1 new");
    for (let count = 0; count < 30; count += 1)
      await alice.say("general", "short", `More ${count}.`);
    await untilMessage(tab, "More 29.");
    await drawn(tab);
    expect(Math.abs(await fromEnd(tab))).toBeLessThanOrEqual(driftMax);
  });

  on.test("one who has followed many messages and scrolls up keeps the place", async () => {
    const { alice, bob } = on.world;
    const tab = await openTopic(bob, "many");
    await alice.say("general", "many", text(0));
    await untilMessage(tab, "Message 0.");
    for (let count = 1; count < 160; count += 1) await alice.say("general", "many", text(count));
    await untilMessage(tab, "Message 159.");
    await drawn(tab);
    expect(Math.abs(await fromEnd(tab))).toBeLessThanOrEqual(driftMax);
    await wheel(tab, -300);
    const come = async () => {
      await alice.say("general", "many", "One more.");
      await untilMessage(tab, "One more.");
    };
    expect(await driftAfter(tab, come)).toBeLessThanOrEqual(driftMax);
  });
}

/** Changes above the message that is read, each of which waits until it is in the document. */
const changesAbove = ({ world: { alice, olga } }: Stage, tab: Tab, id: number) => ({
  edit: async () => {
    const content = `${"A longer text. ".repeat(100)} grown`;
    await alice.patch(`/messages/${id}`, { content });
    await untilMessage(tab, "grown");
  },
  deletion: async () => {
    await olga.delete(`/messages/${id}`);
    await untilGone(tab, `[data-id="${id}"]`);
  },
  arrival: async () => {
    for (let count = 0; count < 20; count += 1) await alice.say("general", "long", "arrives");
    await untilMessage(tab, "arrives");
  },
  "a narrower window": () => tab.resize(900, 720),
  "a wider window": () => tab.resize(1280, 720),
  "a late picture": () =>
    tab.evaluate(() => {
      const [first] = document.querySelectorAll<HTMLElement>(".feed [data-id] .content");
      const late = document.createElement("div");
      late.style.height = "240px";
      first?.append(late);
    }),
});

const rowsIn = (tab: Tab) =>
  tab.evaluate(() => document.querySelectorAll(".feed [data-id]").length);

/** Time in which more rows are drawn, and pages of messages come. */
const pause = (tab: Tab) => tab.evaluate(() => new Promise<void>((done) => setTimeout(done, 30)));

const fromEnd = (tab: Tab) =>
  tab.evaluate(() => {
    const feed = document.querySelector(".feed");
    if (!feed) throw new Error("There is no feed.");
    return feed.scrollHeight - feed.scrollTop - feed.clientHeight;
  });
