import { describe, expect } from "bun:test";
import type { Page } from "playwright-core";
import { breachesIn } from "../axe";
import { browserTest, origin, rowOf, stage } from "../browser";
import { holdAnswer } from "../held-answer";
import { eventually, until } from "../waiting";

const on = stage({}, { pagesGoOn: true });

/** The actions of a message, which are there while it is pointed at. */
async function actionsOf(page: Page, text: string) {
  await rowOf(page, text).hover();
  return page.getByRole("toolbar", { name: "Message actions" });
}

/** Chooses something in the menu of a message. */
async function choose(page: Page, text: string, item: string) {
  const actions = await actionsOf(page, text);
  await actions.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

const notice = (page: Page, text: string | RegExp) =>
  page.locator(".toasts").getByText(text).waitFor();

describe("reactions", () => {
  browserTest("that Bob puts on a message Alice sees, joins, and leaves again", async () => {
    const { alice, bob } = on.world;
    const [hers, his] = [await on.open(alice), await on.open(bob)];
    await alice.say("general", "lunch", "Soup at noon?");
    await (await actionsOf(his, "Soup")).getByRole("button", { name: "React" }).click();
    const search = his.getByRole("combobox", { name: "Search emoji" });
    await search.fill("party p");
    await his.getByRole("option", { name: "tada", selected: true }).waitFor();
    await search.press("Enter");
    await rowOf(hers, "Soup").getByRole("button", { name: "tada: 1 (Bob)" }).click();
    const chip = rowOf(his, "Soup").getByRole("button", { name: "tada: 2 (you and Alice)" });
    await chip.waitFor();
    await rowOf(hers, "Soup")
      .getByRole("button", { name: /tada: 2/, pressed: true })
      .click();
    await rowOf(his, "Soup")
      .getByRole("button", { name: "tada: 1 (you)", pressed: true })
      .waitFor();
  });

  browserTest("that the server refuses are put back, with its words", async () => {
    const { alice, bob } = on.world;
    const id = await alice.say("general", "emoji", "A hundred of them.");
    const codes = Object.keys(names).filter((code) => /^1f4[0-9a-f]{2}$/.test(code));
    for (const emoji_code of codes.slice(0, 100)) {
      const asked = { emoji_name: nameOf(emoji_code), emoji_code };
      const { status } = await alice.post(`/messages/${id}/reactions`, asked);
      expect(status).toBe(200);
    }
    const his = await on.open(bob);
    const row = rowOf(his, "A hundred");
    await row.locator(".reaction").nth(99).waitFor();
    await row.getByRole("button", { name: "Add a reaction" }).click();
    await his.getByRole("combobox", { name: "Search emoji" }).fill("taco");
    await his.getByRole("option", { name: "taco", selected: true }).waitFor();
    await his.keyboard.press("Enter");
    await notice(his, "A message can carry 100 different emoji.");
    await eventually(async () =>
      expect(await row.getByRole("button", { name: /taco/ }).count()).toBe(0),
    );
  });
});

const names: Record<string, string> = await Bun.file("src/emoji/names.json").json();
const nameOf = (code: string) => names[code]?.split(" ")[0] ?? "";

describe("changes of a message", () => {
  browserTest("that Alice saves Bob sees, with what it was before", async () => {
    const { alice, bob } = on.world;
    const [hers, his] = [await on.open(alice), await on.open(bob)];
    await alice.say("general", "edit", "The tag comes on Monday.");
    await choose(hers, "The tag", "Edit");
    const box = hers.getByRole("textbox", { name: "Text of the message" });
    await box.fill("The tag comes on **Tuesday**.");
    await box.press("Control+Enter");
    await rowOf(his, "The tag comes on Tuesday.").getByText("(edited)").waitFor();
    await choose(his, "The tag", "View edit history");
    const dialog = his.getByRole("dialog", { name: "Edit history" });
    await dialog.locator(".highlight_text_deleted", { hasText: "Monday" }).waitFor();
    expect(await breachesIn(his, "dialog")).toEqual([]);
    await his.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  browserTest("that were left stay, over a reload too, until they are discarded", async () => {
    const { alice } = on.world;
    const page = await on.open(alice);
    await alice.say("general", "edit", "Unfinished business.");
    await choose(page, "Unfinished", "Edit");
    const box = page.getByRole("textbox", { name: "Text of the message" });
    await box.fill("Half of a thought");
    await box.press("Escape");
    await rowOf(page, "Unfinished business.").getByText("unsaved changes").waitFor();
    await page.reload();
    await rowOf(page, "Unfinished").getByRole("button", { name: "Keep editing" }).click();
    await eventually(async () => expect(await box.inputValue()).toBe("Half of a thought"));
    await page.getByRole("button", { name: "Cancel" }).click();
    await rowOf(page, "Unfinished business.").waitFor();
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await page.getByRole("textbox", { name: "Text of the message" }).waitFor();
    await eventually(async () => expect(await box.inputValue()).toBe("Half of a thought"));
  });

  browserTest(
    "that were made elsewhere meanwhile are told, and not overwritten unseen",
    async () => {
      const { alice } = on.world;
      const page = await on.open(alice);
      const id = await alice.say("general", "edit", "First version.");
      await choose(page, "First version", "Edit");
      const box = page.getByRole("textbox", { name: "Text of the message" });
      await box.fill("Mine");
      await alice.patch(`/messages/${id}`, { content: "From the phone." });
      const row = page.locator(`[data-id="${id}"]`);
      await row.getByText("has edited this message").waitFor();
      await eventually(async () =>
        expect(await row.locator("blockquote").textContent()).toBe("From the phone."),
      );
      await box.press("Control+Enter");
      await rowOf(page, "Mine").waitFor();
    },
  );

  browserTest("of a message that is deleted meanwhile are kept to be copied", async () => {
    const { alice, olga } = on.world;
    const page = await on.open(alice);
    const id = await alice.say("general", "edit", "Soon gone.");
    await choose(page, "Soon gone", "Edit");
    await page.getByRole("textbox", { name: "Text of the message" }).fill("A long thought");
    expect((await olga.delete(`/messages/${id}`)).status).toBe(200);
    const dialog = page.getByRole("dialog", { name: "The message is gone" });
    await eventually(async () =>
      expect(await dialog.getByRole("textbox").inputValue()).toBe("A long thought"),
    );
  });

  browserTest(
    "of a deleted message are shown again after a dialog that comes over them",
    async () => {
      const { alice, olga } = on.world;
      const page = await on.open(alice);
      const stays = await alice.say("general", "over", "First form.");
      await alice.patch(`/messages/${stays}`, { content: "Second form." });
      const id = await alice.say("general", "over", "Gone soon.");
      await choose(page, "Gone soon", "Edit");
      const box = page.getByRole("textbox", { name: "Text of the message" });
      await until(async () => (await box.inputValue()) === "Gone soon.");
      await box.fill("A covered thought");
      await box.press("Escape");
      const { asked, letGo } = await holdAnswer(page, `/messages/${stays}/history`);
      const row = page.locator(`[data-id="${stays}"]`);
      await row.hover();
      await row.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "View edit history" }).click();
      await asked();
      expect((await olga.delete(`/messages/${id}`)).status).toBe(200);
      const dialog = page.getByRole("dialog", { name: "The message is gone" });
      await dialog.waitFor();
      await letGo();
      await page.getByRole("dialog", { name: "Edit history" }).waitFor();
      await page.keyboard.press("Escape");
      await eventually(async () =>
        expect(await dialog.getByRole("textbox").inputValue()).toBe("A covered thought"),
      );
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    },
  );

  browserTest("of messages that are deleted at once are shown one after the other", async () => {
    const { alice, olga } = on.world;
    const page = await on.open(alice);
    for (const name of ["first", "second"]) {
      const id = await alice.say("general", "both", `The ${name}.`);
      const row = page.locator(`[data-id="${id}"]`);
      await row.hover();
      await row.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      const box = row.getByRole("textbox");
      await until(async () => (await box.inputValue()) === `The ${name}.`);
      await box.fill(`A thought on the ${name}`);
      await box.press("Escape");
    }
    const deleted = await olga.post(`/streams/${on.world.channels.general}/delete_topic`, {
      topic_name: "both",
    });
    expect(deleted.status).toBe(200);
    const dialog = page.getByRole("dialog", { name: "The message is gone" });
    const shown = () => dialog.getByRole("textbox").inputValue();
    await eventually(async () => expect(await shown()).toBe("A thought on the first"));
    await page.keyboard.press("Escape");
    await eventually(async () => expect(await shown()).toBe("A thought on the second"));
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });
});

describe("messages", () => {
  browserTest("that Alice deletes go away for Bob, once she has confirmed it", async () => {
    const { alice, bob } = on.world;
    const [hers, his] = [await on.open(alice), await on.open(bob)];
    await alice.say("general", "delete", "Wrong window, sorry.");
    await rowOf(his, "Wrong window").waitFor();
    await choose(hers, "Wrong window", "Delete message");
    expect(await breachesIn(hers, "dialog")).toEqual([]);
    await hers.getByRole("dialog").getByRole("button", { name: "Delete message" }).click();
    await notice(hers, "Message deleted.");
    await rowOf(his, "Wrong window").waitFor({ state: "detached" });
  });

  browserTest("that are deleted on a slow line close no other dialog", async () => {
    const { alice } = on.world;
    const page = await on.open(alice);
    const stays = await alice.say("general", "slow", "This stays.");
    const id = await alice.say("general", "slow", "This goes.");
    await choose(page, "This goes", "Delete message");
    const { asked, letGo } = await holdAnswer(page, `/messages/${id}`);
    await page.getByRole("dialog").getByRole("button", { name: "Delete message" }).click();
    await asked();
    await page.keyboard.press("Escape");
    const row = page.locator(`[data-id="${stays}"]`);
    await row.hover();
    await row.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Remind me" }).click();
    const note = page.getByRole("dialog").getByLabel("Note (optional)");
    await note.fill("Begun");
    await letGo();
    await notice(page, "Message deleted.");
    expect(await note.inputValue()).toBe("Begun");
    await page.keyboard.press("Escape");
  });

  browserTest("that Olga moves are in their new topic for Bob", async () => {
    const { alice, bob, olga } = on.world;
    const [hers, his] = [await on.open(olga), await on.open(bob)];
    const id = await alice.say("general", "misc", "Where does this belong?");
    await choose(hers, "Where does this", "Move");
    const dialog = hers.getByRole("dialog", { name: "Move message" });
    expect(await breachesIn(hers, "dialog")).toEqual([]);
    await dialog.getByRole("combobox", { name: "Topic" }).fill("planning");
    await dialog.getByRole("button", { name: "Move" }).click();
    await his.locator(`[data-id="${id}"]`).getByRole("link", { name: "planning" }).waitFor();
  });

  browserTest("that Bob stars are among his starred ones, also in his other tab", async () => {
    const { alice, bob } = on.world;
    const [page, other] = [await on.open(bob), await on.open(bob, "#narrow/is/starred")];
    await alice.say("general", "stars", "Worth keeping.");
    await (await actionsOf(page, "Worth keeping")).getByRole("button", { name: "Star" }).click();
    await (await actionsOf(page, "Worth keeping"))
      .getByRole("button", { name: "Remove star" })
      .waitFor();
    await other.reload();
    await rowOf(other, "Worth keeping").waitFor();
  });
});

describe("topics", () => {
  browserTest("that are resolved take along who reads them, and can be opened again", async () => {
    const { alice, bob, olga, channels } = on.world;
    await alice.say("general", "broken build", "It is red.");
    const at = `#narrow/channel/${channels.general}-general/topic/broken.20build`;
    const [hers, his] = [await on.open(olga, at), await on.open(bob, at)];
    await hers.getByRole("button", { name: "Resolve" }).click();
    await his.getByRole("heading", { level: 1, name: "✔ broken build" }).waitFor();
    await rowOf(his, "It is red.").waitFor();
    await hers.getByRole("button", { name: "Resolved" }).click();
    await his.getByRole("heading", { level: 1, name: /^(?!.*✔).*broken build/ }).waitFor();
  });

  browserTest("have links to copy, which lead to a topic also after it was renamed", async () => {
    const { alice, bob, channels } = on.world;
    const id = await alice.say("general", "roses", "They bloom.");
    const at = `#narrow/channel/${channels.general}-general`;
    const page = await on.open(bob, `${at}/topic/roses`);
    await rowOf(page, "They bloom.").waitFor();
    const copied = async (menu: string, item: string) => {
      await page.getByRole("button", { name: menu }).click();
      await page.getByRole("menuitem", { name: item }).click();
      await page.locator(".toast", { hasText: "Link copied." }).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const toTopic = await copied("Topic actions", "Copy link to topic");
    expect(toTopic).toBe(`${origin}/${at}/topic/roses/with/${id}`);
    await alice.patch(`/messages/${id}`, { topic: "tulips", propagate_mode: "change_all" });
    await page.goto("about:blank");
    await page.goto(toTopic);
    await page.getByRole("heading", { level: 1, name: /tulips/ }).waitFor();
    await page.goto(`${origin}/${at}`);
    expect(await copied("Channel actions", "Copy link to channel")).toBe(`${origin}/${at}`);
  });

  browserTest("are followed and muted, which can be undone", async () => {
    const { alice, bob, channels } = on.world;
    await alice.say("general", "noise", "Beep.");
    const at = `#narrow/channel/${channels.general}-general/topic/noise`;
    const page = await on.open(bob, at);
    await page.getByRole("button", { name: "Follow" }).click();
    await page.getByRole("button", { name: "Following", pressed: true }).waitFor();
    await page.getByRole("button", { name: "Topic actions" }).click();
    expect(await breachesIn(page, ".menu")).toEqual([]);
    await page.getByRole("menuitem", { name: "Mute topic" }).click();
    await page.getByRole("button", { name: "Follow", pressed: false }).waitFor();
    await page
      .locator(".toast", { hasText: "muted" })
      .getByRole("button", { name: "Undo" })
      .click();
    await page.getByRole("button", { name: "Following", pressed: true }).waitFor();
  });
});

browserTest("a message is collapsed by its reader alone, and shown again", async () => {
  const { alice, bob } = on.world;
  const id = await bob.say("general", "long", "A long story of old times");
  const topic = `#narrow/channel/${on.world.channels.general}-general/topic/long`;
  const [one, other] = [await on.open(alice, topic), await on.open(alice, topic)];
  const row = (page: Page) => page.locator(`article[data-id="${id}"]`);
  const text = (page: Page) => row(page).getByText("A long story");
  await text(other).waitFor();
  await row(one).focus();
  await one.keyboard.press("-");
  for (const page of [one, other]) {
    await row(page).getByRole("button", { name: "Show message", expanded: false }).waitFor();
    await eventually(async () => expect(await text(page).count()).toBe(0));
  }
  expect(await breachesIn(one)).toEqual([]);
  await one.reload();
  await row(one).getByRole("button", { name: "Show message" }).press("Enter");
  await text(one).waitFor();
  await one.waitForFunction(() => document.activeElement?.matches("article"));
  await text(other).waitFor();
  const his = await on.open(bob, topic);
  await text(his).waitFor();
});
