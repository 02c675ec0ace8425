import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { type Person, worldHost } from "../../support/world";
import { breachesIn } from "../axe";
import { box, browserTest, stage, topicIn } from "../browser";
import { shortenWaits } from "../short-waits";
import { eventually, until } from "../waiting";

const on = stage();

/** Opens a tab whose texts go to the server after a tenth of a second in place of three. */
async function openWriting(person: Person, fragment: string): Promise<Page> {
  const page = await on.newTab(person);
  await page.addInitScript(shortenWaits, { of: 3_000, to: 100 });
  return on.openIn(page, fragment);
}

/** Contents of the drafts that the server has of Alice. */
async function stored(): Promise<string[]> {
  const { body } = await on.world.alice.get("/drafts");
  return body.drafts.map(({ content }: { content: string }) => content);
}

async function deleteStored(): Promise<void> {
  const { body } = await on.world.alice.get("/drafts");
  for (const { id } of body.drafts) await on.world.alice.delete(`/drafts/${id}`);
}

/** Has the page not hear that the server has stored a text before it ends. */
const hearNothing = (page: Page) =>
  page.evaluate(() => {
    const ask = window.fetch.bind(window);
    const askDeaf = async (...asked: Parameters<typeof ask>) => {
      const answer = await ask(...asked);
      return answer.url.endsWith("/drafts") ? new Promise<Response>(() => undefined) : answer;
    };
    window.fetch = Object.assign(askDeaf, ask);
  });

/** Waits until the page has compared its texts with those of the server. */
const compared = (page: Page) =>
  page.evaluate(
    (own) => navigator.locks.request(`chatd drafts ${own}`, () => undefined),
    on.world.alice.id,
  );

browserTest("a text goes to the server, and is gone there when it is sent", async () => {
  const page = await openWriting(on.world.alice, topicIn(on, "plans"));
  await box(page).fill("A plan");
  await until(async () => (await stored()).includes("A plan"));
  await box(page).fill("A better plan");
  await until(async () => (await stored()).includes("A better plan"));
  expect(await stored()).toEqual(["A better plan"]);
  await box(page).press("Control+Enter");
  await until(async () => (await stored()).length === 0);
  await page.reload();
  await page.getByRole("article").filter({ hasText: "A better plan" }).waitFor();
  await eventually(async () => expect(await box(page).inputValue()).toBe(""));
});

browserTest("a text that is sent while it is stored does not come back with a reload", async () => {
  const page = await openWriting(on.world.alice, topicIn(on, "hurried"));
  await hearNothing(page);
  await box(page).fill("In a hurry");
  await until(async () => (await stored()).includes("In a hurry"));
  await box(page).press("Control+Enter");
  await page.getByRole("article").filter({ hasText: "In a hurry" }).waitFor();
  await page.reload();
  await until(async () => (await stored()).length === 0);
  await eventually(async () => expect(await box(page).inputValue()).toBe(""));
});

browserTest("a text that is stored while the page loads anew stays in its box", async () => {
  const page = await openWriting(on.world.alice, topicIn(on, "in time"));
  // The state of the new page is made before the text is stored, and no event tells of it.
  await page.route("**/api/v1/events*", (route) => void route.abort());
  const { promise: isMade, resolve: make } = Promise.withResolvers<void>();
  await page.route("**/api/v1/drafts", async (route) => {
    if (route.request().method() === "POST") await isMade;
    await route.continue();
  });
  const storing = page.waitForRequest((one) => one.url().endsWith("/drafts"));
  await box(page).fill("Just in time");
  await storing;
  // A page that loads anew answers no question of a test, but says by itself what it keeps.
  await page.evaluate(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function keep(key, row) {
      setItem.call(this, key, row);
      if (row.includes('"isStored":true')) console.info("stored");
    };
  });
  const isStored = page.waitForEvent("console", (said) => said.text() === "stored");
  await page.route(`https://${worldHost}/`, async (route) => {
    const { cookie = "" } = await route.request().allHeaders();
    const headers = { cookie, host: worldHost, "accept-encoding": "identity" };
    const answer = await fetch(on.world.site, { headers });
    const body = await answer.text();
    make();
    await isStored;
    await route.fulfill({ body, headers: Object.fromEntries(answer.headers) });
  });
  await page.reload();
  await box(page).waitFor();
  await until(async () => (await box(page).inputValue()) === "Just in time");
  await compared(page);
  await eventually(async () => expect(await box(page).inputValue()).toBe("Just in time"));
  await box(page).fill("");
  await until(async () => (await stored()).length === 0);
});

