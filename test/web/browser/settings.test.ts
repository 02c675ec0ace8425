import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { createLoginLink } from "../../../src/sign-in/login-links";
import { Browser } from "../../support/browser";
import { breachesIn } from "../axe";
import { browserTest, stage } from "../browser";
import { eventually } from "../waiting";

const on = stage({}, { pagesGoOn: true });
const slowMilliseconds = 120_000;

const open = (section: string) => on.open(on.world.alice, `#settings/${section}`);
const settingsOf = async (person: typeof on.world.alice) => {
  const { body } = await person.post("/register", { fetch_event_types: ["user_settings"] });
  return body.user_settings;
};

/** The line of a control, with the words that tell how its change went. */
const line = (page: Page, label: string) => page.locator(".setting").filter({ hasText: label });
const saved = (page: Page, label: string) => line(page, label).getByText("Saved").waitFor();

browserTest(
  "every section opens from the list and from the palette, without a barrier that axe finds",
  async () => {
    const page = await open("profile");
    const list = page.getByRole("navigation", { name: "Settings" });
    await list.getByRole("link", { name: "Export" }).waitFor();
    for (const link of await list.getByRole("link").all()) {
      await link.click();
      const name = await link.innerText();
      await page.getByRole("heading", { level: 2, name }).waitFor();
      expect(await breachesIn(page)).toEqual([]);
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("alert wo");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 2, name: "Alert words" }).waitFor();
  },
  slowMilliseconds,
);

browserTest("a choice is saved by itself, and another tab follows it", async () => {
  const [page, other] = [await open("appearance"), await open("appearance")];
  await page.getByLabel("Theme").selectOption("Dark");
  await saved(page, "Theme");
  await other.locator(":root[data-theme=dark]").waitFor();
  await eventually(async () => expect(await other.getByLabel("Theme").inputValue()).toBe("2"));
  await page.getByLabel("Text size").selectOption("Larger");
  await saved(page, "Text size");
  const size = () => other.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  await other.waitForFunction(() => document.documentElement.style.fontSize !== "");
  await eventually(async () => expect(await size()).toBe("20px"));
  const { color_scheme, web_font_size_px } = await settingsOf(on.world.alice);
  expect([color_scheme, web_font_size_px]).toEqual([2, 20]);
  await page.getByLabel("Theme").selectOption("Like the system");
  await page.getByLabel("Text size").selectOption("Medium");
  await other.waitForFunction(() => document.documentElement.style.fontSize === "");
});

browserTest("lines stand denser in each tab of who wants it", async () => {
  const { alice, bob } = on.world;
  await bob.say("general", "density", "a line\n".repeat(20));
  const [page, other] = [
    await open("appearance"),
    await on.open(alice, `#narrow/channel/${on.world.channels.general}-general/topic/density`),
  ];
  const height = () => other.locator("article .rendered").evaluate((text) => text.clientHeight);
  await other.locator("article .rendered").waitFor();
  const heights: number[] = [];
  for (const choice of ["Widest", "Dense"]) {
    const before = await height();
    await page.getByLabel("Line spacing").selectOption(choice);
    await saved(page, "Line spacing");
    await eventually(async () => expect(await height()).not.toBe(before));
    heights.push(await height());
  }
  const [widest = 0, dense = 0] = heights;
  expect(dense / widest).toBeCloseTo(122 / 180, 1);
});

browserTest("a change that the server does not get says so, and is put back", async () => {
  const page = await open("reading");
  const enter = page.getByLabel("Enter sends the message");
  const before = await enter.isChecked();
  on.network.cut();
  await enter.click();
  await line(page, "Enter sends").getByText("Cannot reach the server").waitFor();
  await eventually(async () => expect(await enter.isChecked()).toBe(before));
  on.network.mend();
  await enter.click();
  await saved(page, "Enter sends");
  expect((await settingsOf(on.world.alice)).enter_sends).toBe(!before);
});

