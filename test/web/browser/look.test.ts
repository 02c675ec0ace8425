import { describe, expect } from "bun:test";
import type { Page } from "playwright-core";
import { en as words } from "../../../src/web/words/en";
import { breachesIn } from "../axe";
import { browserTest, stage } from "../browser";
import { untilKept } from "../kept-by-browser";
import { narrowSizes, overflowing } from "../overflow";
import { readIn } from "../pseudo-language";
import {
  desktop,
  openAbove,
  type Size,
  type Spoken,
  sceneOn,
  settled,
  visitScene,
} from "../scene-openings";
import { chosenAlike } from "../told-apart";
import { eventually } from "../waiting";

/* The look of the client in a browser, for everyone. */

const on = stage();
const slowMilliseconds = 180_000;

const openScene = sceneOn(on);

const themes = ["light", "dark"] as const;

type Theme = (typeof themes)[number];

interface Faults {
  /** Barriers that axe finds, by theme. */
  readonly barriers: Readonly<Record<Theme, string[]>>;
  /** Chosen parts that look as if they were not chosen. */
  readonly alike: string[];
  /** Parts that stand out of windows, by size. */
  readonly outside: readonly Outside[];
}

/** Parts that stand out of a window of one size, by view. */
interface Outside {
  readonly size: Size;
  readonly parts: readonly string[];
}

let looking: Promise<Faults> | undefined;

/** Faults of all views, which are opened once for the tests that tell of them. */
const faultsOfViews = (): Promise<Faults> => {
  looking ??= lookAtViews();
  return looking;
};

async function lookAtViews(): Promise<Faults> {
  const page = await openScene("inbox");
  const barriers: Faults["barriers"] = { light: [], dark: [] };
  const alike: string[] = [];
  const show = (media: Parameters<Page["emulateMedia"]>[0]) =>
    page.emulateMedia({ reducedMotion: "reduce", forcedColors: "none", ...media });
  await show({ colorScheme: "light" });
  const outside = await outsideOf(page, {
    sizes: [desktop, ...Object.values(narrowSizes)],
    async seeOnDesktop(name, part) {
      const noteBarriers = async (theme: Theme) => {
        const isFurtherTheme = theme === "dark";
        for (const barrier of await breachesIn(page, part, { isFurtherTheme }))
          barriers[theme].push(`${name}: ${barrier}`);
      };
      const noteAlike = async (colours: string) => {
        for (const one of await chosenAlike(page, part)) alike.push(`${name}, ${colours}: ${one}`);
      };
      await noteBarriers("light");
      await noteAlike("usual colours");
      await show({ colorScheme: "dark" });
      await noteBarriers("dark");
      await show({ colorScheme: "light", forcedColors: "active" });
      await noteAlike("forced colours");
      await show({ colorScheme: "light" });
    },
  });
  return { barriers, alike, outside };
}

interface Looking {
  readonly sizes: readonly Size[];
  readonly spoken?: Spoken;
  /** Looks at something, by its name and its part of the page, in a window of a desktop. */
  readonly seeOnDesktop?: (name: string, part: string) => Promise<void>;
}

/** Each view at sizes, and what opens above one, with what stands out of it. */
async function outsideOf(
  page: Page,
  { sizes, spoken = "en", seeOnDesktop = async () => undefined }: Looking,
): Promise<readonly Outside[]> {
  const found = sizes.map((size) => ({ size, parts: [] as string[] }));
  await visitScene({ page, world: on.world, sizes, spoken }, async (name, part, size) => {
    const { parts } = found.find((one) => one.size === size) ?? {};
    for (const out of await overflowing(page)) parts?.push(`${name}: ${out}`);
    if (size === desktop) await seeOnDesktop(name, part);
  });
  return found;
}

for (const colorScheme of themes)
  browserTest(
    `in the ${colorScheme} theme no view has a barrier that axe finds`,
    async () => {
      const { barriers } = await faultsOfViews();
      expect(barriers[colorScheme]).toEqual([]);
    },
    slowMilliseconds,
  );

