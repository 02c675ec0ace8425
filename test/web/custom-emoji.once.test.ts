import { expect, test } from "bun:test";
import { ApiError } from "../../src/core/errors";
import { emojiMibMax } from "../../src/management/realm-emoji/routes";
import { cleanEmojiName } from "../../src/management/realm-emoji/service";
import { lengthsMax } from "../../src/protocol/limits";
import { animatedMibMax } from "../../src/realm/realm-emoji/image";
import {
  cleanName,
  faultOfName,
  movingMibMax,
  nameOfFile,
  pictureMibMax,
} from "../../src/web/model/custom-emoji";
import type { Model } from "../../src/web/model/snapshot";

/* Names of custom emoji in the web client. */

const nobody = { users: new Map(), me: 1, emoji: new Map() } as unknown as Model;
const faultOf = (typed: string) =>
  faultOfName(cleanName(typed), { model: nobody, builtIn: new Set(["smile"]) });

/** The stored name that the server makes of a typed one; undefined if it refuses it. */
function stored(typed: string): string | undefined {
  try {
    return cleanEmojiName(typed);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

test("a name has a fault exactly where the server refuses it, and is otherwise stored alike", () => {
  const typed = [
    "",
    " ",
    "owl",
    " acme owl ",
    "UPPER",
    "ends_",
    "-",
    "-a",
    "..a",
    "ü",
    "a/b",
    "a:b",
  ];
  for (const name of [...typed, "a\tb", "7", "x".repeat(lengthsMax.emojiName)]) {
    const fault = faultOf(name);
    expect([name, fault === undefined ? cleanName(name) : undefined]).toEqual([name, stored(name)]);
  }
  expect(stored("x".repeat(lengthsMax.emojiName + 1))).toBeUndefined();
  expect(faultOf("smile")).toBe("builtIn");
});

test("the name of a picture's file becomes a name that the server takes, or none", () => {
  const files = {
    "Party Cät.png": "party_cat",
    "__owl (2).final.GIF": "owl_2_.final",
    "ΩΩ.png": "",
    ".png": "",
    owl: "owl",
    [`${"long ".repeat(40)}.png`]: `${"long_".repeat(20)}`.slice(0, -1),
  };
  for (const [file, name] of Object.entries(files)) {
    expect([file, nameOfFile(file)]).toEqual([file, name]);
    if (name !== "") expect(stored(name)).toBe(name);
  }
});

test("the greatest sizes of pictures are those of the server", () => {
  expect([pictureMibMax, movingMibMax]).toEqual([emojiMibMax, animatedMibMax]);
});
