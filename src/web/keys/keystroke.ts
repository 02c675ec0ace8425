import { isComposing } from "../parts/composing";

/** The facts about a pressed key that browsers provide. */
export interface PressedKey {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** The keyboard on which keys are pressed. */
export interface Keyboard {
  /** Whether ⌘ is used instead of Ctrl. */
  readonly isApple: boolean;
  /** Whether it has Latin letters. If not, keys count by their positions on a Latin keyboard. */
  readonly isLatin: boolean;
}

/**
 * The signs of keys without letters at their positions on a Latin keyboard: alone, and with Shift.
 */
const signsByPlace: Readonly<Record<string, readonly [string, string]>> = {
  Slash: ["/", "?"],
  Period: [".", ">"],
  Comma: [",", "<"],
  Semicolon: [";", ":"],
  Equal: ["=", "+"],
  Minus: ["-", "_"],
  Digit2: ["2", "@"],
  Digit8: ["8", "*"],
};

const namesOfKeys: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  " ": "Space",
};

const isLetter = (key: string): boolean => /^\p{L}$/u.test(key);
const isLatinLetter = (key: string): boolean => /^[a-z]$/i.test(key);

/** The keyboard after a key was pressed. The key's letter shows which script the keyboard has. */
export function keyboardAfter(keyboard: Keyboard, { key }: PressedKey): Keyboard {
  if (!isLetter(key)) return keyboard;
  const isLatin = /^\p{Script=Latin}$/u.test(key);
  return isLatin === keyboard.isLatin ? keyboard : { ...keyboard, isLatin };
}

/**
 * A keystroke as the table of commands writes it: `j`, `Shift N`, `Ctrl K`, `Alt ↑`, `?`. Caps Lock
 * makes no difference. Undefined while an input method composes a text, and for a modifier alone.
 */
export function strokeOf(pressed: PressedKey, keyboard: Keyboard): string | undefined {
  const { ctrlKey, metaKey, altKey, shiftKey } = pressed;
  if (isComposing(pressed) || /^(Process|Dead|Unidentified)$/.test(pressed.key)) return undefined;
  if (/^(Shift|Control|Alt|AltGraph|Meta|CapsLock)$/.test(pressed.key)) return undefined;
  const key = keyOf(pressed, keyboard);
  const [isControl, isOther] = keyboard.isApple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  // A sign that needs AltGr or Option counts as that sign. On some keyboards @ and > need them.
  if (isSign(key) && altKey && (ctrlKey || keyboard.isApple)) return key;
  if (isOther) return undefined;
  const modifiers = [
    isControl && "Ctrl",
    altKey && "Alt",
    shiftKey && !isSign(key) && "Shift",
  ].filter((one) => one !== false);
  const isPlain = modifiers.length === 0;
  return [...modifiers, isLatinLetter(key) && !isPlain ? key.toUpperCase() : key].join(" ");
}

const isSign = (key: string): boolean => /^[^\p{L}\s]$/u.test(key) && !/^[←→↑↓]$/.test(key);

function keyOf({ key, code, shiftKey }: PressedKey, { isLatin }: Keyboard): string {
  if (isLatinLetter(key)) return key.toLowerCase();
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined && (isLetter(key) || !isLatin)) return letter.toLowerCase();
  const signs = isLatin ? undefined : signsByPlace[code];
  return signs?.[shiftKey ? 1 : 0] ?? namesOfKeys[key] ?? key;
}

/** Whether a keystroke is a key alone, or with Shift, so that in a text field it types. */
export const isSingle = (stroke: string): boolean => !/^(Ctrl|Alt) /.test(stroke);
