import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { upload } from "../../support/files";
import { paint } from "../../support/pictures";
import { breachesIn } from "../axe";
import { browserTest, stage, topicIn } from "../browser";
import { eventually } from "../waiting";

const on = stage();

const lightbox = (page: Page) => page.locator("dialog.lightbox");
const shownName = (page: Page) => lightbox(page).locator(".about b").textContent();

const [wall, blue, green] = [
  paint(900, 600, () => [255, 0, 0]),
  paint(300, 200, () => [0, 0, 255]),
  paint(60, 60, () => [0, 128, 0]),
];

/** A sound of no length: a WAV file with its header alone. */
const silence = Uint8Array.from(
  atob("UklGRiQAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQAAAAA="),
  (sign) => sign.charCodeAt(0),
);

/** A conversation with a long text, two pictures, a film, a sound, and a picture in a spoiler. */
async function setMedia(name: string) {
  const { bob, alice } = on.world;
  const red = await upload(bob, "red wall.png", wall);
  const small = await upload(bob, "blue.png", blue);
  const film = await upload(bob, "film.mp4", new Uint8Array([0, 0, 0, 0]));
  const sound = await upload(bob, "song.wav", silence);
  const secret = await upload(bob, "secret.png", green);
  await bob.say("general", name, `Before it\n${"a line\n".repeat(60)}`);
  const ids = {
    red: await bob.say("general", name, `[The wall](${red})`),
    blue: await bob.say("general", name, `![blue](${small})`),
    media: await bob.say("general", name, `[film](${film})\n\n![song](${sound})`),
    secret: await bob.say("general", name, `\`\`\`spoiler Hidden\n![secret](${secret})\n\`\`\``),
  };
  return { ids, alice };
}

browserTest("pictures, films and sounds of a conversation, by keyboard alone", async () => {
  const { ids, alice } = await setMedia("media");
  const page = await on.open(alice, `${topicIn(on, "media")}/near/${ids.red}`);
  const picture = page.locator(`article[data-id="${ids.red}"] .message_inline_image a`);
  await picture.locator("img").waitFor();
  await eventually(async () =>
    expect(await picture.locator("img").getAttribute("alt")).toBe("The wall"),
  );
  expect(await breachesIn(page)).toEqual([]);
  await picture.focus();
  const topBefore = await page.evaluate(() => document.querySelector(".feed")?.scrollTop);
  await page.keyboard.press("Enter");
  await lightbox(page).waitFor();
  expect(await shownName(page)).toBe("The wall");
  await eventually(async () =>
    expect(await lightbox(page).getByRole("status").textContent()).toBe("1 of 4"),
  );
  expect(await breachesIn(page, "dialog.lightbox")).toEqual([]);
  await page.keyboard.press("+");
  await eventually(async () => expect(await lightbox(page).locator(".zoomed").count()).toBe(1));
  await page.keyboard.press("0");
  await eventually(async () => expect(await lightbox(page).locator(".zoomed").count()).toBe(0));
  await page.keyboard.press("ArrowLeft");
  expect(await shownName(page)).toBe("The wall");
  await page.keyboard.press("ArrowRight");
  expect(await shownName(page)).toBe("blue");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  expect(await shownName(page)).toBe("song");
  // Pictures that a spoiler hides are none of them.
  await page.keyboard.press("ArrowRight");
  expect(await shownName(page)).toBe("song");
  const download = lightbox(page).getByRole("link", { name: "Download" });
  await eventually(async () => expect(await download.getAttribute("href")).toContain("/song.wav"));
  await page.keyboard.press("Escape");
  await lightbox(page).waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.querySelector(".feed")?.scrollTop)).toBe(topBefore);
  expect(await picture.evaluate((link) => link === document.activeElement)).toBe(true);
});