browserTest("a name that is typed is kept until it is saved, and Bob sees it then", async () => {
  const { alice, bob } = on.world;
  const [page, his] = [await open("profile"), await on.open(bob, "#inbox")];
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Alice <script> ‮Weiß");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Appearance" }).click();
  await page.getByLabel("Theme").waitFor();
  await page.reload();
  await page.getByRole("link", { name: "Profile" }).click();
  await eventually(async () => expect(await name.inputValue()).toBe("Alice <script> ‮Weiß"));
  await page.getByRole("button", { name: "Save: Name" }).click();
  await line(page, "Name").locator(".refused").waitFor();
  await name.fill("Alice Weiß");
  await page.keyboard.press("Enter");
  await saved(page, "Name");
  await his.locator(".side .name").filter({ hasText: "Alice Weiß" }).waitFor();
  await eventually(async () =>
    expect(await page.getByRole("button", { name: "Save: Name" }).count()).toBe(0),
  );
  expect((await alice.get("/users/me")).body.full_name).toBe("Alice Weiß");
  // A text that was typed and typed back is not kept.
  await name.press("End");
  await name.press("x");
  await page.getByRole("button", { name: "Save: Name" }).waitFor();
  await name.press("Backspace");
  expect((await alice.patch("/settings", { full_name: "Alice" })).status).toBe(200);
  await page.waitForFunction(() => document.querySelector("input")?.value === "Alice");
});

/** A picture of some colours, as a file that somebody chooses. */
const pictureFile = async (page: Page) => {
  const address = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 90, height: 60 });
    const context = canvas.getContext("2d");
    if (context) {
      context.fillStyle = "red";
      context.fillRect(0, 0, 45, 60);
      context.fillStyle = "blue";
      context.fillRect(45, 0, 45, 60);
    }
    return canvas.toDataURL("image/png");
  });
  const buffer = Buffer.from(address.replace(/^.*,/, ""), "base64");
  return { name: "me.png", mimeType: "image/png", buffer };
};

browserTest("Alice cuts her picture out of a larger one by keys, and Bob sees it", async () => {
  const { bob } = on.world;
  const [page, his] = [await open("profile"), await on.open(bob, "#inbox")];
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a picture" }).click();
  await (await choosing).setFiles(await pictureFile(page));
  const area = page.getByRole("img", { name: /Drag the picture/ });
  await area.focus();
  // In the middle are both colours; farther to the left is red alone.
  await page.getByLabel("Zoom").fill("2");
  await area.focus();
  for (let press = 0; press < 20; press += 1) await page.keyboard.press("ArrowRight");
  expect(await breachesIn(page, "dialog")).toEqual([]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const shown = his.locator(".side li").filter({ hasText: "Alice" }).locator("img.avatar");
  await shown.waitFor();
  const colour = await shown.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 9, height: 9 });
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0, 9, 9);
    return [...(context?.getImageData(8, 4, 1, 1).data ?? [])];
  });
  expect(colour[0]).toBeGreaterThan(200);
  expect(colour[2]).toBeLessThan(60);
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByText("Picture removed.").waitFor();
  await shown.waitFor({ state: "detached" });
});

browserTest("a file that is no picture is not taken", async () => {
  const page = await open("profile");
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a picture" }).click();
  const buffer = Buffer.from("<svg onload=alert(1)>");
  await (await choosing).setFiles({ name: "me.png", mimeType: "image/png", buffer });
  await page.getByText("This browser cannot read that file as a picture.").waitFor();
});

