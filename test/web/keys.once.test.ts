import { describe, expect, test } from "bun:test";
import { strokeOf as strokeInBox } from "../../src/web/compose/stroke";
import { type Keyed, meaningOf, type Situation } from "../../src/web/keys/dispatch";
import {
  type Keyboard,
  keyboardAfter,
  type PressedKey,
  strokeOf,
} from "../../src/web/keys/keystroke";
import { rankedBy } from "../../src/web/model/ranking";
import { keyName } from "../../src/web/parts/key-names";
import { de } from "../../src/web/words/de";

const pc: Keyboard = { isApple: false, isLatin: true };
const apple: Keyboard = { isApple: true, isLatin: true };
const cyrillic: Keyboard = { isApple: false, isLatin: false };

const pressed = (key: string, code: string, more: Partial<PressedKey> = {}): PressedKey => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  keyCode: 0,
  ...more,
});

describe("a keystroke", () => {
  const rows: [name: string, PressedKey, Keyboard, string | undefined][] = [
    ["of a letter", pressed("j", "KeyJ"), pc, "j"],
    ["with Shift", pressed("N", "KeyN", { shiftKey: true }), pc, "Shift N"],
    ["under Caps Lock", pressed("J", "KeyJ"), pc, "j"],
    ["with Shift under Caps Lock", pressed("n", "KeyN", { shiftKey: true }), pc, "Shift N"],
    ["with Ctrl", pressed("k", "KeyK", { ctrlKey: true }), pc, "Ctrl K"],
    ["with ⌘", pressed("k", "KeyK", { metaKey: true }), apple, "Ctrl K"],
    ["with the system's key", pressed("k", "KeyK", { metaKey: true }), pc, undefined],
    ["with Alt and an arrow", pressed("ArrowUp", "ArrowUp", { altKey: true }), pc, "Alt ↑"],
    ["of a sign", pressed("?", "Slash", { shiftKey: true }), pc, "?"],
    ["of the sign on a German keyboard", pressed("?", "Minus", { shiftKey: true }), pc, "?"],
    ["of a letter moved on a French keyboard", pressed("a", "KeyQ"), pc, "a"],
    ["of a Russian letter", pressed("о", "KeyJ"), cyrillic, "j"],
    ["of a Russian letter with Ctrl", pressed("л", "KeyK", { ctrlKey: true }), pc, "Ctrl K"],
    ["of a sign on a Russian keyboard", pressed(".", "Slash"), cyrillic, "/"],
    ["of a letter with AltGr", pressed("@", "KeyQ", { ctrlKey: true, altKey: true }), pc, "@"],
    ["of a letter with Option", pressed("@", "KeyL", { altKey: true }), apple, "@"],
    ["while composing", pressed("j", "KeyJ", { isComposing: true }), pc, undefined],
    [
      "that ends a composition in Safari",
      pressed("Escape", "Escape", { keyCode: 229 }),
      pc,
      undefined,
    ],
    ["that an input method has taken", pressed("Process", "KeyJ"), pc, undefined],
    ["of Shift alone", pressed("Shift", "ShiftLeft", { shiftKey: true }), pc, undefined],
    ["of Space with Shift", pressed(" ", "Space", { shiftKey: true }), pc, "Shift Space"],
  ];
  test.each(rows)("%s", (_name, key, keyboard, stroke) => {
    expect(strokeOf(key, keyboard)).toBe(stroke);
  });

  test("tells the script of the keyboard, which signs leave as it is", () => {
    const russian = keyboardAfter(pc, pressed("о", "KeyJ"));
    expect(russian.isLatin).toBe(false);
    expect(keyboardAfter(russian, pressed(".", "Slash"))).toBe(russian);
    expect(keyboardAfter(russian, pressed("é", "Digit2")).isLatin).toBe(true);
  });
});

describe("a keystroke in a box", () => {
  const ctrl = { ctrlKey: true };
  const rows: [name: string, PressedKey, string][] = [
    ["of a letter", pressed("b", "KeyB", ctrl), "Ctrl B"],
    ["under Caps Lock", pressed("B", "KeyB", ctrl), "Ctrl B"],
    ["with Shift", pressed("C", "KeyC", { ...ctrl, shiftKey: true }), "Ctrl Shift C"],
    ["with ⌘", pressed("i", "KeyI", { metaKey: true }), "Ctrl I"],
    ["that copies on a Dvorak keyboard", pressed("c", "KeyI", ctrl), "Ctrl C"],
    ["that undoes on a Neo keyboard", pressed("z", "KeyB", ctrl), "Ctrl Z"],
    ["of a Russian letter", pressed("и", "KeyB", ctrl), "Ctrl B"],
    ["of a letter with Option", pressed("π", "KeyP", { altKey: true }), "Alt P"],
    ["of a sign where others have a letter", pressed(".", "KeyE", ctrl), "Ctrl ."],
  ];
  test.each(rows)("%s", (_name, key, stroke) => {
    expect(strokeInBox(key)).toBe(stroke);
  });
});

