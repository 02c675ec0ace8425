import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { breachesIn } from "../axe";
import { browserTest, stage, topicIn } from "../browser";
import { holdAnswer } from "../held-answer";
import { eventually, until } from "../waiting";

const on = stage({}, { pagesGoOn: true });
const card = (page: Page) => page.locator(".card");

browserTest(
  "a click on a name, a picture or a mention opens the card of whom it names",
  async () => {
    const { alice, bob, carol, olga } = on.world;
    const { id } = (await olga.post("/realm/profile_fields", { name: "Site", field_type: 5 })).body;
    const data = [{ id, value: "https://example.com/carol" }];
    await carol.patch("/users/me/profile_data", { data });
    await carol.patch("/settings", { timezone: "Asia/Tokyo" });
    await carol.post("/users/me/status", { status_text: "in <b>Kyoto</b>", emoji_name: "train" });
    await bob.say("general", "cards", `@**Carol** and @_**all** went`);
    const page = await on.open(alice, topicIn(on, "cards"));
    const row = page.getByRole("article").filter({ hasText: "went" });
    await row.getByText("Bob", { exact: true }).click();
    await card(page).getByRole("heading", { name: "Bob" }).waitFor();
    await card(page).getByRole("link", { name: "general" }).waitFor();
    await page.keyboard.press("Escape");
    await card(page).waitFor({ state: "detached" });
    await row.locator(".avatar").click();
    await card(page).getByRole("heading", { name: "Bob" }).waitFor();
    await page.keyboard.press("Escape");
    await row.getByText("@Carol").click();
    await card(page).getByRole("heading", { name: "Carol" }).waitFor();
    await card(page).getByText("in <b>Kyoto</b>").waitFor();
    await card(page)
      .getByText(/there$/)
      .waitFor();
    await card(page).getByRole("link", { name: "https://example.com/carol" }).waitFor();
    expect(await breachesIn(page, ".card")).toEqual([]);
    await card(page).getByRole("link", { name: "Direct message" }).click();
    await page.getByRole("heading", { level: 1, name: "Carol" }).waitFor();
    await eventually(async () => expect(await card(page).count()).toBe(0));
  },
);

browserTest("keys reach a mention, and the menu of a message leads to its sender", async () => {
  const { alice, bob } = on.world;
  await bob.say("general", "keys", "@**Carol** and @**all** are there");
  const page = await on.open(alice, topicIn(on, "keys"));
  const row = page.getByRole("article").filter({ hasText: "are there" });
  await row.focus();
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => document.activeElement?.textContent === "@Carol");
  await page.keyboard.press("Enter");
  await card(page).getByRole("heading", { name: "Carol" }).waitFor();
  await page.keyboard.press("Escape");
  await card(page).waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.textContent === "@Carol");
  await eventually(async () =>
    expect(await row.getByRole("button", { name: "@all" }).count()).toBe(0),
  );
  await page.keyboard.press("i");
  await page.getByRole("menuitem", { name: "Profile card of the sender" }).press("Enter");
  await card(page).getByRole("heading", { name: "Bob" }).waitFor();
});

