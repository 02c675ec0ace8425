import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { roleGroups } from "../../support/groups";
import { breachesIn } from "../axe";
import { browserTest, stage } from "../browser";
import { holdAnswer } from "../held-answer";
import { requestsUnderWay } from "../requests";
import { eventually, until } from "../waiting";

/* Readers and writers of a channel, and whether new people are in it, on its page. */

const on = stage({ web_public_streams_enabled: "true" }, { pagesGoOn: true });

const settingsOf = (page: Page) => page.getByRole("region", { name: "For everybody" });
const line = (page: Page, label: string) =>
  settingsOf(page).locator(".setting").filter({ hasText: label });
const openDialog = (page: Page) =>
  settingsOf(page).getByRole("button", { name: "Change who can see the channel" }).click();
const dialogOf = (page: Page, name: string) =>
  page.getByRole("dialog", { name: `Who can see ${name}` });

const channelOf = async (id: number) => (await on.world.olga.get(`/streams/${id}`)).body.stream;

/** A channel of Olga and Alice; answers its id. */
async function makeChannel(name: string, more: object = {}): Promise<number> {
  const { olga, alice } = on.world;
  const made = { name, subscribers: [olga.id, alice.id], ...more };
  const { status, body } = await olga.post("/channels/create", made);
  expect(status).toBe(200);
  return body.id;
}

browserTest("Olga closes a channel after she was told for whom, and opens it again", async () => {
  const { olga, bob } = on.world;
  const id = await makeChannel("orchard");
  const page = await on.open(olga, `#channels/${id}`);
  const his = await on.open(bob, `#channels/${id}`);
  await his.getByRole("heading", { name: "orchard" }).waitFor();
  expect(await settingsOf(his).count()).toBe(0);
  await line(page, "Who can see it").getByText("The organization. ").waitFor();
  await openDialog(page);
  const dialog = dialogOf(page, "orchard");
  // Nothing is offered that the organization does not have.
  expect(await dialog.getByRole("radio").count()).toBe(3);
  await dialog.getByRole("radio", { name: "protected history" }).check();
  await dialog.getByText("All others lose its messages").waitFor();
  await dialog.getByText("Those who joined later lose the earlier ones").waitFor();
  expect(await breachesIn(page, "dialog")).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await channelOf(id)).toMatchObject({ invite_only: false });
  await openDialog(page);
  await dialog.getByRole("radio", { name: "protected history" }).check();
  await dialog.getByRole("button", { name: "Make it private, with protected history" }).click();
  await line(page, "Who can see it").getByText("with protected history").waitFor();
  await his.getByText("There is no such channel").waitFor();
  const closed = { invite_only: true, history_public_to_subscribers: false };
  expect(await channelOf(id)).toMatchObject(closed);
  await openDialog(page);
  await dialog.getByRole("radio", { name: "The organization" }).press("Space");
  await dialog.getByText("cannot be taken back").waitFor();
  await dialog.getByRole("button", { name: "Open it to everybody here" }).press("Enter");
  await his.getByRole("heading", { name: "orchard" }).waitFor();
  expect(await channelOf(id)).toMatchObject({ history_public_to_subscribers: true });
});

browserTest("a channel is opened to the web where the organization has such channels", async () => {
  const { olga } = on.world;
  const id = await makeChannel("street", { invite_only: true });
  await olga.patch("/realm", { enable_spectator_access: true });
  const page = await on.open(olga, `#channels/${id}`);
  await openDialog(page);
  const dialog = dialogOf(page, "street");
  await dialog.getByRole("radio", { name: "The web" }).check();
  await dialog.getByText("Everybody on the web can read").waitFor();
  await dialog.getByText("Everybody in the organization but guests finds it").waitFor();
  await dialog.getByRole("button", { name: "Open it to the web" }).click();
  await line(page, "Who can see it").getByText("The web. ").waitFor();
  expect(await channelOf(id)).toMatchObject({ is_web_public: true, invite_only: false });
  await olga.patch("/realm", { enable_spectator_access: false });
});