describe("a keystroke means", () => {
  const table: (Keyed<"inbox" | "feed"> & { id: string })[] = [
    { id: "palette", keys: ["Ctrl K"] },
    { id: "first", keys: ["Home", "g g"] },
    { id: "open", keys: ["Enter"], views: ["inbox"] },
    { id: "reply", keys: ["r", "Enter"], views: ["feed"] },
    { id: "leave", keys: ["Esc"] },
    { id: "sender", keys: ["u"] },
  ];
  const atRest: Situation<"inbox" | "feed"> = {
    view: "feed",
    isWriting: false,
    ownKeys: [],
    isCovered: false,
    hasSingleKeys: true,
    begun: undefined,
  };
  const means = (stroke: string, more: Partial<typeof atRest> = {}) => {
    const meaning = meaningOf(stroke, table, { ...atRest, ...more });
    return meaning.kind === "command" ? meaning.command.id : meaning.kind;
  };

  test("the command of the view that is open", () => {
    expect([means("Enter"), means("Enter", { view: "inbox" })]).toEqual(["reply", "open"]);
    expect([means("r", { view: "inbox" }), means("z")]).toEqual(["nothing", "nothing"]);
  });

  test("nothing in a field, but with Ctrl, Alt, and Esc", () => {
    const isWriting = true;
    expect(["r", "u", "Enter", "Home", "Space"].map((key) => means(key, { isWriting }))).toEqual(
      Array.from({ length: 5 }, () => "nothing"),
    );
    expect([means("Ctrl K", { isWriting }), means("Esc", { isWriting })]).toEqual([
      "palette",
      "leave",
    ]);
  });

  test("nothing at an element that handles it by itself, as a button does with Enter", () => {
    const ownKeys = ["Enter", "Space"];
    expect([means("Enter", { ownKeys }), means("r", { ownKeys })]).toEqual(["nothing", "reply"]);
  });

  test("nothing under a dialog, which has the keys", () => {
    expect([means("Esc", { isCovered: true }), means("Ctrl K", { isCovered: true })]).toEqual([
      "nothing",
      "nothing",
    ]);
  });

  test("no command of a single key where they are switched off", () => {
    const hasSingleKeys = false;
    expect(
      ["r", "u", "Home", "Enter", "Ctrl K"].map((key) => means(key, { hasSingleKeys })),
    ).toEqual(["nothing", "nothing", "first", "reply", "palette"]);
  });

  test("the end of a sequence after its beginning", () => {
    expect(means("g")).toBe("beginning");
    expect(means("g", { begun: "g" })).toBe("first");
    expect(means("u", { begun: "g" })).toBe("sender");
  });
});

describe("a text finds", () => {
  const things = [
    { name: "release 2.0", recency: 5 },
    { name: "pre-release checks", recency: 9 },
    { name: "real estate", recency: 1 },
    { name: "Renée Élan", recency: 0 },
    { name: "Recent", recency: 0, otherWords: "conversations" },
  ];
  const found = (text: string) => rankedBy(things, text, 9).map(({ name }) => name);

  test("names that begin with it, then those with such a word, then those with its letters", () => {
    expect(found("rel")).toEqual([
      "release 2.0",
      "pre-release checks",
      "real estate",
      "Renée Élan",
    ]);
  });

  test("the most recently used first among equals", () => {
    expect(found("re").slice(0, 2)).toEqual(["release 2.0", "real estate"]);
  });

  test("names by several of their words, and by words that stand for them", () => {
    expect([found("elan ren"), found("convers")]).toEqual([["Renée Élan"], ["Recent"]]);
  });

  test("everything where it is empty, the most recently used first", () => {
    expect(found("")[0]).toBe("pre-release checks");
  });

  test("letters that stand apart only from the beginning of a word on", () => {
    const rooms = ["general chat", "Email Gateway", "weather", "Set a status"];
    const named = rooms.map((name) => ({ name, recency: 0 }));
    const sought = (text: string) => rankedBy(named, text, 9).map(({ name }) => name);
    expect(sought("eat")).toEqual(["weather", "Email Gateway"]);
    expect(sought("gct")).toEqual(["general chat"]);
    expect(sought("hat")).toEqual(["general chat"]);
    expect(sought("gn ct")).toEqual(["general chat"]);
  });

  test("all that it fits, in one order, however many are wanted", () => {
    const many = Array.from({ length: 300 }, (_, index) => ({
      name: ["Rena", "Mira", "Karen"][index % 3] + " x".repeat(index % 7),
      index,
      recency: index % 2,
    }));
    const all = rankedBy(many, "re", many.length);
    expect(all.length).toBe(200);
    expect(rankedBy(many, "re", 299)).toEqual(all);
    expect(rankedBy(many, "re", 30)).toEqual(all.slice(0, 30));
  });

  test("nothing where nothing has its letters", () => expect(found("xyz")).toEqual([]));
});

test("keys are named as they stand on the keyboard", () => {
  expect(keyName("Ctrl Shift L", false)).toBe("Ctrl Shift L");
  expect(keyName("Ctrl Shift L", true)).toBe("⌘ ⇧ L");
  expect(keyName("PageDown")).toBe("Page Down");
});

test("keys have their German names in German", () => {
  const keys = ["Ctrl K", "Ctrl Enter", "Shift Space", "Home", "End", "Alt P", "Esc", "g g", "⌘ K"];
  expect(["PageUp", "PageDown"].map(de.keys)).toEqual(["Bild↑", "Bild↓"]);
  expect(keys.map(de.keys)).toEqual([
    "Strg K",
    "Strg Eingabe",
    "Umschalt Leertaste",
    "Pos1",
    "Ende",
    "Alt P",
    "Esc",
    "g g",
    "⌘ K",
  ]);
});