browserTest(
  "with forced colours, and without, what is chosen looks otherwise in every view",
  async () => {
    const { alike } = await faultsOfViews();
    expect(alike).toEqual([]);
  },
  slowMilliseconds,
);

const expectNothingOutside = async (size: Size) => {
  const { outside } = await faultsOfViews();
  expect(outside.filter((one) => one.size === size)).toEqual([{ size, parts: [] }]);
};

browserTest(
  "on a desktop nothing stands out of the window in any view",
  () => expectNothingOutside(desktop),
  slowMilliseconds,
);

describe("a narrow screen", () => {
  for (const [name, size] of Object.entries(narrowSizes))
    browserTest(
      `${name} scrolls in one direction only`,
      () => expectNothingOutside(size),
      slowMilliseconds,
    );

  browserTest("shows one pane at a time, and Back leads to the conversations", async () => {
    const page = await openScene("topic");
    await page.setViewportSize({ width: 390, height: 800 });
    await eventually(async () => expect(await page.locator(".rail").count()).toBe(0));
    await page.getByRole("link", { name: "Back to conversations" }).click();
    await page.locator(".rail").waitFor();
    await eventually(async () => expect(await page.locator(".conversation").count()).toBe(0));
    await page.getByRole("link", { name: "Recent" }).click();
    await page.getByRole("heading", { level: 1, name: "Recent" }).waitFor();
  });

  browserTest("shows people above the messages, until they are closed", async () => {
    const page = await openScene("topic");
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole("button", { name: "Show people" }).click();
    const people = page.getByRole("complementary", { name: "People" });
    await people.getByRole("link", { name: "Chen Wei" }).waitFor();
    await people.getByRole("button", { name: "Close people" }).click();
    await people.waitFor({ state: "detached" });
  });

  browserTest(
    "shows no people above a place that they lead to, or that Back leads to",
    async () => {
      const page = await openScene("inbox");
      await page.setViewportSize({ width: 390, height: 800 });
      const people = page.getByRole("complementary", { name: "People" });
      const show = page.getByRole("button", { name: "Show people" });
      await show.click();
      await people.getByRole("link", { name: "Invite people" }).click();
      await page.getByRole("heading", { level: 1, name: "Invite people" }).waitFor();
      await people.waitFor({ state: "detached" });
      await show.click();
      await people.waitFor();
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
      await people.waitFor({ state: "detached" });
    },
  );
});

browserTest(
  "without the server there is no barrier, and nothing stands out",
  async () => {
    on.browsersAre({ serviceWorkers: "allow" });
    const page = await openScene("topic");
    await untilKept(page, "Tuesday it is, then.");
    on.network.cut();
    await page.reload();
    await page.getByText(words.offline).waitFor();
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await settled(page);
      const isFurtherTheme = colorScheme === "dark";
      expect(await breachesIn(page, "body", { isFurtherTheme })).toEqual([]);
    }
    for (const size of Object.values(narrowSizes)) {
      await page.setViewportSize(size);
      await settled(page);
      expect(await overflowing(page)).toEqual([]);
    }
  },
  slowMilliseconds,
);

browserTest(
  "from right to left the rail stands at the right, and nothing stands out",
  async () => {
    const page = await openScene("topic");
    await readIn(page, "ar-XB");
    await page.reload();
    await settled(page);
    const right = await page.evaluate(
      () => document.querySelector(".rail")?.getBoundingClientRect().right,
    );
    expect(right).toBe(desktop.width);
    const sizes = [desktop, narrowSizes["of 320 px"]];
    expect(await outsideOf(page, { sizes, spoken: "ar-XB" })).toEqual(
      sizes.map((size) => ({ size, parts: [] })),
    );
  },
  slowMilliseconds,
);

browserTest(
  "words that are 40 % longer find their place",
  async () => {
    const page = await openScene("topic");
    await readIn(page, "en-XA");
    await page.reload();
    await page.getByText("Mentions···").waitFor();
    const sizes = [desktop, narrowSizes["of 320 px"]];
    expect(await outsideOf(page, { sizes, spoken: "en-XA" })).toEqual(
      sizes.map((size) => ({ size, parts: [] })),
    );
  },
  slowMilliseconds,
);