browserTest("answers to the organization's questions, each by its kind", async () => {
  const { alice, bob, olga } = on.world;
  const made = async (field: Parameters<typeof olga.post>[1]): Promise<number> =>
    (await olga.post("/realm/profile_fields", field)).body.id;
  const choices = { a: { text: "Tea", order: "1" }, b: { text: "Coffee", order: "2" } };
  const drink = await made({ name: "Drink", field_type: 3, field_data: choices });
  const team = await made({ name: "Mentor", field_type: 6 });
  const about = await made({ name: "About", field_type: 2, hint: "A few words" });
  const page = await open("profile");
  await page.getByLabel("Drink").selectOption("Coffee");
  await saved(page, "Drink");
  await page.getByLabel("Add somebody: Mentor").fill("bo");
  await page.getByRole("button", { name: "Bob" }).click();
  await page.getByRole("button", { name: "Remove Bob" }).waitFor();
  await page.getByLabel("About").fill("I like **bread**");
  await page.getByRole("button", { name: "Save: About" }).click();
  await saved(page, "About");
  expect(await breachesIn(page)).toEqual([]);
  const { body } = await alice.get("/users/me");
  const answers = [drink, team, about].map((id) => body.profile_data[id]?.value);
  expect(answers).toEqual(["b", `[${bob.id}]`, "I like **bread**"]);
  await page.getByLabel("Add somebody: Mentor").fill("car");
  await page.getByRole("button", { name: "Carol" }).click();
  await page.getByRole("button", { name: "Remove Carol" }).waitFor();
  on.network.hold();
  for (const name of ["Remove Bob", "Remove Carol"])
    await page.getByRole("button", { name }).click();
  on.network.mend();
  const mentors = async () => (await alice.get("/users/me")).body.profile_data[team]?.value;
  await eventually(async () => expect([undefined, "[]"]).toContain(await mentors()));
  await eventually(async () =>
    expect(await page.getByRole("button", { name: /^Remove / }).count()).toBe(0),
  );
});

browserTest("muted people and topics, and alert words, come and go as events tell", async () => {
  const { alice, bob, channels } = on.world;
  const page = await open("muted");
  await page.getByText("Nothing is muted.").waitFor();
  await alice.post(`/users/me/muted_users/${bob.id}`, {});
  const topic = { stream_id: channels.general, topic: "lunch", visibility_policy: 1 };
  await alice.post("/user_topics", topic);
  await page.getByRole("button", { name: "Unmute: Bob" }).click();
  await page.getByRole("button", { name: "Unmute: lunch" }).click();
  await page.getByText("Nothing is muted.").waitFor();
  await page.getByRole("link", { name: "Alert words" }).click();
  await page.getByLabel("Word or phrase").fill("<b>cake</b>");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove: <b>cake</b>" }).waitFor();
  await eventually(async () =>
    expect(await page.getByLabel("Word or phrase").inputValue()).toBe(""),
  );
  expect((await alice.get("/users/me/alert_words")).body.alert_words).toEqual(["<b>cake</b>"]);
  const more = ["apple", "bread"];
  await alice.post("/users/me/alert_words", { alert_words: more });
  await page.getByRole("button", { name: "Remove: bread" }).waitFor();
  on.network.hold();
  for (const word of ["<b>cake</b>", ...more])
    await page.getByRole("button", { name: `Remove: ${word}` }).click();
  on.network.mend();
  await page.getByText("No alert words.").waitFor();
});

browserTest("an alert word that was not removed is told, also after another one was", async () => {
  const { alice } = on.world;
  await alice.post("/users/me/alert_words", { alert_words: ["plums", "pears"] });
  const page = await open("alerts");
  const drop = (word: string) => page.getByRole("button", { name: `Remove: ${word}` });
  await page.route("**/users/me/alert_words*", (route) => route.abort(), { times: 1 });
  await drop("plums").click();
  await page.getByRole("status").getByText("Cannot reach the server").waitFor();
  await drop("pears").click();
  await drop("pears").waitFor({ state: "detached" });
  await page.getByRole("status").getByText("plums: Cannot reach the server").waitFor();
  await drop("plums").click();
  await page.getByText("No alert words.").waitFor();
  await page.getByRole("status").getByText("Saved").waitFor();
});