browserTest("a text that two pages have stored is one draft", async () => {
  const page = await openWriting(on.world.alice, topicIn(on, "stored twice"));
  const { promise: asked, resolve: hold } = Promise.withResolvers<string>();
  await page.route("**/api/v1/drafts", (route) => hold(route.request().postData() ?? ""), {
    times: 1,
  });
  await box(page).fill("Stored twice");
  const drafts = new URLSearchParams(await asked).get("drafts") ?? "";
  await page.reload();
  await until(async () => (await stored()).includes("Stored twice"));
  // The request of the page before arrives late.
  await on.world.alice.post("/drafts", { drafts });
  await until(async () => (await stored()).length === 1);
  expect(await box(page).inputValue()).toBe("Stored twice");
  await box(page).fill("");
  await until(async () => (await stored()).length === 0);
});

browserTest("a text that the server refuses keeps no other one in the browser", async () => {
  const { alice, olga, channels } = on.world;
  const page = await openWriting(alice, "#feed");
  // Nothing is stored before the channel is out of reach.
  await page.route("**/api/v1/drafts", (route) => route.abort());
  const write = async (fragment: string, text: string) => {
    await on.openIn(page, fragment);
    await box(page).fill(text);
  };
  const names = ["first", "second", "third", "fourth"];
  // Browsers keep texts in an order of their own, so that one of these is before another one.
  for (const name of names) {
    await write(topicIn(on, name), name);
    await write(`#narrow/channel/${channels.secret}-secret/topic/${name}`, "Out of reach");
  }
  const removed = { subscriptions: JSON.stringify(["secret"]), principals: [alice.id] };
  expect((await olga.delete("/users/me/subscriptions", removed)).status).toBe(200);
  await page.unroute("**/api/v1/drafts");
  await page.reload();
  await eventually(async () => expect((await stored()).toSorted()).toEqual(names.toSorted()));
  await deleteStored();
});

browserTest("a text that is too long for the server stays whole in the browser", async () => {
  const page = await openWriting(on.world.alice, topicIn(on, "long"));
  const long = "word ".repeat(2_100);
  await box(page).fill(long);
  await on.openIn(page, topicIn(on, "short"));
  await box(page).fill("A short one");
  await until(async () => (await stored()).length > 0);
  expect(await stored()).toEqual(["A short one"]);
  await page.reload();
  await on.openIn(page, topicIn(on, "long"));
  await eventually(async () => expect(await box(page).inputValue()).toBe(long));
  await deleteStored();
});

/** Topics of the drafts that the server has of Alice. */
async function topics(): Promise<string[]> {
  const { body } = await on.world.alice.get("/drafts");
  return body.drafts.map((draft: { topic: string }) => draft.topic);
}

browserTest("a text whose recipient changes while it is stored is stored once more", async () => {
  const { alice } = on.world;
  const page = await openWriting(alice, "#feed");
  const { promise: isHeld, resolve: go } = Promise.withResolvers<void>();
  await page.route(
    "**/api/v1/drafts",
    async (route) => {
      await isHeld;
      await route.continue();
    },
    { times: 1 },
  );
  await page.keyboard.press("c");
  const { promise: wait, resolve: asked } = Promise.withResolvers<void>();
  page.on("request", (request) => request.url().endsWith("/drafts") && asked());
  await box(page).fill("For whom?");
  await wait;
  await page.getByLabel("Channel", { exact: true }).selectOption("general");
  await page.getByRole("combobox", { name: "Topic" }).fill("chosen");
  go();
  await until(async () => (await topics()).includes("chosen"));
  await box(page).fill("");
  await until(async () => (await stored()).length === 0);
});

browserTest("without locks, too, a text that goes on while it is stored is one draft", async () => {
  const page = await openWriting(on.world.alice, topicIn(on, "slowly"));
  await page.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, "locks");
    const ask = window.fetch.bind(window);
    let isHeld = false;
    const askSlowly = async (...asked: Parameters<typeof ask>) => {
      const answer = await ask(...asked);
      if (!isHeld && answer.url.endsWith("/drafts")) {
        isHeld = true;
        await new Promise((go) => addEventListener("answer", go, { once: true }));
      }
      return answer;
    };
    window.fetch = Object.assign(askSlowly, ask);
  });
  await page.reload();
  expect(await page.evaluate(() => "locks" in navigator)).toBe(false);
  const heard = page.waitForResponse(
    async (response) =>
      response.url().includes("/api/v1/events?") && (await response.text()).includes('"drafts"'),
  );
  await box(page).fill("A thought");
  await until(async () => (await stored()).includes("A thought"));
  await box(page).fill("A thought that goes on");
  await heard;
  await page.evaluate(() => dispatchEvent(new Event("answer")));
  await until(async () => (await stored()).includes("A thought that goes on"));
  expect(await stored()).toEqual(["A thought that goes on"]);
  const keys = await page.evaluate(() => Object.keys(localStorage));
  expect(keys.filter((key) => /^chatd draft \d/.test(key))).toHaveLength(1);
  await box(page).press("Control+Enter");
  await until(async () => (await stored()).length === 0);
});

