import { expect } from "bun:test";
import type { Page } from "playwright-core";
import type { Person } from "../../support/world";
import { box, browserTest, origin, stage, topicIn } from "../browser";
import { shortenWaits } from "../short-waits";
import { until } from "../waiting";

/*
 * Texts and traces of somebody who signs out: removed from the browser, and back in their places.
 */

const on = stage();

const rows = (page: Page) => page.evaluate(() => Object.entries(localStorage).flat().join("\n"));

/** Opens a tab whose texts go to the server after a tenth of a second in place of three. */
async function openWriting(person: Person, fragment: string): Promise<Page> {
  const page = await on.newTab(person);
  await page.addInitScript(shortenWaits, { of: 3_000, to: 100 });
  return on.openIn(page, fragment);
}

async function drafts(person: Person): Promise<string[]> {
  const { body } = await person.get("/drafts");
  return body.drafts.map(({ content }: { content: string }) => content);
}

const isLinked = async (page: Page) => (await rows(page)).includes('"isStored":true');

async function logOut(page: Page): Promise<void> {
  await page.evaluate(() => location.assign("#settings/account"));
  await page.getByRole("button", { name: "Sign out of this browser", exact: true }).click();
}

async function signIn(page: Page, { email }: Person): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("correct-horse-battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/login"));
}

/** Waits until a page has compared its texts with those of the server. */
const hasCompared = (page: Page, { id }: Person) =>
  page.evaluate((own) => navigator.locks.request(`chatd drafts ${own}`, () => undefined), id);

browserTest(
  "a text is no left draft after a sign-in, though its page once ended early",
  async () => {
    const { bob } = on.world;
    const page = await openWriting(bob, topicIn(on, "raise"));
    // The page does not hear that the server has stored the text before it ends.
    await page.evaluate(() => {
      const ask = window.fetch.bind(window);
      const askDeaf = async (...asked: Parameters<typeof ask>) => {
        const answer = await ask(...asked);
        return answer.url.endsWith("/drafts") ? new Promise<Response>(() => undefined) : answer;
      };
      window.fetch = Object.assign(askDeaf, ask);
    });
    await box(page).fill("About a raise");
    await until(async () => (await drafts(bob)).includes("About a raise"));
    await page.reload();
    await until(() => isLinked(page));
    await logOut(page);
    await page.waitForURL(/\/login/);
    expect(await rows(page)).not.toContain("About a raise");
    await signIn(page, bob);
    await page.locator(".shell[data-whole=true]").waitFor();
    await hasCompared(page, bob);
    await page.evaluate((hash) => location.assign(hash), topicIn(on, "raise"));
    await until(async () => (await box(page).inputValue()) === "About a raise");
    expect(await drafts(bob)).toEqual(["About a raise"]);
    await box(page).fill("");
    await until(async () => (await drafts(bob)).length === 0);
  },
);

browserTest("a draft that arrives while its person signs out does not stay", async () => {
  const { carol, channels } = on.world;
  const page = await on.newTab(carol);
  // The sign-out waits as long as the test does.
  await page.addInitScript(shortenWaits, { of: 3_000, to: 60_000 });
  await on.openIn(page, "#inbox");
  await page.evaluate(() => {
    const { keys } = CacheStorage.prototype;
    CacheStorage.prototype.keys = async function (this: CacheStorage) {
      document.body.classList.add("waits");
      await new Promise((go) => addEventListener("go", go, { once: true }));
      return keys.call(this);
    };
  });
  await logOut(page);
  await page.locator("body.waits").waitFor();
  const draft = { type: "stream", to: [channels.general], topic: "phone", content: "By phone" };
  expect((await carol.post("/drafts", { drafts: [draft] })).status).toBe(200);
  await until(async () => (await rows(page)).includes("By phone"));
  await page.evaluate(() => void dispatchEvent(new Event("go")));
  await page.waitForURL(/\/login/);
  expect(await rows(page)).not.toContain("By phone");
  for (const { id } of (await carol.get("/drafts")).body.drafts)
    await carol.delete(`/drafts/${id}`);
});

browserTest(
  "a text of a channel without a topic is in its box again after a sign-out",
  async () => {
    const { mona, channels } = on.world;
    const channel = `#narrow/channel/${channels.general}-general`;
    const page = await openWriting(mona, channel);
    await box(page).fill("Where does this go?");
    await until(() => isLinked(page));
    await logOut(page);
    await page.waitForURL(/\/login/);
    await signIn(page, mona);
    await page.evaluate((hash) => location.assign(hash), channel);
    await until(async () => (await box(page).inputValue()) === "Where does this go?");
    await box(page).fill("");
    await until(async () => (await drafts(mona)).length === 0);
  },
);

browserTest("the next person's client removes what a page of the server could not", async () => {
  const { adam, alice } = on.world;
  const his = await openWriting(adam, topicIn(on, "shared"));
  await adam.say("general", "shared", "Hello");
  const article = his.getByRole("article").filter({ hasText: "Hello" });
  await article.focus();
  await his.keyboard.press("+");
  await box(his).fill("About his pay");
  await until(() => isLinked(his));
  await his.keyboard.press("Escape");
  await his.keyboard.press("/");
  await his.keyboard.type("pay rise");
  await his.keyboard.press("Enter");
  await his.waitForFunction(() => location.hash.includes("rise"));
  await his.route("**/api/v1/drafts", (route) => route.abort());
  await his.evaluate((hash) => location.assign(hash), topicIn(on, "unstored"));
  await box(his).fill("A text of one browser");
  await until(async () => (await rows(his)).includes("A text of one browser"));
  const kept = await rows(his);
  for (const one of ["About his pay", "rise", `chatd emoji ${adam.id}`])
    expect(kept).toContain(one);
  await his.goto(`${origin}/account`);
  await his.getByRole("button", { name: "Sign out of this browser", exact: true }).click();
  await his.waitForURL(/\/login/);
  expect(await rows(his)).toContain("About his pay");
  const hers = await on.newTab(alice);
  await his.context().addCookies(await hers.context().cookies());
  await on.openIn(his, "#inbox");
  await until(async () => !(await rows(his)).includes("About his pay"));
  const left = await rows(his);
  for (const one of ["rise", `chatd emoji ${adam.id}`]) expect(left).not.toContain(one);
  expect(left).toContain("A text of one browser");
});

browserTest("a text outlives that drafts are not synchronized for a while", async () => {
  const { alice } = on.world;
  const page = await openWriting(alice, topicIn(on, "on and off"));
  await box(page).fill("Mine alone");
  await until(() => isLinked(page));
  await alice.patch("/settings", { enable_drafts_synchronization: false });
  await until(async () => !(await isLinked(page)));
  expect(await drafts(alice)).toEqual([]);
  await alice.patch("/settings", { enable_drafts_synchronization: true });
  await page.reload();
  await until(async () => (await drafts(alice)).includes("Mine alone"));
  await until(async () => (await box(page).inputValue()) === "Mine alone");
  await box(page).fill("");
});