browserTest("an API key takes the password, and a new password ends it", async () => {
  const { mona } = on.world;
  const page = await on.open(mona, "#settings/account");
  const key = page.locator("form[name=key]");
  await key.getByLabel("Current password").fill("wrong");
  await key.getByRole("button").click();
  await key.getByText("That is not your password").waitFor();
  await key.getByLabel("Current password").fill("correct-horse-battery");
  await key.getByRole("button").click();
  const shown = page.getByLabel("API key", { exact: true });
  const apiKey = await shown.inputValue();
  const asked = (name: string) =>
    fetch(`${on.world.site}/api/v1/users/me`, {
      headers: { host: "chat.example.com", authorization: `Basic ${btoa(`${name}:${apiKey}`)}` },
    });
  expect((await asked(mona.email)).status).toBe(200);
  await page.getByRole("button", { name: "Hide the key" }).click();
  await eventually(async () => expect(await shown.count()).toBe(0));
  const password = page.locator("form[name=password]");
  await password.getByLabel("Current password").fill("correct-horse-battery");
  await password.getByLabel("New password").fill("another-horse-battery");
  await password.getByRole("button").click();
  await password.getByText("Changed.").waitFor();
  expect((await asked(mona.email)).status).toBe(401);
});

browserTest("somebody who has come by a link is led to choose a first password", async () => {
  const { operator, greta } = on.world;
  const page = await on.openOutside();
  await page.goto((await createLoginLink(operator, greta.id, 3_600)).url);
  await page.getByRole("button", { name: "Sign in" }).click();
  await on.openIn(page, "#settings/account");
  await page.getByText("To change it, you need a password").waitFor();
  expect(await page.getByLabel("Current password").count()).toBe(0);
  await page.getByRole("link", { name: "Choose a password" }).click();
  await page.getByLabel("New password").fill("correct-horse-battery");
  await page.getByRole("button", { name: "Choose this password" }).click();
  await page.getByText("From now on you sign in with this password.").waitFor();
  await on.openIn(page, "#settings/account");
  const address = page.locator("form[name=email]");
  await address.getByLabel("New address").fill("eve@example.com");
  await address.getByLabel("Current password").fill("correct-horse-battery");
  await address.getByRole("button").click();
  await page.getByText("eve@example.com").waitFor();
  await page.getByText("This is your address now.").waitFor();
});

