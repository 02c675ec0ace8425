import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { breachesIn } from "../axe";
import { box, browserTest, stage, topicIn } from "../browser";
import { eventually, until } from "../waiting";

const on = stage({}, { pagesGoOn: true });

const line = (page: Page, text: string) => page.locator(".kept li").filter({ hasText: text });

type Row = {
  scheduled_message_id?: number;
  reminder_id?: number;
  content: string;
  scheduled_delivery_timestamp: number;
  failed: boolean;
};
const scheduled = async (): Promise<Row[]> =>
  (await on.world.alice.get("/scheduled_messages")).body.scheduled_messages;
const reminders = async (): Promise<Row[]> =>
  (await on.world.alice.get("/reminders")).body.reminders;

/** A moment as a field for date and time has it, in the zone of the page. */
const inField = (seconds: number) => {
  const date = new Date(seconds * 1_000);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
};

browserTest("Alice sends later what Bob sees at its time", async () => {
  const { alice, bob, clock } = on.world;
  const [hers, his] = [
    await on.open(alice, topicIn(on, "later")),
    await on.open(bob, topicIn(on, "later")),
  ];
  await hers.getByRole("button", { name: "Send later" }).click();
  await hers.getByText("Write something first.").waitFor();
  await box(hers).fill("Good **morning**");
  await hers.getByRole("button", { name: "Send later" }).click();
  expect(await breachesIn(hers, "[role=menu]")).toEqual([]);
  await hers.getByRole("menuitem", { name: /^Tomorrow morning/ }).click();
  await hers.getByText(/It will be sent:/).waitFor();
  await eventually(async () => expect(await box(hers).inputValue()).toBe(""));
  const [row] = await scheduled();
  const at = new Date((row?.scheduled_delivery_timestamp ?? 0) * 1_000);
  expect([row?.content, at.getHours(), at.getMinutes()]).toEqual(["Good **morning**", 9, 0]);
  await hers.getByRole("link", { name: /^Scheduled/ }).click();
  await line(hers, "Good **morning**").waitFor();
  await on.world.pass((row?.scheduled_delivery_timestamp ?? 0) - clock.now() + 1);
  await his.getByRole("article").filter({ hasText: "Good morning" }).locator("time").waitFor();
  await hers.getByText("Nothing is scheduled.").waitFor();
});