browserTest(
  "what a muted person writes is one line, which shows it when it is asked for",
  async () => {
    const { alice, bob, carol } = on.world;
    const id = await bob.say("general", "quiet", "Mine");
    const page = await on.open(bob, topicIn(on, "quiet"));
    await carol.say("general", "quiet", "Before");
    await carol.post(`/messages/${id}/reactions`, { emoji_name: "tada" });
    await page.getByText("Before", { exact: true }).waitFor();
    const reactions = page.getByRole("button", { name: /tada/ });
    await reactions.waitFor();
    expect((await bob.post(`/users/me/muted_users/${carol.id}`)).status).toBe(200);
    const line = page.getByRole("button", { name: "Message from somebody you have muted" });
    await line.waitFor();
    await reactions.waitFor({ state: "detached" });
    expect(await page.getByRole("article").getByText("Carol").count()).toBe(0);
    const after = await carol.say("general", "quiet", "After");
    await alice.say("general", "quiet", "From Alice");
    const live = page.locator("[aria-live=polite]").first();
    await eventually(async () => expect(await live.innerText()).toContain("From Alice"));
    expect(await line.count()).toBe(2);
    await line.first().click();
    await page.getByText("Before", { exact: true }).waitFor();
    expect(await page.getByText("After", { exact: true }).count()).toBe(0);
    // A key shows it, too, before another one acts on it.
    await page.locator(`article[data-id="${after}"]`).focus();
    await page.keyboard.press("+");
    await page.getByText("After", { exact: true }).waitFor();
    const isUp = page.waitForResponse((answer) => answer.url().includes("/reactions"));
    await page.keyboard.press("+");
    await isUp;
    const message = await bob.get(`/messages/${after}`);
    expect(message.body.message.reactions).toHaveLength(1);
    await page.reload();
    await line.first().waitFor();
    expect((await bob.delete(`/users/me/muted_users/${carol.id}`)).status).toBe(200);
    await page.getByText("After", { exact: true }).waitFor();
  },
);

browserTest(
  "u opens the sender's card, from which they are muted, and the focus comes back",
  async () => {
    const { alice, bob } = on.world;
    const messageId = await bob.say("general", "muting", "Hear me");
    const page = await on.open(alice, topicIn(on, "muting"));
    const row = page.locator(`article[data-id="${messageId}"]`);
    await row.focus();
    await page.keyboard.press("u");
    await card(page).getByRole("button", { name: "Mute" }).click();
    await page.getByText("You have muted Bob.").waitFor();
    await card(page).getByRole("button", { name: "Unmute" }).waitFor();
    await page.keyboard.press("Escape");
    await card(page).waitFor({ state: "detached" });
    await until(() => row.evaluate((one) => one === document.activeElement));
    await page.keyboard.press("u");
    await card(page).getByRole("button", { name: "Unmute" }).click();
    await page.getByText("You have unmuted Bob.").waitFor();
    const { body } = await alice.post("/register", { fetch_event_types: ["muted_users"] });
    expect(body.muted_users).toEqual([]);
    await card(page).getByRole("link", { name: "Find messages" }).click();
    await page.getByRole("article").filter({ hasText: "Hear me" }).waitFor();
  },
);

/** Places of a card's name and buttons. */
const placesIn = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".card h2, .card .choices > *")].map((one) => {
      const { left, top } = one.getBoundingClientRect();
      return [one.textContent, left, top];
    }),
  );

for (const [device, size] of Object.entries({
  desktop: { width: 1_280, height: 720 },
  phone: { width: 390, height: 800 },
}))
  browserTest(`an open card stays where it is when its channels come, on a ${device}`, async () => {
    const { alice, bob } = on.world;
    const names = ["anchorage", "bermuda", "caledonia", "dominica", "ecuador", "finland"];
    const subscriptions = JSON.stringify(names.map((name) => ({ name })));
    const principals = [alice.id, bob.id];
    const made = await alice.post("/users/me/subscriptions", { subscriptions, principals });
    expect(made.status).toBe(200);
    // One is shown above its message, the other below.
    for (const text of ["The first", ...Array.from("1234567"), "The last"])
      await (text === "4" ? alice : bob).say("general", `still on a ${device}`, `${text}\n\n…`);
    const page = await on.open(alice, topicIn(on, `still on a ${device}`));
    await page.setViewportSize(size);
    await page.getByRole("article").filter({ hasText: "The last" }).waitFor();
    for (const place of ["first", "last"] as const) {
      const { asked, letGo } = await holdAnswer(page, `/users/${bob.id}/channels`);
      await page.locator("header > b", { hasText: "Bob" })[place]().click();
      await asked();
      const before = await placesIn(page);
      expect(before.length).toBe(5);
      await letGo();
      await card(page).getByRole("link", { name: "finland" }).waitFor();
      expect(await placesIn(page)).toEqual(before);
      await page.keyboard.press("Escape");
      await card(page).waitFor({ state: "detached" });
    }
  });

