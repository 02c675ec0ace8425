import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { breachesIn } from "../axe";
import { browserTest, origin, stage } from "../browser";
import { eventually, until } from "../waiting";

const on = stage();
const slowMilliseconds = 120_000;

const line = (page: Page, label: string) => page.locator(".setting").filter({ hasText: label });
const subscription = async (channelId: number) => {
  const { body } = await on.world.alice.get("/users/me/subscriptions");
  const rows: Record<string, unknown>[] = body.subscriptions;
  return rows.find((row) => row["stream_id"] === channelId);
};

browserTest("Alice makes a channel, which Bob finds, joins, leaves and joins again", async () => {
  const { alice, bob } = on.world;
  const [hers, his] = [await on.open(alice, "#channels/all"), await on.open(bob, "#channels/all")];
  await hers.getByLabel("Find channels").fill("garden <b>");
  await hers.getByText("No channel has this name.").waitFor();
  await hers.getByRole("button", { name: "New channel" }).click();
  const dialog = hers.getByRole("dialog");
  await eventually(async () =>
    expect(await dialog.getByLabel("Name").inputValue()).toBe("garden <b>"),
  );
  await dialog.getByLabel("Description").fill("What grows");
  expect(await breachesIn(hers, "dialog")).toEqual([]);
  await hers.keyboard.press("Escape");
  await hers.getByRole("button", { name: "New channel" }).click();
  await eventually(async () =>
    expect(await dialog.getByLabel("Description").inputValue()).toBe("What grows"),
  );
  await dialog.getByRole("button", { name: "Create the channel" }).click();
  await hers.getByRole("heading", { level: 1, name: "garden <b>" }).waitFor();
  await his.getByLabel("Find channels").fill("grows");
  await his.getByRole("button", { name: "Join garden <b>" }).click();
  const rail = his.locator(".rail nav");
  await rail.getByRole("link", { name: "garden <b>" }).waitFor();
  await his.getByRole("button", { name: "Leave garden <b>" }).click();
  await rail.getByRole("link", { name: "garden <b>" }).waitFor({ state: "detached" });
  await his.getByRole("button", { name: "Undo" }).click();
  await rail.getByRole("link", { name: "garden <b>" }).waitFor();
  expect(await breachesIn(his)).toEqual([]);
});

