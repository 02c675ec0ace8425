import type { Page } from "playwright-core";
import type { Answer } from "../support/client";
import type { World } from "../support/world";
import type { Stage } from "./browser";
import { type PseudoLanguage, turned } from "./pseudo-words";
import { setScene, viewsOf } from "./scene";

/* All that can be seen of the scene: its views, and what opens above them. */

/** The language that a page is read in, which has the names of commands in another form. */
export type Spoken = PseudoLanguage | "en";

interface Opening {
  /** Name of the view that it opens above. */
  readonly above: string;
  open(page: Page, spoken: Spoken): Promise<void>;
  /** Selector of its part that comes last. */
  readonly last: string;
}

const lunch = "widgets";
const picture = "The way there";
const ownMessage = "to read before";

/** Opens something by a key at a message. */
const byKey = (message: string, key: string, last: string, above = lunch): Opening => ({
  above,
  last,
  async open(page) {
    await page.getByRole("article").filter({ hasText: message }).first().focus();
    await page.keyboard.press(key);
  },
});

/** Opens something by its name in the palette. */
const byName = (name: string, last: string): Opening => ({
  above: lunch,
  last,
  async open(page, spoken) {
    await page.keyboard.press("Control+k");
    const field = page.getByRole("dialog").getByRole("combobox");
    await field.fill(spoken === "ar-XB" ? turned(name) : name);
    await page.keyboard.press("Enter");
    await page.locator("dialog.palette").waitFor({ state: "detached" });
  },
});

/** Opens something by a button of a view. */
const byButton = (above: string, button: string, last: string): Opening => ({
  above,
  last,
  open: (page) => page.locator(button).first().press("Enter"),
});

const form = "dialog.dialog form footer";

const openings: Readonly<Record<string, Opening>> = {
  palette: {
    above: "inbox",
    last: "dialog.palette [role=option]",
    async open(page) {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("combobox").fill("rel");
    },
  },
  keys: { above: "inbox", last: "dialog dl", open: (page) => page.keyboard.press("?") },
  "person-card": byKey(picture, "u", ".card .choices"),
  "group-card": {
    above: lunch,
    last: ".card .choices",
    open: (page) => page.locator(".user-group-mention").first().click(),
  },
  "message-menu": byKey(picture, "i", "[role=menuitem]"),
  "emoji-picker": byKey(picture, ":", ".emoji-picker [role=option]"),
  lightbox: byKey(picture, "v", "dialog.lightbox footer, dialog.lightbox .stage img"),
  // An older message is not changed any more.
  edit: byKey("At ten.", "e", ".edit textarea:not([readonly])", "direct-several"),
  move: byKey(ownMessage, "m", form),
  history: byKey(picture, "Shift+H", ".history li"),
  readers: byKey(ownMessage, "Shift+V", "dialog.dialog header"),
  status: byName("Set a status", form),
  "new-poll": byName("New poll", form),
  "new-todo": byName("New to-do list", form),
  "new-channel": byName("New channel", form),
  "scheduled-change": byButton("scheduled", ".kept li .choices button:nth-child(2)", form),
  "reminder-change": byButton("reminders", ".kept li .choices button", form),
  "snippet-change": byButton("snippets", ".kept li .choices button", form),
  "file-deletion": byButton("own-files", ".kept li .choices button", form),
  "new-emoji": byButton("settings-organization", ".part .choices .button", form),
  "emoji-removal": byButton("settings-organization", ".part .account .closing", form),
};

const everybody = "[aria-labelledby=channel-everybody]";

/** Views in which an administrator sees more, with a selector of a part that only they see. */
const administered: Readonly<Record<string, string>> = {
  "settings-organization": ".part .account .closing + .closing",
  "channel-settings": everybody,
};

/** Dialogs that only administrators open. */
const administration: Readonly<Record<string, Opening>> = {
  "role-change": byButton("settings-organization", ".part .account .closing", form),
  "account-end": byButton("settings-organization", ".part .account .closing + .closing", form),
  "account-return": {
    above: "settings-organization",
    last: form,
    async open(page) {
      await page.locator(".part .choices .chip:not(.on)").press("Enter");
      await page.locator(".part:has(.chip + .chip.on) .account .closing").first().press("Enter");
    },
  },
  "channel-privacy": byButton("channel-settings", `${everybody} [aria-haspopup=dialog]`, form),
  "channel-archiving": byButton("channel-settings", `${everybody} .button.dangerous`, form),
};