browserTest("the card of a group lists its members, each with a card", async () => {
  const { alice, bob, olga } = on.world;
  const made = await olga.post("/user_groups/create", {
    name: "cooks",
    description: "They cook",
    members: [alice.id, bob.id],
  });
  expect(made.status).toBe(200);
  await bob.say("general", "groups", "@*cooks* soup!");
  const page = await on.open(alice, topicIn(on, "groups"));
  await page.getByText("@cooks").click();
  await card(page).getByText("2 members").waitFor();
  await card(page).getByText("They cook").waitFor();
  expect(await breachesIn(page, ".card")).toEqual([]);
  await card(page).getByRole("button", { name: "Bob" }).click();
  await card(page).getByRole("heading", { name: "Bob" }).waitFor();
});

browserTest("a mention shows the name that somebody has now", async () => {
  const { alice, bob, olga } = on.world;
  const made = { name: "bakers", description: "", members: [bob.id] };
  const { group_id: groupId } = (await olga.post("/user_groups/create", made)).body;
  await alice.say("general", "renaming", "@**Bob**, @_**Bob** and @*bakers*, of old");
  const page = await on.open(alice, topicIn(on, "renaming"));
  const row = page.getByRole("article").filter({ hasText: "of old" });
  await row.getByText("@Bob, Bob and @bakers, of old").waitFor();
  expect((await olga.patch(`/users/${bob.id}`, { full_name: "Bob & Co" })).status).toBe(200);
  expect((await olga.patch(`/user_groups/${groupId}`, { name: "cakes" })).status).toBe(200);
  await row.getByText("@Bob & Co, Bob & Co and @cakes, of old").waitFor();
  await page.reload();
  await row.getByText("@Bob & Co, Bob & Co and @cakes, of old").waitFor();
  expect((await olga.patch(`/users/${bob.id}`, { full_name: "Bob" })).status).toBe(200);
});

browserTest("a status that Alice sets is seen by Bob, and goes when she clears it", async () => {
  const { alice, bob } = on.world;
  const [page, his] = [await on.open(alice, "#inbox"), await on.open(bob, "#inbox")];
  const hers = his.locator(".side li").filter({ hasText: "Alice" });
  const openStatus = async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("set a status");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Status" }).waitFor();
  };
  await openStatus();
  await page.getByRole("textbox", { name: "Status" }).fill("baking <i>");
  await page.getByRole("radio", { name: "tada" }).check();
  expect(await breachesIn(page, "dialog")).toEqual([]);
  const another = page.getByRole("button", { name: "Another emoji" });
  await another.press("Enter");
  await page.getByRole("combobox", { name: "Search emoji" }).fill("taco");
  await page.getByRole("option", { name: "taco", selected: true }).waitFor();
  expect(await breachesIn(page, "dialog.dialog")).toEqual([]);
  // Esc closes the picker alone, and the dialog has the focus again.
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Search emoji" }).waitFor({ state: "detached" });
  await until(() => another.evaluate((one) => one === document.activeElement));
  await another.press("Enter");
  await page.getByRole("combobox", { name: "Search emoji" }).fill("taco");
  await page.getByRole("option", { name: "taco", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: "taco", checked: true }).waitFor();
  await page.keyboard.press("Escape");
  await openStatus();
  await eventually(async () =>
    expect(await page.getByRole("textbox", { name: "Status" }).inputValue()).toBe("baking <i>"),
  );
  await page.getByRole("button", { name: "Save" }).click();
  await hers.getByText("baking <i>").waitFor();
  await hers.getByText("🌮").waitFor();
  await openStatus();
  await page.getByRole("button", { name: "Clear the status" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await hers.getByText("baking <i>").waitFor({ state: "detached" });
});

browserTest("a status with an end is seen with it by Bob, and goes by itself", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "ends", "Back soon");
  const [page, his] = [await on.open(alice, "#inbox"), await on.open(bob, topicIn(on, "ends"))];
  const hers = his.locator(".side li").filter({ hasText: "Alice" });
  const openStatus = async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("set a status");
    await page.keyboard.press("Enter");
  };
  await openStatus();
  await page.getByRole("textbox", { name: "Status" }).fill("at lunch");
  await page.getByLabel("Clear it").selectOption("In an hour");
  expect(await breachesIn(page, "dialog")).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await hers.getByText("at lunch").first().waitFor();
  await his.getByRole("article").getByText("Alice", { exact: true }).click();
  await card(his)
    .getByText(/^until /)
    .waitFor();
  // The dialog opens with the moment that was chosen, and a moment that is over is refused there.
  await openStatus();
  const when = page.getByLabel("Date and time");
  expect(await when.inputValue()).not.toBe("");
  await when.evaluate((field) => field.removeAttribute("min"));
  await when.fill("2001-01-01T10:00");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Choose a time in the future.").waitFor();
  await page.getByLabel("Clear it").selectOption("In 30 minutes");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await on.world.pass(3_600);
  await hers.getByText("at lunch").first().waitFor({ state: "detached" });
});