browserTest("a note that Alice schedules to herself comes unread", async () => {
  const { alice, clock } = on.world;
  // A page that goes on may not know yet that the server's clock has leapt.
  const page = await on.openIn(await on.newTab(alice), `#narrow/dm/${alice.id}-Alice`);
  await box(page).fill("Water the plants");
  await page.getByRole("button", { name: "Send later" }).click();
  await page.getByRole("menuitem", { name: /^Tomorrow morning/ }).click();
  await page.getByText(/It will be sent:/).waitFor();
  const [row] = await scheduled();
  await page.goto(page.url().replace(/#.*/, "#inbox"));
  await on.world.pass((row?.scheduled_delivery_timestamp ?? 0) - clock.now() + 1);
  await page.getByRole("main").getByText("1 unread").waitFor();
  await alice.post("/mark_all_as_read");
});

browserTest("what is written on while a message is being scheduled stays in the box", async () => {
  const { alice } = on.world;
  // A page that goes on may not know yet that the server's clock has leapt.
  const page = await on.openIn(await on.newTab(alice), topicIn(on, "going.20on"));
  await box(page).fill("First");
  await page.getByRole("button", { name: "Send later" }).click();
  await page.getByRole("menuitem", { name: /^Tomorrow morning/ }).waitFor();
  on.network.hold();
  await page.getByRole("menuitem", { name: /^Tomorrow morning/ }).click();
  await box(page).fill("First, and more");
  on.network.mend();
  await page.getByText(/It will be sent:/).waitFor();
  await eventually(async () => expect(await box(page).inputValue()).toBe("First, and more"));
  expect((await scheduled()).map(({ content }) => content)).toEqual(["First"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await until(async () => (await scheduled()).length === 0);
  await until(async () => (await box(page).inputValue()).includes("and more\n\nFirst"));
  await box(page).fill("");
});

/** Has answers about scheduled messages get lost on their way to the page, so many of them. */
function loseScheduled(count: number) {
  const ask = window.fetch.bind(window);
  let left = count;
  const askInVain = async (...asked: Parameters<typeof ask>) => {
    const answer = await ask(...asked);
    if (left === 0 || !answer.url.includes("/api/v1/scheduled_messages")) return answer;
    left -= 1;
    throw new TypeError("Failed to fetch");
  };
  window.fetch = Object.assign(askInVain, ask);
}

browserTest("a message is scheduled once, though the answer is lost", async () => {
  const page = await on.open(on.world.alice, topicIn(on, "once"));
  const send = async (text: string) => {
    await box(page).fill(text);
    await page.getByRole("button", { name: "Send later" }).click();
    await page.getByRole("menuitem", { name: /^Tomorrow morning/ }).click();
  };
  const isEmpty = () => until(async () => (await box(page).inputValue()) === "");
  await page.evaluate(loseScheduled, 1);
  await send("Found among them");
  await isEmpty();
  // Here they cannot be asked for either, and so the writer tries it once more.
  await page.evaluate(loseScheduled, 2);
  await send("Tried again");
  await page.getByText("Cannot reach the server.").waitFor();
  await page.getByRole("link", { name: "Scheduled 2" }).waitFor();
  await send("Tried again");
  await isEmpty();
  const contents = (await scheduled()).map(({ content }) => content);
  expect(contents).toEqual(["Found among them", "Tried again"]);
  // One that was taken back is scheduled anew.
  await page.getByRole("button", { name: "Undo" }).last().click();
  await until(async () => (await box(page).inputValue()) === "Tried again");
  await send("Tried again");
  await isEmpty();
  expect((await scheduled()).length).toBe(2);
  for (const { scheduled_message_id: id } of await scheduled())
    await on.world.alice.delete(`/scheduled_messages/${id}`);
});

browserTest("a moment of one's own, taken back, changed, deleted and brought back", async () => {
  const { alice, clock } = on.world;
  const page = await on.open(alice, topicIn(on, "own.20time"));
  const own = clock.now() + 7 * 86_400;
  const schedule = async () => {
    await page.getByRole("button", { name: "Send later" }).click();
    await page.getByRole("menuitem", { name: "Choose a date and time…" }).click();
    await page.getByLabel("Date and time").fill(inField(own));
    await page.getByRole("button", { name: "Schedule" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };
  await box(page).fill("In a week");
  await schedule();
  await page.getByRole("button", { name: "Undo" }).click();
  await until(async () => (await box(page).inputValue()) === "In a week");
  expect(await scheduled()).toEqual([]);
  await schedule();
  await page.goto(page.url().replace(/#.*/, "#scheduled"));
  await line(page, "In a week").waitFor();
  expect(await breachesIn(page)).toEqual([]);
  await page.getByRole("button", { name: "Change: In a week" }).click();
  await page.getByLabel("Text", { exact: true }).fill("In two weeks");
  await page.getByLabel("Date and time").fill(inField(clock.now() - 86_400));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  // A browser asks by itself for a moment that is to come: the dialog stays, and the text in it.
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Change: In a week" }).click();
  await eventually(async () =>
    expect(await page.getByLabel("Text", { exact: true }).inputValue()).toBe("In two weeks"),
  );
  await page.getByLabel("Date and time").fill(inField(own + 7 * 86_400));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await line(page, "In two weeks").waitFor();
  await page.getByRole("button", { name: "Delete: In two weeks" }).click();
  await page.getByText("Nothing is scheduled.").waitFor();
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
  await page.getByRole("button", { name: "Undo" }).last().click();
  await line(page, "In two weeks").waitFor();
  expect((await scheduled()).map(({ content }) => content)).toEqual(["In two weeks"]);
  await page.getByRole("button", { name: "Send now: In two weeks" }).click();
  await page.getByText("It is being sent.").waitFor();
  await on.world.pass(60);
  await page.getByText("Nothing is scheduled.").waitFor();
  await page.goto(page.url().replace(/#.*/, topicIn(on, "own.20time")));
  const row = page.getByRole("article").filter({ hasText: "In two weeks" });
  await row.locator("time").waitFor();
  await eventually(async () => expect(await row.count()).toBe(1));
});

browserTest("a scheduled message is not changed to a text that is too long", async () => {
  const { alice, clock, channels } = on.world;
  const { body } = await alice.post("/scheduled_messages", {
    type: "stream",
    to: channels.general,
    topic: "long",
    content: "Short",
    scheduled_delivery_timestamp: clock.now() + 86_400,
  });
  const page = await on.open(alice, "#scheduled");
  await page.getByRole("button", { name: "Change: Short" }).click();
  const text = page.getByLabel("Text", { exact: true });
  await text.fill("x".repeat(10_004));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("alert").getByText("Too long by 4 characters.").waitFor();
  expect((await text.inputValue()).length).toBe(10_004);
  expect((await scheduled()).map(({ content }) => content)).toEqual(["Short"]);
  await text.fill("Still short");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await line(page, "Still short").waitFor();
  expect((await alice.delete(`/scheduled_messages/${body.scheduled_message_id}`)).status).toBe(200);
});

browserTest("a form keeps what was changed in it, and follows the rest", async () => {
  const { alice, clock, channels } = on.world;
  const at = clock.now() + 3 * 86_400;
  const { body } = await alice.post("/scheduled_messages", {
    type: "stream",
    to: channels.general,
    topic: "long",
    content: "Said here",
    scheduled_delivery_timestamp: at,
  });
  const address = `/scheduled_messages/${body.scheduled_message_id}`;
  const page = await on.open(alice, "#scheduled");
  const [text, when] = [page.getByLabel("Text", { exact: true }), page.getByLabel("Date and time")];
  const open = async (content: string) => {
    await page.getByRole("button", { name: `Change: ${content}` }).click();
    await eventually(async () => expect(await text.inputValue()).toBe(content));
  };
  await open("Said here");
  await text.fill("Typed, and typed back");
  await text.fill("Said here");
  await page.keyboard.press("Escape");
  expect((await alice.patch(address, { content: "Said on the phone" })).status).toBe(200);
  await open("Said on the phone");
  const moved = inField(at + 86_400);
  await when.fill(moved);
  await page.keyboard.press("Escape");
  expect((await alice.patch(address, { content: "Said once more" })).status).toBe(200);
  await open("Said once more");
  expect(await when.inputValue()).toBe(moved);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const [row] = await scheduled();
  expect(row?.content).toBe("Said once more");
  expect(inField(row?.scheduled_delivery_timestamp ?? 0)).toBe(moved);
  expect((await alice.delete(address)).status).toBe(200);
});

browserTest("a message that could not be sent says so, and is sent after a change", async () => {
  const { alice, olga, clock, channels } = on.world;
  const { status } = await alice.post("/scheduled_messages", {
    type: "stream",
    to: channels.general,
    topic: "failing",
    content: "To a closed channel",
    scheduled_delivery_timestamp: clock.now() + 60,
  });
  expect(status).toBe(200);
  const page = await on.open(alice, "#scheduled");
  await line(page, "To a closed channel").waitFor();
  const archive = (is_archived: boolean) =>
    olga.patch(`/streams/${channels.general}`, { is_archived });
  expect((await archive(true)).status).toBe(200);
  await on.world.pass(90);
  await line(page, "To a closed channel").getByText("Not sent at its time.").waitFor();
  expect(await breachesIn(page)).toEqual([]);
  // The server's clock has leapt, of which the page learns as it begins.
  await page.reload();
  await page.getByRole("button", { name: "Send now: To a closed channel" }).click();
  await page.getByText("Channel 'general' is archived.").waitFor();
  expect((await archive(false)).status).toBe(200);
  await page.getByRole("button", { name: "Send now: To a closed channel" }).click();
  await page.getByText("It is being sent.").waitFor();
  await on.world.pass(60);
  await page.getByText("Nothing is scheduled.").waitFor();
});

browserTest("a reminder that comes while it is being changed is set once", async () => {
  const { alice, bob, clock } = on.world;
  const id = await bob.say("general", "again", "Ask once more");
  const { body } = await alice.post("/reminders", {
    message_id: id,
    scheduled_delivery_timestamp: clock.now() + 3_600,
  });
  const page = await on.open(alice, "#reminders");
  await page.getByRole("button", { name: /^Change: Ask once/ }).click();
  const later = clock.now() + 2 * 86_400;
  await page.getByLabel("Date and time").fill(inField(later));
  // It has come, or another client has deleted it.
  expect((await alice.delete(`/reminders/${body.reminder_id}`)).status).toBe(200);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const [set, ...others] = await reminders();
  expect(others).toEqual([]);
  expect(set?.scheduled_delivery_timestamp).toBeGreaterThan(clock.now() + 86_400);
  expect((await alice.delete(`/reminders/${set?.reminder_id}`)).status).toBe(200);
});

browserTest("a list of reminders follows what happens to their messages", async () => {
  const { alice, bob, clock } = on.world;
  const id = await bob.say("general", "plans", "Buy a hammock");
  const { body } = await alice.post("/reminders", {
    message_id: id,
    scheduled_delivery_timestamp: clock.now() + 3_600,
  });
  const page = await on.open(alice, "#reminders");
  await line(page, "Buy a hammock").waitFor();
  expect((await bob.patch(`/messages/${id}`, { content: "Buy a tent" })).status).toBe(200);
  await line(page, "Buy a tent").waitFor();
  expect((await on.world.olga.delete(`/messages/${id}`)).status).toBe(200);
  await line(page, "Buy a tent").waitFor({ state: "detached" });
  await line(page, "The message is gone").waitFor();
  expect((await alice.delete(`/reminders/${body.reminder_id}`)).status).toBe(200);
});

browserTest(
  "a list of reminders shows what has become of messages while events were missed",
  async () => {
    const { alice, bob, clock } = on.world;
    const id = await bob.say("general", "plans", "Buy a lantern");
    const { body } = await alice.post("/reminders", {
      message_id: id,
      scheduled_delivery_timestamp: clock.now() + 3_600,
    });
    const page = await on.open(alice, "#reminders");
    await line(page, "Buy a lantern").waitFor();
    const queue = await page.evaluate(
      () => JSON.parse(document.getElementById("snapshot")?.textContent ?? "").queue_id,
    );
    const changed = Promise.withResolvers<void>();
    await page.route("**/api/v1/register*", async (route) => {
      await changed.promise;
      await route.continue();
    });
    const asked = page.waitForRequest((request) => request.url().includes("/api/v1/register"));
    expect((await alice.delete("/events", { queue_id: queue })).status).toBe(200);
    await asked;
    expect((await bob.patch(`/messages/${id}`, { content: "Buy a torch" })).status).toBe(200);
    changed.resolve();
    await line(page, "Buy a torch").waitFor();
    expect((await alice.delete(`/reminders/${body.reminder_id}`)).status).toBe(200);
  },
);

browserTest("Alice is reminded of a message, with her note", async () => {
  const { alice, bob, clock } = on.world;
  await bob.say("general", "remind", "Please answer by <b>Friday</b>");
  const page = await on.open(alice, topicIn(on, "remind"));
  const message = page.getByRole("article").filter({ hasText: "Please answer" });
  await message.hover();
  await message.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Remind me" }).click();
  await page.getByLabel("Date and time").fill(inField(clock.now() + 86_400));
  await page.getByLabel("Note (optional)").fill("Ask @**Bob** `````about it");
  expect(await breachesIn(page, "dialog")).toEqual([]);
  await page.getByRole("button", { name: "Remind me" }).click();
  await page.getByText(/You will be reminded/).waitFor();
  await page.getByRole("link", { name: /^Reminders/ }).click();
  await line(page, "Ask @**Bob** `````about it").waitFor();
  await line(page, "Please answer by <b>Friday</b>").waitFor();
  expect(await breachesIn(page)).toEqual([]);
  const change = page.getByRole("button", { name: /^Change: Ask/ });
  await change.click();
  await eventually(async () =>
    expect(await page.getByLabel("Note (optional)").inputValue()).toBe(
      "Ask @**Bob** `````about it",
    ),
  );
  await page.getByLabel("Date and time").fill(inField(clock.now() + 2 * 86_400));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await until(async () => {
    const [first, ...others] = await reminders();
    const at = first?.scheduled_delivery_timestamp ?? 0;
    return others.length === 0 && at > clock.now() + 86_400;
  });
  const [before] = await reminders();
  await until(async () => (await line(page, "Ask @**Bob**").count()) === 1);
  await page.getByRole("button", { name: /^Delete: Ask/ }).click();
  await page.getByText("No reminders.").waitFor();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await line(page, "Ask @**Bob**").waitFor();
  const [after] = await reminders();
  expect(after?.content).toBe(before?.content ?? "");
  await on.world.pass(3 * 86_400);
  await page.getByText("No reminders.").waitFor();
});

browserTest(
  "a text that is saved is offered in the box, changed, and deleted with a way back",
  async () => {
    const { alice } = on.world;
    const page = await on.open(alice, "#snippets");
    await page.getByText("No saved texts.").waitFor();
    await page.getByRole("button", { name: "New saved text" }).click();
    await page.getByLabel("Title").fill("Greeting <script>");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "New saved text" }).click();
    await eventually(async () =>
      expect(await page.getByLabel("Title").inputValue()).toBe("Greeting <script>"),
    );
    await page.getByLabel("Text", { exact: true }).fill("Good morning,\nall of you");
    expect(await breachesIn(page, "dialog")).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await line(page, "Greeting <script>").waitFor();
    expect(await breachesIn(page)).toEqual([]);
    await page.getByRole("button", { name: "Change: Greeting" }).click();
    await page.getByLabel("Text", { exact: true }).fill("Good evening");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await line(page, "Good evening").waitFor();
    await page.getByRole("button", { name: "Delete: Greeting" }).click();
    await page.getByText("No saved texts.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await line(page, "Good evening").waitFor();
    const inTopic = await on.open(alice, topicIn(on, "greetings"));
    await box(inTopic).pressSequentially("/gre");
    await inTopic.getByRole("option", { name: /Greeting/ }).click();
    await eventually(async () => expect(await box(inTopic).inputValue()).toBe("Good evening"));
    await box(inTopic).fill("");
  },
);
