import type { Page } from "playwright-core";
import { sectionNames } from "../../src/web/model/setting-sections";
import { en } from "../../src/web/words/en";
import { keys } from "../../src/web/words/en/keys";
import { patienceMilliseconds } from "./browser";

/* A person who does one thing after the other by keyboard alone, as a seed decides. */

/** Numbers that a seed decides: each call answers one from 0 to below `count`. */
export function numbersOf(seed: number): (count: number) => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return (count) => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    const further = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return ((further ^ (further >>> 14)) >>> 0) % count;
  };
}

/** Somebody's screen, as far as it decides which keys can be pressed. */
export interface Screen {
  /** Kind of the element that has the focus. */
  readonly focus: "nowhere" | "box" | "field" | "choice" | "control" | "other";
  /** Name, text and value of it. */
  readonly name: string;
  readonly value: string;
  /** Whether a dialog, a menu or a card is above the page. */
  readonly isCovered: boolean;
  readonly view: string;
  /** Texts that are neither in a box nor kept by the browser. */
  readonly missing: readonly string[];
}

/** Something that is done by keyboard: its name, and its keys, or a text that is typed. */
export interface KeyboardAction {
  readonly name: string;
  readonly keys: readonly string[];
  /** Text that is typed into the field which has the focus. */
  readonly text?: string;
  /** Text that the palette is opened for. */
  readonly sought?: string;
}

const pressing = (...keys: string[]): KeyboardAction => ({ name: keys.join(" "), keys });

/** Keys that the table of commands names, as the browser is told of them. */
export function keysOfTable(sources: readonly string[]): readonly (readonly string[])[] {
  const named = sources.flatMap((source) =>
    [...source.matchAll(/keys: \[([^\]]+)\]/g)].flatMap(([, list = ""]) =>
      [...list.matchAll(/"([^"]+)"/g)].map(([, key = ""]) => key),
    ),
  );
  return named.map(strokesOf);
}

/** Strokes of a key of the table, which may be a sequence. */
export const strokesOf = (key: string): readonly string[] =>
  /^\S \S$/.test(key) ? key.split(" ") : [strokeOf(key)];

const signs: Readonly<Record<string, string>> = {
  Ctrl: "Control",
  Esc: "Escape",
  "↓": "ArrowDown",
  "↑": "ArrowUp",
};
const strokeOf = (key: string): string =>
  key
    .split(" ")
    .map((part) => signs[part] ?? part)
    .map((part, index, all) => (all[0] === "Control" && index === 1 ? part.toLowerCase() : part))
    .join("+");

/** Commands that lead to all views, and to what opens above them. */
const leading = `inbox recent combined mentions starred reactions alerts files drafts scheduled reminders
  snippets ownFiles channels invitations help status newChannel newDirect newTopic`;

const isLeading = ([id]: readonly [string, string]): boolean => leading.split(/\s+/).includes(id);

/**
 * Texts by which the palette leads to all views, to what opens above them, and to conversations.
 */
export const soughtTexts: readonly string[] = Object.entries(keys.commands)
  .filter(isLeading)
  .map(([, name]) => name)
  .concat(sectionNames.map((section) => en.views.sections[section]))
  .concat("engineering", "release 2.0", "lunch on Tuesday", "Hana Sato", "frequencies");

/** Names of what ends a session or takes a text away for good, which is not pressed. */
const isFinal = /sign out|log out|deactivate|generate|delete|archive|discard|reload/i;

type Numbers = (count: number) => number;

