import type { Page } from "playwright-core";
import type { Answer } from "../support/client";
import type { World } from "../support/world";
import { patienceMilliseconds, type Stage } from "./browser";
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
  /**
   * Whether it is placed beside something when it opens, so that it is opened anew at each size.
   */
  readonly isPlaced?: boolean;
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

const placed = (opening: Opening): Opening => ({ ...opening, isPlaced: true });

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
  "person-card": placed(byKey(picture, "u", ".card .choices")),
  "group-card": {
    above: lunch,
    last: ".card .choices",
    isPlaced: true,
    open: (page) => page.locator(".user-group-mention").first().click(),
  },
  "message-menu": placed(byKey(picture, "i", "[role=menuitem]")),
  "emoji-picker": placed(byKey(picture, ":", ".emoji-picker [role=option]")),
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
 * A way to open alice's browser at a view of the scene, in a window of some size. The scene is set
 * once for the file, and something more may be prepared before the view is opened.
 */
export function sceneOn(
  on: Stage,
  size: Size = desktop,
): (view: string, prepare?: (world: World) => Promise<unknown>) => Promise<Page> {
  let setting: Promise<void> | undefined;
  return async (view, prepare) => {
    setting ??= setScene(on.world);
    await setting;
    await prepare?.(on.world);
    const page = await on.open(on.world.alice, (await viewsOf(on.world))[view]);
    await page.setViewportSize(size);
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

/** Size of a window, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

interface Visit {
  readonly page: Page;
  readonly world: World;
  readonly spoken?: Spoken;
  /** Sizes at which everything is seen. Without one, it is seen at that of the page. */
  readonly sizes?: readonly Size[];
}

/**
 * Goes to each view, and opens all that opens above one; `see` is called with each by its name,
 * with the selector of its part of the page, and with each size of the window. At last alice is an
 * administrator for a while.
 */
export async function visitScene(
  { page, world, spoken = "en", sizes = [] }: Visit,
  see: (name: string, part: string, size: Size) => Promise<void>,
): Promise<void> {
  const views = await viewsOf(world);
  const go = (name: string) => goTo(page, views[name] ?? "");
  const atEachSize = await sizesInTurn(page, sizes);
  for (const name of Object.keys(views)) {
    await go(name);
    await atEachSize((size) => see(name, "body", size));
  }
  const visitAbove = async (all: typeof openings) => {
    for (const [name, { above, last, isPlaced = false }] of Object.entries(all)) {
      const open = async () => {
        await go(above);
        await openAbove(page, name, spoken);
      };
      if (!isPlaced) await open();
      await atEachSize(async (size) => {
        if (isPlaced) await open();
        // Nothing wrong would be seen in an opening that another size has closed.
        await page.locator(last).first().waitFor();
        await see(name, openParts, size);
        if (isPlaced) await closeAll(page);
      });
      if (!isPlaced) await closeAll(page);
    }
  };
  await visitAbove(openings);
  await whileAdministrator(world, async () => {
    for (const [name, more] of Object.entries(administered)) {
      await go(name);
      await atEachSize(async (size) => {
        await page.locator(more).first().waitFor();
        await see(`${name}-administered`, "body", size);
      });
    }
    await visitAbove(administration);
  });
}

/**
 * Gives the page each size in turn, beginning with the one that it was left with, because another
 * size takes as long as many looks. The last size is the first of the next turn, so that views are
 * opened at each of them.
 */
async function sizesInTurn(page: Page, sizes: readonly Size[]) {
  let turn = sizes.length > 0 ? sizes : [page.viewportSize() ?? desktop];
  const [first] = turn;
  if (first) await page.setViewportSize(first);
  return async (look: (size: Size) => Promise<void>) => {
    for (const [index, size] of turn.entries()) {
      if (index > 0) {
        await page.setViewportSize(size);
        await painted(page);
        await settled(page);
      }
      await look(size);
    }
    turn = [...turn.slice(-1), ...turn.slice(0, -1)];
  };
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
export const settled = (page: Page): Promise<void> => goTo(page);

/** Goes to a fragment, where there is one, until the view is drawn with its messages or lines. */
const goTo = (page: Page, fragment?: string): Promise<void> =>
  page.evaluate(
    async ([place, patience]) => {
      const since = performance.now();
      const frame = () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
      const isThere = () =>
        !document.querySelector("[aria-busy=true]") &&
        document.querySelector(".pane, .rows, .rail nav") !== null;
      if (place !== undefined) {
        location.assign(place);
        await frame();
      }
      for (let wasThere = false; !wasThere; ) {
        wasThere = isThere();
        await frame();
        if (performance.now() - since > patience) throw new Error("The view has not come.");
      }
    },
    [fragment, patienceMilliseconds] as const,
  );