browserTest(
  "a draft of another client is there, is edited, and deleted with a way back",
  async () => {
    const { alice, channels } = on.world;
    const page = await openWriting(alice, "#drafts");
    await page.getByText("No drafts.").waitFor();
    const draft = {
      type: "stream",
      to: [channels.general],
      topic: "phone",
      content: "From the **phone**",
    };
    expect((await alice.post("/drafts", { drafts: [draft] })).status).toBe(200);
    const line = page.getByRole("listitem").filter({ hasText: "From the **phone**" });
    await line.waitFor();
    expect(await breachesIn(page)).toEqual([]);
    await line.getByRole("button", { name: "Delete draft" }).click();
    await page.getByText("No drafts.").waitFor();
    await until(async () => (await stored()).length === 0);
    await page.getByRole("button", { name: "Undo" }).click();
    await line.waitFor();
    await line.getByText("From the **phone**").click();
    await until(async () => (await box(page).inputValue()) === "From the **phone**");
    expect(page.url()).toContain("topic/phone");
    await box(page).fill("");
    await until(async () => (await stored()).length === 0);
  },
);

browserTest("a topic that is moved takes its text and the writer along", async () => {
  const { alice, olga } = on.world;
  const id = await olga.say("general", "old name", "First");
  const page = await openWriting(alice, topicIn(on, "old.20name"));
  await box(page).pressSequentially("Half a sentence");
  const { status } = await olga.patch(`/messages/${id}`, {
    topic: "new name",
    propagate_mode: "change_all",
  });
  expect(status).toBe(200);
  await page.waitForURL(/new.20name/);
  await page.keyboard.type(", and its end");
  await eventually(async () =>
    expect(await box(page).inputValue()).toBe("Half a sentence, and its end"),
  );
  await box(page).press("Control+Enter");
  await page.getByRole("article").filter({ hasText: "and its end" }).locator("time").waitFor();
});

browserTest(
  "two people who are typing go on where they were after the server was gone",
  async () => {
    const { alice, bob } = on.world;
    const [hers, his] = [
      await openWriting(alice, topicIn(on, "crash")),
      await openWriting(bob, topicIn(on, "crash")),
    ];
    await box(hers).pressSequentially("Hers, be");
    await box(his).pressSequentially("His, be");
    on.network.cut();
    await on.world.restart();
    await box(hers).pressSequentially("fore and after");
    await box(his).pressSequentially("fore and after");
    await box(hers).press("Control+Enter");
    on.network.mend();
    await box(his).press("Control+Enter");
    for (const page of [hers, his])
      for (const text of ["Hers, before and after", "His, before and after"]) {
        const row = page.getByRole("article").filter({ hasText: text });
        await row.locator("time").waitFor();
        await eventually(async () => expect(await row.count()).toBe(1));
      }
  },
);

browserTest("a text for people who are still to be chosen opens from the drafts", async () => {
  const page = await openWriting(on.world.alice, "#feed");
  const people = page.getByRole("combobox", { name: "People" });
  await page.getByRole("button", { name: "New direct message" }).click();
  await people.waitFor();
  await box(page).fill("To whom?");
  await page.goto("https://chat.example.com/#drafts");
  await page.reload();
  await page.getByRole("button", { name: "To whom?" }).click();
  await people.waitFor();
  await eventually(async () => expect(await box(page).inputValue()).toBe("To whom?"));
  await box(page).fill("");
  await until(async () => !(await stored()).includes("To whom?"));
});

browserTest("a text for nobody yet that is stored while its page ends is one draft", async () => {
  const page = await openWriting(on.world.alice, "#feed");
  await page.getByRole("button", { name: "New direct message" }).click();
  await page.getByRole("combobox", { name: "People" }).waitFor();
  await hearNothing(page);
  await box(page).fill("For nobody yet");
  await until(async () => (await stored()).includes("For nobody yet"));
  await page.goto("https://chat.example.com/#drafts");
  await page.reload();
  const line = page.getByRole("button", { name: "For nobody yet" });
  await line.first().waitFor();
  await compared(page);
  const ofIt = async () => (await stored()).filter((text) => text === "For nobody yet");
  expect([await line.count(), await ofIt()]).toEqual([1, ["For nobody yet"]]);
  await line.click();
  await box(page).fill("");
  await until(async () => (await ofIt()).length === 0);
});