browserTest("what somebody else changes meanwhile is told in the open dialog", async () => {
  const { olga, adam } = on.world;
  const id = await makeChannel("shed");
  const page = await on.open(olga, `#channels/${id}`);
  await openDialog(page);
  const dialog = dialogOf(page, "shed");
  await dialog.getByRole("radio", { name: "shared history" }).check();
  await dialog.getByText("All others lose its messages").waitFor();
  await adam.post("/users/me/subscriptions", { subscriptions: [{ name: "shed" }] });
  const closed = { is_private: true, history_public_to_subscribers: false };
  expect((await adam.patch(`/streams/${id}`, closed)).status).toBe(200);
  await dialog.getByRole("alert").getByText("Somebody else has changed this").waitFor();
  await dialog.getByText("Its members read all messages").waitFor();
  expect(await dialog.getByText("All others lose its messages").count()).toBe(0);
  await dialog.getByRole("button", { name: "Make it private, with shared history" }).click();
  await line(page, "Who can see it").getByText("with shared history").waitFor();
});

browserTest("a change that the server refuses leaves the dialog open and says why", async () => {
  const { alice, olga } = on.world;
  const { administrators = 0 } = await roleGroups(on.world);
  const can_administer_channel_group = { direct_members: [alice.id], direct_subgroups: [] };
  const id = await makeChannel("pond", { can_administer_channel_group });
  const hers = await on.open(alice, `#channels/${id}`);
  await openDialog(hers);
  const dialog = dialogOf(hers, "pond");
  await dialog.getByRole("radio", { name: "shared history" }).check();
  await olga.patch(`/streams/${id}`, {
    can_administer_channel_group: { new: administrators },
  });
  await settingsOf(hers).waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Make it private, with shared history" }).click();
  await dialog.getByText("You do not administer the channel 'pond'").waitFor();
  expect(await channelOf(id)).toMatchObject({ invite_only: false });
  await dialog.getByRole("button", { name: "Cancel" }).click();
});

browserTest(
  "who is not in a private channel changes nothing there, and is told before",
  async () => {
    const { olga, adam, channels } = on.world;
    const page = await on.open(olga, `#channels/${channels.secret}`);
    await line(page, "Who can see it").getByText("Only its members can change this").waitFor();
    const button = { name: "Change who can see the channel" };
    expect(await settingsOf(page).getByRole("button", button).count()).toBe(0);
    const id = await makeChannel("barn");
    const his = await on.open(adam, `#channels/${id}`);
    await openDialog(his);
    await dialogOf(his, "barn").getByRole("radio", { name: "shared history" }).check();
    await dialogOf(his, "barn").getByText("You are not in this channel").waitFor();
  },
);

browserTest("a channel for new people cannot become private until that has ended", async () => {
  const { olga, adam } = on.world;
  const id = await makeChannel("gate");
  const page = await on.open(olga, `#channels/${id}`);
  const his = await on.open(adam, `#channels/${id}`);
  const isForNew = (one: Page) => one.getByLabel("New people join this channel automatically");
  await isForNew(page).check();
  await until(() => isForNew(his).isChecked());
  await openDialog(page);
  const dialog = dialogOf(page, "gate");
  await dialog.getByText("so it cannot become private").waitFor();
  expect(await dialog.getByRole("radio", { name: "shared history" }).isDisabled()).toBe(true);
  await isForNew(his).uncheck();
  await until(() => dialog.getByRole("radio", { name: "shared history" }).isEnabled());
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await until(async () => !(await isForNew(page).isChecked()));
});

