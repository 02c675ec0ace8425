import { expect, test } from "bun:test";
import { join } from "node:path";
import { de } from "../../src/web/words/de";
import { en, type Words } from "../../src/web/words/en";
import { wordsOf } from "../../src/web-page/page";
import { english } from "./languages/english";
import { pseudoLanguage } from "./pseudo-words";

const folder = join(import.meta.dir, "../../src/web/words");
const forms = { br: new Blob([]), gzip: new Blob([]), identity: new Blob([]) };

test("a page has the words of its reader's language, or none but the client's own", () => {
  const names = ["main-a1b2c3d4.js", "words-de-e5f6a7b8.js", "words-zh-hans-c9d0e1f2.js"];
  const bundle = new Map(names.map((name) => [name, forms]));
  const found = ["de", "zh-hans", "en", "d", "zh"].map((language) => wordsOf(bundle, language));
  expect(found).toEqual([
    "/static/web/words-de-e5f6a7b8.js",
    "/static/web/words-zh-hans-c9d0e1f2.js",
    undefined,
    undefined,
    undefined,
  ]);
});

test("parts of the client take their words from the language, too", async () => {
  const files = [...new Bun.Glob("*.ts").scanSync({ cwd: folder })];
  const others = ["de.ts", "en.ts", "language.ts", "words.ts"];
  for (const file of files.filter((name) => !others.includes(name) && !/^words-/.test(name)))
    expect(await Bun.file(join(folder, file)).text()).toContain("globalThis.chatdLanguage?.parts.");
});

test("counts in texts have their digits in groups", () => {
  expect([en.unread(1_234), en.views.showMore(12_345), en.newMessages(999)]).toEqual([
    "1,234 messages unread",
    "Show 12,345 more",
    "999 new",
  ]);
  expect([de.unread(1_234), de.views.showMore(12_345), de.newMessages(999)]).toEqual([
    "1.234 Nachrichten ungelesen",
    "12.345 weitere anzeigen",
    "999 neu",
  ]);
});

test("a language that lacks a text does not compile", () => {
  const { back: _back, ...lacking } = en;
  // @ts-expect-error A text is missing.
  const words: Words = lacking;
  expect(Object.keys(words)).not.toContain("back");
});

test("a pseudo-language has each text of English, and those that are made of something", () => {
  const longer = pseudoLanguage(english, "en-XA").words;
  expect(longer.views.mentions).toBe("Mentions····");
  expect(longer.unread(2)).toBe("2 messages unread·······");
  expect(longer.roles.get(600)).toBe("guest··");
  expect(pseudoLanguage(english, "ar-XB").words.back).toBe(
    "\u202eBack\u202c \u202eto\u202c \u202econversations\u202c",
  );
});