browserTest("pictures of a muted person are not among those of a conversation", async () => {
  const { alice, bob, carol } = on.world;
  const shown = await bob.say("general", "walls", `[Bob's](${await upload(bob, "b.png", blue)})`);
  await carol.say("general", "walls", `[Carol's](${await upload(carol, "c.png", wall)})`);
  expect((await alice.post(`/users/me/muted_users/${carol.id}`)).status).toBe(200);
  const page = await on.open(alice, topicIn(on, "walls"));
  const picture = page.locator(`article[data-id="${shown}"] .message_inline_image a`);
  await picture.locator("img").waitFor();
  await picture.press("Enter");
  await lightbox(page).waitFor();
  await page.keyboard.press("ArrowRight");
  expect(await shownName(page)).toBe("Bob's");
  await page.keyboard.press("Escape");
  expect((await alice.delete(`/users/me/muted_users/${carol.id}`)).status).toBe(200);
});

browserTest("Back closes a picture, and leaves its conversation only then", async () => {
  const { ids, alice } = await setMedia("back");
  const page = await on.open(alice, "#inbox");
  const address = `${topicIn(on, "back")}/near/${ids.red}`;
  await page.evaluate((hash) => {
    location.hash = hash;
  }, address);
  const picture = page.locator(`article[data-id="${ids.red}"] .message_inline_image a`);
  const here = () => page.evaluate(() => location.hash);
  await picture.press("Enter");
  await lightbox(page).waitFor();
  await page.goBack();
  await lightbox(page).waitFor({ state: "detached" });
  expect(await here()).toBe(address);
  expect(await picture.evaluate((link) => link === document.activeElement)).toBe(true);
  // One that was closed otherwise leaves no entry behind, even where the next is opened at once.
  await picture.press("Enter");
  await lightbox(page).waitFor();
  await page.keyboard.press("Escape");
  await picture.press("Enter");
  await lightbox(page).waitFor();
  await page.keyboard.press("Escape");
  await lightbox(page).waitFor({ state: "detached" });
  await page.waitForFunction(() => history.state === null);
  await picture.press("Enter");
  await lightbox(page).getByRole("link", { name: "Go to the message" }).click();
  await lightbox(page).waitFor({ state: "detached" });
  await page.goBack();
  await page.waitForFunction((hash) => location.hash === hash, address);
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
});

browserTest(
  "a picture stays open while its topic moves, and leads back to where it is",
  async () => {
    const { ids, alice } = await setMedia("moving");
    const { bob } = on.world;
    const page = await on.open(alice, "#inbox");
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      `${topicIn(on, "moving")}/near/${ids.red}`,
    );
    const ends = [
      { name: "one", end: () => page.keyboard.press("Escape") },
      { name: "two", end: () => page.goBack() },
      { name: "three", end: () => page.reload() },
    ];
    for (const { name, end } of ends) {
      await page.locator(`article[data-id="${ids.red}"] .message_inline_image a`).press("Enter");
      await lightbox(page).waitFor();
      const moved = { topic: name, propagate_mode: "change_all" };
      expect((await bob.patch(`/messages/${ids.red}`, moved)).status).toBe(200);
      await page.locator(`.feed article[data-id="${ids.red}"]`).waitFor();
      await page.waitForURL(new RegExp(`topic/${name}/`));
      expect(await shownName(page)).toBe("The wall");
      await end();
      await lightbox(page).waitFor({ state: "detached" });
      await page.waitForFunction(() => history.state === null);
      await page.waitForURL(new RegExp(`topic/${name}/`));
      await page.getByRole("heading", { level: 1, name: new RegExp(`${name}$`) }).waitFor();
      await page.locator(".shell[data-whole=true]").waitFor();
    }
    // No entry of a picture is left, not even of one that was open at a reload.
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  },
);