browserTest("with forced colours the current line and the badges keep an edge", async () => {
  const page = await openScene("inbox");
  await page.emulateMedia({ forcedColors: "active" });
  const width = await page.evaluate(() => {
    const line = document.querySelector(".rail [aria-current]");
    return line && getComputedStyle(line).outlineWidth;
  });
  expect(width).toBe("2px");
});

browserTest("in the dark theme the page behind a dialogue grows darker, not lighter", async () => {
  const page = await openScene("widgets");
  await page.emulateMedia({ colorScheme: "dark" });
  await openAbove(page, "move");
  const veil = await page
    .locator("dialog[open]")
    .evaluate((dialog) => getComputedStyle(dialog, "::backdrop").backgroundColor);
  expect(veil).toStartWith("rgba(0, 0, 0, ");
});

/** Words of badges and of people without a picture that stand out of what is drawn behind them. */
const standingOut = (page: Page) =>
  page.locator(".badge, .avatar:not(img)").evaluateAll((parts) =>
    parts.flatMap((part) => {
      const range = document.createRange();
      range.selectNodeContents(part.firstElementChild ?? part);
      const [words, ground] = [range.getBoundingClientRect(), part.getBoundingClientRect()];
      const isIn = words.width <= ground.width && words.height <= ground.height;
      return isIn ? [] : [`${part.className}: ${part.textContent}`];
    }),
  );

browserTest("words twice as large stand inside of badges, and of people's pictures", async () => {
  const page = await openScene("topic");
  expect(await standingOut(page)).toEqual([]);
  const { alice } = on.world;
  expect((await alice.patch("/settings", { web_font_size_px: 32 })).status).toBe(200);
  await page.waitForFunction(() => document.documentElement.style.fontSize === "200%");
  expect(await page.locator(".badge, .avatar").count()).toBeGreaterThan(20);
  expect(await standingOut(page)).toEqual([]);
  expect((await alice.patch("/settings", { web_font_size_px: 16 })).status).toBe(200);
});

browserTest("words twice as large leave the name of a topic whole in the head", async () => {
  const page = await openScene("topic");
  await page.setViewportSize({ width: 1280, height: 800 });
  const { alice } = on.world;
  expect((await alice.patch("/settings", { web_font_size_px: 32 })).status).toBe(200);
  await page.waitForFunction(() => document.documentElement.style.fontSize === "200%");
  const { cut, isApart } = await page.locator(".head").evaluate((head) => {
    const [title, end] = ["h1", ".end"].map((one) => head.querySelector(one));
    const names = [...(title?.querySelectorAll("span[dir]") ?? [])];
    return {
      cut: names
        .filter((name) => name.scrollWidth > name.clientWidth)
        .map((one) => one.textContent),
      isApart:
        Number(title?.getBoundingClientRect().right) <= Number(end?.getBoundingClientRect().x),
    };
  });
  expect({ cut, isApart }).toEqual({ cut: [], isApart: true });
  expect((await alice.patch("/settings", { web_font_size_px: 16 })).status).toBe(200);
});

browserTest("lists of choices have the letters of the page, as large as beside them", async () => {
  const lettersOf = (page: Page, selector: string) =>
    page.locator(selector).evaluateAll((parts) =>
      parts.map((part) => {
        const { fontFamily, fontSize } = getComputedStyle(part);
        return { fontFamily, fontSize };
      }),
    );
  for (const view of ["recent", "combined", "settings-appearance"]) {
    const page = await openScene(view);
    await page.locator("select").first().waitFor();
    const letters = await lettersOf(page, "select");
    const [{ fontFamily } = { fontFamily: "" }] = await lettersOf(page, "body");
    expect(letters.length).toBeGreaterThan(0);
    expect(letters.filter((one) => one.fontFamily !== fontFamily)).toEqual([]);
  }
  const page = await openScene("combined");
  await page.locator(".compose .to select").waitFor();
  const [channel, topic] = await lettersOf(page, ".compose .to :is(select, input)");
  expect(channel?.fontSize ?? "").toBe(topic?.fontSize ?? "none");
});