browserTest(
  "a browser is signed out from another one, by keyboard, or all others at once",
  async () => {
    const { bob } = on.world;
    const page = await on.open(bob, "#settings/account");
    const signIn = async () => {
      const jar = new Browser(on.world.site, "chat.example.com");
      const asked = { email: bob.email, password: "correct-horse-battery" };
      expect((await jar.submit("/login", asked)).status).toBe(303);
      return jar;
    };
    const list = page.getByRole("list", { name: "Where you are signed in" });
    await list.getByText("this browser").waitFor();
    // A browser that has signed in since is not in the list that is shown.
    const jar = await signIn();
    await page.reload();
    const other = list.getByRole("button", { name: /Sign out/ });
    await other.focus();
    expect(await breachesIn(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.locator(".toast", { hasText: "That browser is signed out." }).waitFor();
    await other.waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement?.matches(".quiet"));
    expect((await jar.open("/account")).status).toBe(303);
    for (const one of [await signIn(), await signIn()]) await one.open("/account");
    await page.reload();
    await page.getByRole("button", { name: "Sign out all others" }).click();
    await other.first().waitFor({ state: "detached" });
    await list.getByText("this browser").waitFor();
  },
);

browserTest("the page of a session that is ended elsewhere goes to the login page", async () => {
  const { bob } = on.world;
  const page = await on.open(bob, "#inbox");
  const jar = new Browser(on.world.site, "chat.example.com");
  await jar.submit("/login", { email: bob.email, password: "correct-horse-battery" });
  expect((await jar.submit("/account/sessions/end", {}, await jar.proof())).status).toBe(200);
  await page.waitForURL(/\/login\?next=/);
});

browserTest("an export has all messages that Alice has sent, and none of Bob's", async () => {
  const { alice, bob } = on.world;
  await alice.say("general", "export", "One of Alice");
  await bob.say("general", "export", "One of Bob");
  const page = await open("export");
  await page.getByRole("button", { name: "Export my data" }).click();
  const loading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save the file" }).click();
  const file = await Bun.file(await (await loading).path()).json();
  const texts: string[] = file.messages.map(({ content }: { content: string }) => content);
  expect(texts).toContain("One of Alice");
  expect(texts).not.toContain("One of Bob");
  expect(file.profile.email).toBe(alice.email);
});

browserTest("an export has what is the person's own, and goes through all pages", async () => {
  const { adam, alice, bob, channels } = on.world;
  await adam.patch("/settings", { color_scheme: 3 });
  await adam.post(`/users/me/muted_users/${bob.id}`, {});
  const topic = { stream_id: channels.general, topic: "noise", visibility_policy: 1 };
  await adam.post("/user_topics", topic);
  await adam.post("/users/me/status", { status_text: "exporting" });
  const starred = await alice.say("general", "pages", "A star");
  await adam.post("/messages/flags", { messages: [starred], op: "add", flag: "starred" });
  for (const text of ["first", "second", "third"]) await adam.say("general", "pages", text);
  const page = await on.open(adam, "#settings/export");
  // Pages of the server have one message, so that three are as many pages as 3,000 are.
  const sizes: (string | null)[] = [];
  await page.route(
    (url) => url.pathname === "/api/v1/messages" && url.searchParams.get("num_after") === "1000",
    (route, request) => {
      const url = new URL(request.url());
      sizes.push(url.searchParams.get("num_after"));
      url.searchParams.set("num_after", "1");
      return route.continue({ url: url.href });
    },
  );
  await page.getByRole("button", { name: "Export my data" }).click();
  const loading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save the file" }).click();
  const file = await Bun.file(await (await loading).path()).json();
  const texts: string[] = file.messages.map(({ content }: { content: string }) => content);
  expect(texts).toEqual(["first", "second", "third"]);
  expect(sizes.length).toBeGreaterThan(1);
  expect(file.settings.color_scheme).toBe(3);
  expect(file.mutedPeople).toEqual([expect.objectContaining({ id: bob.id })]);
  expect(file.topics).toEqual([
    expect.objectContaining({ topic_name: "noise", visibility_policy: 1 }),
  ]);
  expect(file.starred).toEqual([starred]);
  expect(file.status.status.status_text).toBe("exporting");
});

browserTest("who clicks twice signs out once, with one token", async () => {
  const { otto } = on.world;
  const page = await on.newTab(otto);
  // The section asks by itself whether he has a password.
  const asksFirst = page.waitForResponse("**/account/session");
  await on.openIn(page, "#settings/account");
  await asksFirst;
  const { promise: isDue, resolve: come } = Promise.withResolvers<void>();
  let asked = 0;
  await page.route("**/account/session", async (route) => {
    asked += 1;
    await isDue;
    await route.continue();
  });
  const button = page.getByRole("button", { name: "Sign out of this browser", exact: true });
  await button.click();
  await button.click();
  const leaving = page.waitForRequest("**/logout");
  come();
  const sent = new URLSearchParams((await leaving).postData() ?? "");
  expect(sent.getAll("csrf_token").length).toBe(1);
  await page.waitForURL(/\/login/);
  expect(asked).toBe(1);
});

browserTest("an account ends once its name was typed", async () => {
  const { carol, olga } = on.world;
  const page = await on.open(carol, "#settings/account");
  await page.getByRole("button", { name: "Deactivate my account" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/Type your name/).fill("Caro");
  await dialog.getByRole("button", { name: "Deactivate my account" }).click();
  expect((await olga.get(`/users/${carol.id}`)).body.user.is_active).toBe(true);
  // The events end before the answer comes, as they do on a slow connection.
  const ended = page.waitForResponse((one) => one.status() === 401);
  await page.route("**/api/v1/users/me", async (route) => {
    const { body } = await carol.delete("/users/me");
    await ended;
    await route.fulfill({ json: body });
  });
  await dialog.getByLabel(/Type your name/).fill("Carol");
  await dialog.getByRole("button", { name: "Deactivate my account" }).click();
  await page.waitForURL(/\/login$/);
  expect((await olga.get(`/users/${carol.id}`)).body.user.is_active).toBe(false);
});
