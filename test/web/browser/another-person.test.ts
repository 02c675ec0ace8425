import { expect } from "bun:test";
import type { Page, Request } from "playwright-core";
import { box, browserTest, origin, stage } from "../browser";
import { shortenWaits } from "../short-waits";
import { eventually, until } from "../waiting";

/* Another person who signs in, in another tab of the browser, before the page has heard of that. */

const on = stage();
const events = "**/api/v1/events?*";

/** Whether a request waits for events. The outbox asks by a later event whether a queue lives. */
const isPoll = (request: Request) =>
  !request.url().includes(`last_event_id=${Number.MAX_SAFE_INTEGER}`);

/** A tab of Alice's that hears of nothing, in whose browser Bob has signed in since. */
async function tabThatBobTook(topic: string) {
  const { alice, bob, channels } = on.world;
  const his = await on.open(bob);
  const page = await on.newTab(alice);
  // A text goes to the server after a tenth of a second in place of three.
  await page.addInitScript(shortenWaits, { of: 3_000, to: 100 });
  await on.openIn(page, `#narrow/channel/${channels.general}-general/topic/${topic}`);
  await page.route(events, (route) => (isPoll(route.request()) ? route.abort() : route.continue()));
  on.network.cut();
  on.network.mend();
  const herCookies = await page.context().cookies();
  await page.context().addCookies(await his.context().cookies());
  return { page, herCookies };
}

/** Waits until the page is Bob's. */
const becomesBobs = (page: Page) =>
  page.waitForSelector(`meta[name="user"][content="${on.world.bob.id}"]`, { state: "attached" });

const sendersIn = async (topic: string): Promise<string[]> => {
  const narrow = [{ operator: "topic", operand: topic }];
  const asked = { anchor: "newest", num_before: 50, num_after: 0, narrow };
  const { body } = await on.world.bob.get("/messages", asked);
  return body.messages.map((one: { sender_full_name: string }) => one.sender_full_name);
};

/** Whether a request looks for a message that may have been sent. */
const isSearch = (request: Request) =>
  request.method() === "GET" && /\/api\/v1\/messages\?.*sender/.test(request.url());

/** Lets nothing but messages tell the page that it is not Bob's. */
const tellByMessagesAlone = (page: Page) =>
  page.route(/\/api\/v1\/(typing|drafts)$/, (route) => route.abort());

browserTest("a message of hers does not go out in his name, but waits for her", async () => {
  const { page, herCookies } = await tabThatBobTook("names");
  await tellByMessagesAlone(page);
  await box(page).fill("I am Alice");
  await box(page).press("Control+Enter");
  await becomesBobs(page);
  expect(await sendersIn("names")).toEqual([]);
  await page.unroute(events);
  await page.context().addCookies(herCookies);
  await page.reload();
  await eventually(async () => expect(await sendersIn("names")).toEqual(["Alice"]));
});

browserTest("a message of hers waits, too, while her page has not gone yet", async () => {
  const { page, herCookies } = await tabThatBobTook("slow");
  await tellByMessagesAlone(page);
  const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
  await page.route(`${origin}/`, async (route) => {
    await mayGo;
    await route.continue().catch(() => undefined);
  });
  let searches = 0;
  page.on("request", (request) => {
    if (isSearch(request)) searches += 1;
  });
  await box(page).fill("I am Alice, too");
  await box(page).press("Control+Enter");
  await until(async () => searches > 1);
  go();
  await becomesBobs(page);
  await page.unroute(events);
  await page.context().addCookies(herCookies);
  await page.reload();
  await eventually(async () => expect(await sendersIn("slow")).toEqual(["Alice"]));
});

browserTest("a text of hers is no draft of his", async () => {
  const { page } = await tabThatBobTook("drafts");
  await box(page).fill("Between Alice and herself");
  await becomesBobs(page);
  await eventually(async () => expect(await box(page).inputValue()).toBe(""));
  expect((await on.world.bob.get("/drafts")).body.drafts).toEqual([]);
});
