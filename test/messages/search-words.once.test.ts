import { describe, expect, spyOn, test } from "bun:test";
import { phrase } from "../../db/sql/search/match";
import { searchIndexOf } from "../../db/sql/search/search-index";
import { highlightHtml, highlightText } from "../../src/messages/search/highlight";
import { readSearch } from "../../src/messages/search/query";
import { stemOf } from "../../src/messages/search/stem";
import { partsOfHtml, wordsOf } from "../../src/messages/search/words";
import { fastestRun } from "../support/cpu-time";

const keys = (text: string) => [...wordsOf(text)].map(({ key }) => key).join(" ");

describe("Words are found by the same key", () => {
  test.each([
    ["apple", "apples"],
    ["edit", "edited", "editing", "edits"],
    ["study", "studies", "studied", "studying"],
    ["merge", "merged", "merging", "merges"],
    ["run", "running", "runs"],
    ["go", "going"],
    ["speed", "speeding", "speeds"],
    ["class", "classes"],
    ["party", "parties"],
  ])("in English: %s, %s", (...forms) =>
    expect(new Set(forms.map(String).map(stemOf)).size).toBe(1),
  );

  test.each([
    ["Café", "cafe"],
    ["ÜBER", "uber"],
    ["straße", "STRASSE"],
    ["Łódź", "lodz"],
    ["ＡＢＣ", "abc"],
    ["ﬁne", "fine"],
    ["İstanbul", "istanbul"],
    ["שָׁלוֹם", "שלום"],
    ["مُحَمَّد", "محمد"],
    ["がぎ", "か\u3099き\u3099"],
  ])("without case, accents and width: %s, %s", (one, other) =>
    expect(keys(one)).toBe(keys(other)),
  );

  test("but words that merely look alike are not one", () => {
    expect(
      new Set(["university", "universe", "thing", "thin", "sing", "sin", "bus", "bush"].map(stemOf))
        .size,
    ).toBe(8);
  });
});

test("Where a script has no spaces each letter is a word, with its marks", () => {
  expect(keys("日本語のテスト")).toBe("日 本 語 の テ ス ト");
  expect(keys("สวัสดี abc")).toBe("ส วั ส ดี abc");
  expect(keys("한국어")).toBe("한 국 어");
  expect(keys("हिन्दी भाषा")).toBe("हिन्दी भाषा");
});

test("Of HTML what is shown is found, and neither tags nor entities", () => {
  const html =
    '<p>AT&amp;T <a href="https://hidden.example/a>b">the link</a> caf&eacute; &#39;x&#39; <code>f&lt;y&gt;</code></p>';
  expect([...partsOfHtml(html)].flatMap(({ words }) => words.map(({ key }) => key)).join(" ")).toBe(
    "at t the link caf x f y",
  );
  for (const text of [html, "a < b", '<a "b <c>'])
    expect([...partsOfHtml(text)].map((part) => part.html).join("")).toBe(text);
});

describe("What somebody types", () => {
  test.each([
    ["green apple", [["green"], ["appl"]]],
    ['"green apple" pie', [["green", "appl"], ["pie"]]],
    [
      "it's a@b.com",
      [
        ["it", "s"],
        ["a", "b", "com"],
      ],
    ],
    ["日本", [["日", "本"]]],
    ['"unfinished', [["unfinish"]]],
    ['!!! "" -', []],
  ])("is words and phrases: %s", (typed, phrases) =>
    expect<unknown>(readSearch(typed).phrases).toEqual(phrases),
  );

  test("never becomes more than words for the engine", () => {
    const typed = `a" OR "b' | !c & (d) NEAR(e f) -g col:h i* ^j \\ ; -- \u0000 \ue000m \ue001`;
    for (const keysOfPhrase of readSearch(typed).phrases)
      for (const key of keysOfPhrase) expect(key).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
    expect(searchIndexOf("sqlite").matchText(phrase("a", "b"))).toBe('"a b"');
    expect(searchIndexOf("postgres").matchText(phrase("a", "b"))).toBe(
      "(('a' | 'a\ue002':*) <-> ('b' | 'b\ue002':*))",
    );
  });
});