export const desktop = { width: 1440, height: 900 };

/**
 * A way to open alice's browser at a view of the scene, which is set once for the file, after
 * something more was prepared.
 */
export function sceneOn(
  on: Stage,
): (view: string, prepare?: (world: World) => Promise<unknown>) => Promise<Page> {
  let setting: Promise<void> | undefined;
  return async (view, prepare) => {
    setting ??= setScene(on.world);
    await setting;
    await prepare?.(on.world);
    const page = await on.open(on.world.alice, (await viewsOf(on.world))[view]);
    await page.setViewportSize(desktop);
    await settled(page);
    return page;
  };
}

/** Opens something above the view that is open, which is the one it belongs to. */
export async function openAbove(page: Page, name: string, spoken: Spoken = "en"): Promise<void> {
  const opening = openings[name] ?? administration[name];
  if (!opening) throw new Error(`The scene has no ${name}.`);
  await opening.open(page, spoken);
  await page.locator(opening.last).first().waitFor();
  await settled(page);
}

/** Selector of what is open above a view, or in it. */
const openParts = "dialog[open], :popover-open, .edit";

/**
 * Goes to each view, and opens all that opens above one; `visit` is called with each by its name,
 * and with the selector of its part of the page. At last alice is an administrator for a while.
 */
export async function visitScene(
  page: Page,
  world: World,
  visit: (name: string, part: string) => Promise<void>,
  spoken: Spoken = "en",
): Promise<void> {
  const views = await viewsOf(world);
  const go = async (name: string) => {
    await page.goto(`${new URL(page.url()).origin}/${views[name]}`);
    await settled(page);
  };
  for (const name of Object.keys(views)) {
    await go(name);
    await visit(name, "body");
  }
  const visitAbove = async (all: typeof openings) => {
    for (const [name, { above }] of Object.entries(all)) {
      await go(above);
      await openAbove(page, name, spoken);
      await visit(name, openParts);
      await closeAll(page);
    }
  };
  await visitAbove(openings);
  await whileAdministrator(world, async () => {
    for (const [name, more] of Object.entries(administered)) {
      await go(name);
      await page.locator(more).first().waitFor();
      await visit(`${name}-administered`, "body");
    }
    await visitAbove(administration);
  });
}

/** Does something while alice is an administrator, and greta's account has ended. */
async function whileAdministrator(
  { alice, greta, olga }: World,
  run: () => Promise<void>,
): Promise<void> {
  const undone: Answer[] = [];
  try {
    requireAccepted(await olga.patch(`/users/${alice.id}`, { role: 200 }));
    requireAccepted(await olga.delete(`/users/${greta.id}`));
    await run();
  } finally {
    undone.push(await olga.post(`/users/${greta.id}/reactivate`));
    undone.push(await olga.patch(`/users/${alice.id}`, { role: 400 }));
  }
  undone.forEach(requireAccepted);
}

function requireAccepted({ status }: Answer): void {
  if (status !== 200) throw new Error("A role or an account was refused.");
}

/** Presses of Esc, a frame apart, after which everything is closed. */
const pressesMax = 100;

/** Closes what is open above a view, or in it. */
async function closeAll(page: Page): Promise<void> {
  for (let press = 0; press < pressesMax; press++) {
    if ((await page.locator(openParts).count()) === 0) return;
    await page.keyboard.press("Escape");
    await painted(page);
  }
  throw new Error(`Esc does not close ${openParts}`);
}

/** Waits for a frame: another size of the window counts for the page from its next one on. */
export const painted = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));

/** Waits until the messages, or the lines, of a view have come, and are drawn. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      !document.querySelector("[aria-busy=true]") &&
      document.querySelector(".pane, .rows, .rail nav") !== null,
  );
  await painted(page);
}