browserTest("a status keeps the second of its end while only its text changes", async () => {
  const { bob } = on.world;
  const end = on.world.clock.now() + 2 * 3_600 + 37;
  const set = { status_text: "at lunch", scheduled_end_time: end };
  expect((await bob.post("/users/me/status", set)).status).toBe(200);
  const page = await on.open(bob, "#inbox");
  const openStatus = async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("set a status");
    await page.keyboard.press("Enter");
  };
  const text = page.getByRole("textbox", { name: "Status" });
  await openStatus();
  await text.fill("at dinner");
  const saving = page.waitForRequest("**/api/v1/users/me/status");
  await page.getByRole("button", { name: "Save" }).click();
  const saved = new URLSearchParams((await saving).postData() ?? "");
  expect(saved.get("scheduled_end_time")).toBe(String(end));
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // A form that was begun keeps its end with its text, also if the status ends meanwhile.
  await openStatus();
  const when = page.getByLabel("Date and time");
  await when.fill("2099-01-01T10:00");
  await page.keyboard.press("Escape");
  const told = page.waitForResponse(
    async (response) =>
      response.url().includes("/api/v1/events") &&
      (await response.text()).includes('"user_status"'),
  );
  expect((await bob.post("/users/me/status", { status_text: "" })).status).toBe(200);
  await told;
  await openStatus();
  expect(await when.inputValue()).toBe("2099-01-01T10:00");
  expect(await text.inputValue()).toBe("at dinner");
});

browserTest("a card that comes late takes nobody out of their text", async () => {
  const { alice, bob } = on.world;
  await bob.say("general", "late card", "Who am I?");
  // A page that has gone on would have the script of cards already.
  const page = await on.openIn(await on.newTab(alice), topicIn(on, "late card"));
  const { promise: isDue, resolve: come } = Promise.withResolvers<void>();
  await page.route("**/static/web/*.js", async (route) => {
    await isDue;
    await route.continue();
  });
  const asked = page.waitForRequest("**/static/web/*.js");
  await page.getByRole("article").filter({ hasText: "Who am I?" }).focus();
  await page.keyboard.press("u");
  const file = (await asked).url();
  const box = page.locator(".compose textarea");
  await box.focus();
  await page.keyboard.type("I go ");
  const came = page.waitForEvent("requestfinished", (request) => request.url() === file);
  come();
  await came;
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
  await page.keyboard.type("on");
  await eventually(async () => expect(await box.inputValue()).toBe("I go on"));
  expect(await card(page).count()).toBe(0);
});

browserTest("the palette leads to no bot of the server with which one has not talked", async () => {
  const { bob } = on.world;
  const page = await on.open(bob, "#inbox");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("dialog").getByRole("combobox");
  await field.fill("bo");
  await page.getByRole("option", { name: "Bob" }).waitFor();
  expect(await page.getByRole("option", { name: "Notification Bot" }).count()).toBe(0);
});