browserTest("a draft that comes back stands beside what was written since", async () => {
  const page = await openWriting(on.world.alice, topicIn(on, "undo"));
  await box(page).fill("The first thought");
  await page.goto("https://chat.example.com/#drafts");
  const line = page.getByRole("listitem").filter({ hasText: "The first thought" });
  await line.getByRole("button", { name: "Delete draft" }).click();
  await line.waitFor({ state: "detached" });
  await page.goto(`https://chat.example.com/${topicIn(on, "undo")}`);
  await box(page).fill("Another thought");
  await page.getByRole("button", { name: "Undo" }).click();
  await until(async () => (await box(page).inputValue()) !== "Another thought");
  await eventually(async () =>
    expect(await box(page).inputValue()).toBe("Another thought\n\nThe first thought"),
  );
  await box(page).fill("");
});

browserTest("a key in a text that the server has writes nothing by itself", async () => {
  const page = await openWriting(on.world.alice, topicIn(on, "keys"));
  await box(page).fill("Kept");
  await until(async () => (await stored()).includes("Kept"));
  const writes = await box(page).evaluate((field) => {
    let count = 0;
    const keep = Storage.prototype.setItem;
    Storage.prototype.setItem = function (...row) {
      count += 1;
      keep.apply(this, row);
    };
    if (!(field instanceof HTMLTextAreaElement)) throw new Error("There is no text.");
    for (const letter of "quickly") {
      field.value += letter;
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
    Storage.prototype.setItem = keep;
    return count;
  });
  expect(writes).toBe(0);
  await until(async () => (await stored()).includes("Keptquickly"));
  await box(page).fill("");
  await until(async () => !(await stored()).includes("Keptquickly"));
});

browserTest("a text for which the browser has no room goes to the server", async () => {
  const page = await openWriting(on.world.alice, topicIn(on, "full"));
  await box(page).fill("Fits");
  await until(async () => (await stored()).includes("Fits"));
  await page.evaluate(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function keep(key, row) {
      if (key.startsWith("chatd draft ")) throw new DOMException("Full", "QuotaExceededError");
      setItem.call(this, key, row);
    };
  });
  await box(page).fill("Fits no more");
  await until(async () => (await stored()).includes("Fits no more"));
  await eventually(async () => expect(await box(page).inputValue()).toBe("Fits no more"));
  await box(page).fill("");
  await until(async () => !(await stored()).includes("Fits no more"));
});

browserTest("a text outlives the end of the session", async () => {
  const { alice, operator } = on.world;
  const { endSessions } = await import("../../../src/sign-in/sessions");
  const page = await openWriting(alice, topicIn(on, "plans"));
  await box(page).fill("Before I was signed out");
  await endSessions(operator, alice.id);
  await page.waitForURL(/\/login/);
  await page.getByText("Your session has ended.").waitFor();
  await page.getByLabel("E-mail").fill(alice.email);
  await page.getByLabel("Password").fill("correct-horse-battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await until(async () => (await box(page).inputValue()) === "Before I was signed out");
  await box(page).press("Control+Enter");
  const row = page.getByRole("article").filter({ hasText: "Before I was signed out" });
  await row.locator("time").waitFor();
  await eventually(async () => expect(await row.count()).toBe(1));
});

browserTest("who signs out leaves only texts in the browser that the server lacks", async () => {
  const { bob } = on.world;
  const page = await openWriting(bob, topicIn(on, "shared"));
  const storing = page.waitForResponse("**/api/v1/drafts");
  await box(page).fill("About his pay");
  await storing;
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.type("pay rise");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.includes("rise"));
  await page.evaluate((hash) => location.assign(hash), topicIn(on, "unstored"));
  await page.route("**/api/v1/drafts", (route) => route.abort());
  await box(page).fill("A text of one browser");
  await page.evaluate(() => location.assign("#settings/account"));
  const rows = () => page.evaluate(() => Object.values(localStorage).join());
  await until(async () => (await rows()).includes("A text of one browser"));
  expect(await rows()).toContain("About his pay");
  expect(await rows()).toContain("rise");
  await page.getByRole("button", { name: "Sign out of this browser", exact: true }).click();
  await page.waitForURL(/\/login/);
  expect(await rows()).toContain("A text of one browser");
  expect(await rows()).not.toContain("About his pay");
  expect(await rows()).not.toContain("rise");
  await page.unroute("**/api/v1/drafts");
  await page.getByLabel("E-mail").fill(bob.email);
  await page.getByLabel("Password").fill("correct-horse-battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/login"));
  for (const [name, text] of [
    ["shared", "About his pay"],
    ["unstored", "A text of one browser"],
  ] as const) {
    await page.evaluate((hash) => location.assign(hash), topicIn(on, name));
    await until(async () => (await box(page).inputValue()) === text);
  }
});