/** The next thing that somebody does who sees a screen. */
export function nextAction(
  screen: Screen,
  step: number,
  from: Numbers,
  keys: readonly (readonly string[])[],
): KeyboardAction {
  const one = <Thing>(list: readonly [Thing, ...Thing[]] | readonly Thing[]): Thing =>
    list[from(list.length)] as Thing;
  const safe = (action: KeyboardAction): KeyboardAction =>
    isFinal.test(screen.name) && /Enter|Space/.test(action.name) ? pressing("Tab") : action;
  const typed: KeyboardAction = { name: "type", keys: [], text: `z${step.toString(36)}q` };
  const walked = ["Tab", "Tab", "Shift+Tab", "ArrowDown", "ArrowUp", "Home", "End"].map((key) =>
    pressing(key),
  );
  if (step % 6 === 0 && !screen.isCovered) {
    const sought = soughtTexts[(from(soughtTexts.length) + step) % soughtTexts.length] ?? "";
    return { name: `go to “${sought}”`, keys: [], sought };
  }
  if (screen.focus === "box" || screen.focus === "field") {
    const inBox = ["Enter", "Control+Enter", "Control+b", "Alt+p", "Escape"].map((key) =>
      pressing(key),
    );
    const further = screen.focus === "box" ? inBox : [pressing("Enter"), pressing("Escape")];
    return safe(one([typed, typed, typed, ...further, one(walked)]));
  }
  // Other choices of a list are made at once, and another language loads the page anew.
  if (screen.focus === "choice") return pressing(one(["Tab", "Shift+Tab", "Escape"]));
  const pressed = [pressing("Enter"), pressing("Enter"), pressing("Space")];
  if (screen.isCovered)
    return safe(one([...walked, ...pressed, ...pressed, pressing("Escape"), pressing("Escape")]));
  if (from(10) < 6) {
    const [first = "Tab", ...rest] = one(keys);
    return safe(pressing(first, ...rest));
  }
  return safe(one([...walked, ...pressed]));
}

/** Does something by keyboard. */
export async function doByKeyboard(page: Page, action: KeyboardAction): Promise<void> {
  const { keyboard } = page;
  for (const key of action.keys) await keyboard.press(key);
  if (action.text !== undefined) await keyboard.type(action.text);
  if (action.sought === undefined) return;
  await keyboard.press("Control+k");
  const isOpen = await page.evaluate(
    () =>
      new Promise<boolean>((seen) =>
        requestAnimationFrame(() =>
          setTimeout(() => seen(document.activeElement?.closest("dialog.palette") !== null)),
        ),
      ),
  );
  if (!isOpen) return;
  await keyboard.insertText(action.sought);
  await keyboard.press("Enter");
}

/**
 * The screen after something was done: once the page is whole, is painted, and something has the
 * focus; or after some patience, as it is then.
 */
export async function screenOf(page: Page, kept: readonly string[]): Promise<Screen> {
  for (;;)
    try {
      return await page.evaluate(lookAtScreen, [kept, patienceMilliseconds] as const);
    } catch (error) {
      // Another language, or the end of a session, loads the page anew.
      if (!(error instanceof Error) || !/context was destroyed/i.test(error.message)) throw error;
      await page.locator(".shell[data-whole=true]").waitFor();
    }
}

function lookAtScreen([kept, patience]: readonly [readonly string[], number]): Promise<Screen> {
  const kindOf = (element: Element): Screen["focus"] => {
    if (element === document.body) return "nowhere";
    if (element.matches(".compose textarea, .edit textarea")) return "box";
    const fields = "textarea, input:is([type=text], [type=search], :not([type]))";
    if (element.matches(fields) && !element.matches(":read-only")) return "field";
    if (element.matches("select, input:not([type=checkbox], [type=radio])")) return "choice";
    return element.matches("a, button, input, summary, [role=button]") ? "control" : "other";
  };
  const look = (): Screen => {
    const element = document.activeElement ?? document.body;
    const texts = [...document.querySelectorAll("textarea")].map(({ value }) => value);
    const all = [...texts, ...Object.values(localStorage)].join("\n");
    const isRoot = element.matches("body, main, section, dialog");
    return {
      focus: kindOf(element),
      name: `${element.tagName.toLowerCase()}.${element.className} ${element.ariaLabel ?? ""} ${isRoot ? "" : element.textContent?.slice(0, 60)}`,
      value: "value" in element ? String(element.value) : "",
      isCovered: document.querySelector("dialog[open], [role=menu], :popover-open") !== null,
      view: location.hash,
      missing: kept.filter((text) => !all.includes(text)),
    };
  };
  return new Promise((resolve) => {
    const since = performance.now();
    const again = () => {
      const isWhole = document.querySelector(".shell[data-whole=true]") !== null;
      // A dialog that was sent closes when the server has answered, and one may be on its way.
      const isSending = document.querySelector("dialog [aria-busy=true], .awaited") !== null;
      const screen = look();
      const isRight = isWhole && !isSending && screen.focus !== "nowhere";
      if (isRight || performance.now() - since > patience) resolve(screen);
      else setTimeout(again, 10);
    };
    requestAnimationFrame(() => setTimeout(again));
  });
}