describe("What was found is marked", () => {
  const marked = (text: string) =>
    text.replaceAll("[", '<span class="highlight">').replaceAll("]", "</span>");

  test.each([
    ["<p>red apple one</p>", "apples", "<p>red [apple] one</p>"],
    [
      "<p>green <strong>apple</strong></p>",
      '"green apple"',
      "<p>[green] <strong>[apple]</strong></p>",
    ],
    [
      '<p><a href="/apple" title="apple">an apple</a></p>',
      "apple",
      '<p><a href="/apple" title="apple">an [apple]</a></p>',
    ],
    ["<p>AT&amp;T amp</p>", "amp", "<p>AT&amp;T [amp]</p>"],
    ["<p>Café</p>", "cafe", "<p>[Café]</p>"],
    ["<p>日本語と日曜</p>", "日本", "<p>[日本]語と日曜</p>"],
    ["<p>write to a@b.com, a</p>", "a@b.com", "<p>write to [a]@[b].[com], a</p>"],
    ["<p>nothing</p>", "else", "<p>nothing</p>"],
    ['<p class="x">a\\b "c" d</p>', "c b", '<p class="x">a\\[b] "[c]" d</p>'],
    ["<p>red apple red</p><p>apple</p>", '"red apple"', "<p>[red] [apple] [red]</p><p>[apple]</p>"],
  ])("in %s for %s", (html, typed, expected) =>
    expect(JSON.parse(highlightHtml(html, readSearch(typed)))).toBe(marked(expected)),
  );

  test("in a topic, which is escaped", () => {
    expect(JSON.parse(highlightText('a <b> & "apples"', readSearch("apple")))).toBe(
      marked("a &lt;b&gt; &amp; &quot;[apples]&quot;"),
    );
  });
});

test("However many words a text has, it is written as JSON part by part, and letters that are words are not folded", () => {
  const [writes, folds] = [spyOn(JSON, "stringify"), spyOn(String.prototype, "normalize")];
  try {
    const letters = Array.from({ length: 5_000 }, (_, index) =>
      String.fromCharCode(0x4e00 + index),
    ).join("");
    highlightHtml(`<p>${letters}</p><p>${"a b ".repeat(2_500)}</p>`, readSearch("a"));
    expect([writes.mock.calls.length < 20, folds.mock.calls.length]).toEqual([true, 0]);
  } finally {
    writes.mockRestore();
    folds.mockRestore();
  }
});

test("Letters that are not folded are those that folding leaves alone", () => {
  const ranges = [
    [0x3041, 0x3096],
    [0x30a1, 0x30fa],
    [0x3400, 0x4dbf],
    [0x4e00, 0x9fff],
    [0xac00, 0xd7a3],
  ];
  for (const [first = 0, last = 0] of ranges) {
    const letters = Array.from({ length: last - first + 1 }, (_, index) =>
      String.fromCharCode(first + index),
    ).join("");
    expect(keys(letters).replaceAll(" ", "")).toBe(
      letters.normalize("NFKD").toLowerCase().normalize("NFC"),
    );
  }
});

test("H2: marking takes no longer than the text is long", async () => {
  const searched = readSearch(`${"a ".repeat(49)}b`);
  const markAll = () => {
    highlightHtml(`<p>${"a ".repeat(5_000)}</p>`, searched);
    highlightHtml("<".repeat(10_000), searched);
    highlightHtml('<a "'.repeat(2_500), searched);
    highlightHtml("&".repeat(10_000), searched);
    highlightHtml("日".repeat(10_000), readSearch(`"${"日".repeat(99)}本"`));
  };
  expect(await fastestRun(markAll, 1_000)).toBeLessThan(1_000);
});
