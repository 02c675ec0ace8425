import { isApple, keyName } from "../parts/key-names";
import { singleKeys } from "../store/choices";
import { place, type View } from "../store/place";
import { commands } from "./commands";
import { meaningOf, type Situation } from "./dispatch";
import { type Keyboard, keyboardAfter, strokeOf } from "./keystroke";
import { isOverlayComing } from "./overlay";

let keyboard: Keyboard = { isApple, isLatin: true };

/** The time after which the beginning of a sequence such as `g g` is forgotten. */
const sequenceMilliseconds = 1_000;
let begun: { readonly stroke: string; readonly at: number } | undefined;

/** Runs the commands of keys that are pressed anywhere on the page. */
export const followKeys = (): void => addEventListener("keydown", onKey);

function onKey(event: KeyboardEvent): void {
  keyboard = keyboardAfter(keyboard, event);
  if (event.defaultPrevented) return;
  const stroke = strokeOf(event, keyboard);
  if (stroke === undefined) return;
  const meaning = meaningOf(stroke, commands, situationOf(event));
  begun =
    meaning.kind === "beginning" ? { stroke: meaning.stroke, at: event.timeStamp } : undefined;
  if (meaning.kind === "nothing") return;
  event.preventDefault();
  if (meaning.kind === "command") meaning.command.run();
}

function situationOf({ target, timeStamp }: KeyboardEvent): Situation<View> {
  const element = target instanceof Element ? target : document.body;
  const isFresh = begun !== undefined && timeStamp - begun.at < sequenceMilliseconds;
  return {
    view: place.value.view,
    isWriting: isTextField(element),
    ownKeys: ownKeys.find(([elements]) => element.matches(elements))?.[1] ?? [],
    isCovered: isOverlayComing() || document.querySelector(covers) !== null,
    hasSingleKeys: singleKeys.value === "on",
    begun: isFresh ? begun?.stroke : undefined,
  };
}

const pressing = ["Enter", "Space"];
const arrows = ["↑", "↓", "←", "→"];

/** Keystrokes that elements handle by themselves. The first line that fits an element counts. */
const ownKeys: readonly (readonly [elements: string, strokes: readonly string[]])[] = [
  ["video, audio", [...pressing, ...arrows, "Home", "End"]],
  ["input[type=radio]", [...pressing, ...arrows]],
  ["a, button, summary, select, [role=button], input", pressing],
];

/** Dialogs and menus. While one is open, it receives all keys. */
const covers = "dialog[open], :popover-open";

/**
 * Whether an element is a text field. A field of a dialog that has just closed may keep the focus
 * for a moment.
 */
const isTextField = (element: Element): boolean =>
  element.closest("dialog:not([open])") === null &&
  element.matches(
    "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])",
  );

/** The first keys of a command, for people to read. */
export function keysOf(id: (typeof commands)[number]["id"]): string {
  const [keys] = commands.find((command) => command.id === id)?.keys ?? [];
  return keys === undefined ? "" : keyName(keys);
}