browserTest("a name that is taken is refused in the dialog, which keeps it", async () => {
  const page = await on.open(on.world.alice, "#channels/all");
  await page.getByRole("button", { name: "New channel" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("general");
  await dialog.getByRole("button", { name: "Create the channel" }).click();
  await dialog.getByRole("alert").waitFor();
  await eventually(async () =>
    expect(await dialog.getByLabel("Name").inputValue()).toBe("general"),
  );
});

browserTest(
  "a description is formatted where there is room, and plain text elsewhere",
  async () => {
    const { olga, alice, channels } = on.world;
    const description = "**Decisions** :tada: go to the log, see https://example.com/log";
    await olga.patch(`/streams/${channels.plans}`, { description });
    const text = "Decisions 🎉 go to the log, see https://example.com/log";
    const page = await on.open(alice, `#channels/${channels.plans}`);
    const shown = page.locator(".one-channel .description");
    const link = shown.getByRole("link", { name: "https://example.com/log" });
    expect(await link.getAttribute("target")).toBe("_blank");
    expect(await shown.locator("strong").textContent()).toBe("Decisions");
    expect(await shown.textContent()).toBe(text);
    await page.getByRole("link", { name: "All channels" }).click();
    const line = page.getByRole("listitem").filter({ hasText: "plans" }).locator("small");
    expect(await line.textContent()).toEndWith(`· ${text}`);
    expect(await line.getAttribute("title")).toEndWith(`· ${text}`);
    await page.goto(`${origin}/#narrow/channel/${channels.plans}-plans`);
    await page.locator(`.head .about[title="${text}"]`, { hasText: text }).waitFor();
    await olga.patch(`/streams/${channels.plans}`, { description: "Room for $$x^2$$ people" });
    await page.locator(`.head .about[title="Room for x2 people"]`).waitFor();
  },
);

browserTest("the settings of a channel are one's own, and are saved one by one", async () => {
  const { alice, channels } = on.world;
  const page = await on.open(alice, "#narrow/channel/general");
  await page.goto(page.url().replace(/#.*/, `#channels/${channels.general}`));
  await page.getByRole("heading", { level: 2, name: "general" }).waitFor();
  await page.getByRole("radio", { name: "Pink" }).check({ force: true });
  await page.getByRole("radio", { name: "Pink" }).press("ArrowDown");
  await line(page, "Colour").getByText("Saved").waitFor();
  await page.getByLabel("Pin to the top").check();
  await page.getByLabel("Mute the channel").check();
  await line(page, "Mute the channel").getByText("Saved").waitFor();
  await page.getByLabel("Sound", { exact: true }).selectOption("On");
  await line(page, "Sound").getByText("Saved").waitFor();
  expect(await subscription(channels.general)).toMatchObject({
    color: "#7d67d9",
    pin_to_top: true,
    is_muted: true,
    audible_notifications: true,
  });
  await page.locator(".rail nav").getByText("Pinned").waitFor();
  await eventually(async () => expect(await page.getByLabel("Folder").count()).toBe(0));
  expect(await breachesIn(page)).toEqual([]);
  const undo = { stream_id: channels.general, property: "pin_to_top", value: false };
  await alice.post("/users/me/subscriptions/properties", { subscription_data: [undo] });
  await until(async () => !(await page.getByLabel("Pin to the top").isChecked()));
});

browserTest("a setting of a channel that the server does not get is put back", async () => {
  const { alice, channels } = on.world;
  const page = await on.open(alice, `#channels/${channels.secret}`);
  const pin = page.getByLabel("Pin to the top");
  const phone = page.getByLabel("Phone");
  const before = await phone.inputValue();
  on.network.cut();
  await pin.click();
  await phone.selectOption("Off");
  await line(page, "Pin to the top").getByText("Cannot reach the server").waitFor();
  await line(page, "Phone").getByText("Cannot reach the server").waitFor();
  await eventually(async () => {
    expect(await pin.isChecked()).toBe(false);
    expect(await phone.inputValue()).toBe(before);
  });
  on.network.mend();
  await pin.click();
  await line(page, "Pin to the top").getByText("Saved").waitFor();
  expect(await pin.isChecked()).toBe(true);
  expect(await subscription(channels.secret)).toMatchObject({ pin_to_top: true });
  on.complaints.splice(0);
});

browserTest("who administers a channel puts it into a folder for everybody", async () => {
  const { olga, alice, channels } = on.world;
  await olga.post("/channel_folders/create", { name: "Kitchen", description: "" });
  const page = await on.open(olga, `#channels/${channels.general}`);
  const hers = await on.open(alice, `#channels/${channels.general}`);
  await page.getByLabel("Folder").selectOption("Kitchen");
  await hers.locator(".rail nav").getByText("Kitchen").waitFor();
  await eventually(async () => expect(await hers.getByLabel("Folder").isDisabled()).toBe(true));
  await page.getByLabel("Folder").selectOption("None");
  await hers.locator(".rail nav").getByText("Kitchen").waitFor({ state: "detached" });
});

browserTest(
  "a guest makes no channel and joins none, and nobody sees one that is secret",
  async () => {
    const { greta, carol, channels } = on.world;
    const page = await on.open(greta, "#channels/all");
    await page.getByLabel("Find channels").waitFor();
    await eventually(async () =>
      expect(await page.getByRole("button", { name: /^Join |^New channel/ }).count()).toBe(0),
    );
    const hers = await on.open(carol, `#channels/${channels.secret}`);
    await hers.getByText("There is no such channel").waitFor();
  },
);

browserTest(
  "of 1,000 channels those in sight are drawn, and the last one is found",
  async () => {
    const { olga, alice } = on.world;
    for (let from = 0; from < 1_000; from += 250) {
      const subscriptions = Array.from({ length: 250 }, (_, index) => ({
        name: `number ${String(from + index).padStart(3, "0")}`,
      }));
      const { status } = await olga.post("/users/me/subscriptions", {
        subscriptions,
        announce: false,
      });
      expect(status).toBe(200);
    }
    const page = await on.open(alice, "#channels/all");
    const rows = page.locator(".windowed > li");
    await rows.first().waitFor();
    await eventually(async () => expect(await rows.count()).toBeLessThan(80));
    await page.locator(".pane").evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
    await page.getByRole("button", { name: "Join number 999" }).waitFor();
    await until(async () => (await rows.count()) < 80);
    await page.getByLabel("Find channels").fill("999");
    await page.getByRole("button", { name: "Join number 999" }).click();
    await page.getByRole("button", { name: "Leave number 999" }).waitFor();
    await eventually(async () => expect(await rows.count()).toBe(1));
  },
  slowMilliseconds,
);