browserTest("a finger across steps on, unless the picture is enlarged", async () => {
  on.browsersAre({ hasTouch: true });
  const { ids, alice } = await setMedia("swipes");
  const page = await on.open(alice, `${topicIn(on, "swipes")}/near/${ids.red}`);
  await page.locator(`article[data-id="${ids.red}"] .message_inline_image a`).press("Enter");
  await lightbox(page).getByText("1 of 4").waitFor();
  const session = await page.context().newCDPSession(page);
  const swipe = async (by: number) => {
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: x === undefined ? [] : [{ x, y: 400 }],
      });
    await touch("touchStart", 600);
    for (const part of [0.25, 0.5, 0.75, 1]) await touch("touchMove", 600 + part * by);
    await touch("touchEnd");
  };
  await swipe(-200);
  await lightbox(page).getByText("2 of 4").waitFor();
  await swipe(200);
  await lightbox(page).getByText("1 of 4").waitFor();
  await page.keyboard.press("+");
  await lightbox(page).locator(".zoomed").waitFor();
  await swipe(-200);
  await eventually(async () =>
    expect(await lightbox(page).getByRole("status").textContent()).toBe("1 of 4"),
  );
  await page.keyboard.press("0");
  await lightbox(page).locator(".zoomed").waitFor({ state: "detached" });
  // From right to left the next one comes from the other side.
  await page.evaluate(() => {
    document.dir = "rtl";
  });
  await swipe(200);
  await lightbox(page).getByText("2 of 4").waitFor();
  // On a phone the way out stands beside the name, not in a line below it.
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 700 });
    const [name, leave, zoom] = ["b", "[aria-label=Close]", "[aria-label='Zoom in']"].map((one) =>
      lightbox(page).locator(`header ${one}`),
    );
    await eventually(async () => {
      const [besides, out, below] = await Promise.all(
        [name, leave, zoom].map(async (one) => one?.boundingBox()),
      );
      if (!besides || !out || !below) throw new Error("The line above the picture is not drawn.");
      expect(out.y).toBeLessThan(besides.y + besides.height);
      expect(below.y).toBeGreaterThanOrEqual(out.y + out.height);
    });
  }
});

browserTest("a picture that comes late moves nothing, and one that is gone closes", async () => {
  const { ids, alice } = await setMedia("late");
  const { promise: held, resolve: letCome } = Promise.withResolvers<void>();
  const page = await on.open(alice, "#inbox");
  await page.route(/user_uploads.*\.png/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(page.url().replace(/#.*/, `${topicIn(on, "late")}/near/${ids.media}`));
  const row = page.locator(`article[data-id="${ids.media}"]`);
  await row.waitFor();
  const picture = page.locator(`article[data-id="${ids.blue}"] img.inline-image`);
  const frame = await picture.boundingBox();
  expect(frame).toMatchObject({ width: 300, height: 200 });
  await picture.press("Enter");
  await lightbox(page).waitFor();
  const places = () =>
    page
      .locator(".feed article")
      .evaluateAll((rows) => rows.map((one) => one.getBoundingClientRect().top));
  const [before, box] = [await places(), await lightbox(page).locator(".stage").boundingBox()];
  letCome();
  await lightbox(page).locator("img:not(.coming)[alt=blue]").waitFor();
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>(".feed img.sized")].every(
      ({ complete, offsetParent }) => complete || offsetParent === null,
    ),
  );
  expect(await places()).toEqual(before);
  expect(await lightbox(page).locator(".stage").boundingBox()).toEqual(box);
  const { bob } = on.world;
  expect((await bob.delete(`/messages/${ids.blue}`)).status).toBe(200);
  await lightbox(page).getByText("film", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await lightbox(page).waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
});

browserTest("films and sounds play in their row, and v opens a message's picture", async () => {
  const { ids, alice } = await setMedia("row");
  const page = await on.open(alice, `${topicIn(on, "row")}/near/${ids.media}`);
  const row = page.locator(`article[data-id="${ids.media}"]`);
  await row.locator("video[controls][title=film]").waitFor();
  await eventually(async () => expect(await row.locator("audio[controls]").count()).toBe(1));
  await eventually(async () => expect(await row.locator("a video").count()).toBe(0));
  await page.evaluate(() => {
    const taken: string[] = [];
    addEventListener("keydown", (event) => {
      if (event instanceof KeyboardEvent && event.defaultPrevented) taken.push(event.key);
    });
    Object.assign(globalThis, { taken });
  });
  for (const key of ["Enter", "Space", "ArrowDown", "End", "ArrowUp", "j"])
    await row.locator("audio").press(key);
  expect(await page.evaluate(() => Reflect.get(globalThis, "taken"))).toEqual(["j"]);
  await page.locator(`article[data-id="${ids.red}"]`).focus();
  await page.keyboard.press("v");
  await lightbox(page).waitFor();
  expect(await shownName(page)).toBe("The wall");
});