browserTest(
  "Olga gives writing to moderators, which another administrator sees at once",
  async () => {
    const { olga, adam, alice } = on.world;
    const id = await makeChannel("news", {
      can_send_message_group: (await roleGroups(on.world))["everyone"],
    });
    const page = await on.open(olga, `#channels/${id}`);
    const his = await on.open(adam, `#channels/${id}`);
    const writers = (one: Page) => settingsOf(one).getByLabel("Who can write");
    const chosen = (one: Page) => writers(one).locator("option:checked").textContent();
    expect(await chosen(page)).toBe("Everybody");
    await writers(page).selectOption("Moderators, administrators and owners");
    await line(page, "Who can write").getByText("Saved").waitFor();
    await eventually(async () =>
      expect(await chosen(his)).toBe("Moderators, administrators and owners"),
    );
    // Adam, who was never in the channel, chooses all that Olga does.
    const beginners = settingsOf(his).getByLabel("Who can begin topics");
    await beginners.selectOption("Moderators, administrators and owners");
    await line(his, "Who can begin topics").getByText("Saved").waitFor();
    expect(
      (await alice.post("/messages", { type: "channel", to: "news", topic: "t", content: "no" }))
        .status,
    ).toBe(400);
    expect(await breachesIn(page)).toEqual([]);
    // People who are named one by one are shown, and stay until a group is chosen.
    const named = { direct_members: [alice.id], direct_subgroups: [] };
    await adam.patch(`/streams/${id}`, { can_send_message_group: { new: named } });
    await eventually(async () => expect(await chosen(page)).toBe("Alice"));
  },
);

browserTest("of two changes at once the second is refused, and shows the first", async () => {
  const { olga, adam } = on.world;
  const id = await makeChannel("notes");
  const page = await on.open(olga, `#channels/${id}`);
  const writers = settingsOf(page).getByLabel("Who can write");
  const chosen = () => writers.locator("option:checked").textContent();
  await writers.waitFor();
  const events = await holdAnswer(page, "/events", '"property":"can_send_message_group"');
  // Answers to polls from before that would not be held, so they are to end with another change.
  await adam.patch(`/streams/${id}`, { description: "What we agreed" });
  await page.getByText("What we agreed").first().waitFor();
  const { administrators } = await roleGroups(on.world);
  const change = { can_send_message_group: { new: administrators } };
  expect((await adam.patch(`/streams/${id}`, change)).status).toBe(200);
  await events.asked();
  await writers.selectOption("Nobody");
  await line(page, "Who can write").getByText("Somebody else has changed this").waitFor();
  await eventually(async () => expect(await chosen()).toBe("Everybody"));
  await events.letGo();
  await eventually(async () => expect(await chosen()).toBe("Administrators and owners"));
  expect((await channelOf(id)).can_send_message_group).toBe(administrators);
});

browserTest("of two own choices at once the second holds, and none is refused", async () => {
  const { olga } = on.world;
  const { moderators, administrators } = await roleGroups(on.world);
  const id = await makeChannel("agenda");
  const page = await on.open(olga, `#channels/${id}`);
  const writers = settingsOf(page).getByLabel("Who can write");
  const { promise: isHeld, resolve: go } = Promise.withResolvers<void>();
  await page.route(`**/api/v1/streams/${id}`, async (route) => {
    await isHeld;
    await route.continue();
  });
  const changes = requestsUnderWay([page], (request) => request.method() === "PATCH");
  await writers.selectOption("Moderators, administrators and owners");
  await until(async () => changes.size === 1);
  await writers.selectOption("Administrators and owners");
  go();
  await line(page, "Who can write").getByText("Saved").waitFor();
  expect((await channelOf(id)).can_send_message_group).toBe(administrators);
  // A value that somebody else sets again is not taken for the person's own choice.
  const again = { can_send_message_group: { new: moderators } };
  expect((await on.world.adam.patch(`/streams/${id}`, again)).status).toBe(200);
  const chosen = () => writers.locator("option:checked").textContent();
  await eventually(async () =>
    expect(await chosen()).toBe("Moderators, administrators and owners"),
  );
  await writers.selectOption("Nobody");
  await until(async () => (await channelOf(id)).can_send_message_group !== moderators);
  await line(page, "Who can write").getByText("Saved").waitFor();
});
