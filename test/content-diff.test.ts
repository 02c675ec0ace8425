import { expect, test } from "bun:test";
import { contentHtmlDiff } from "../src/messages/edit/content-diff";

const gone = (text: string) => `<span class="highlight_text_deleted">${text}</span> `;
const come = (text: string) => `<span class="highlight_text_inserted">${text}</span> `;

test("Words that came and went are marked in the new content, whose tags stay as they are", () => {
  for (const [before, after, diff] of [
    ["<p>a</p>", "<p>a</p>", "<p>a</p>"],
    ["<p>a b c</p>", "<p>a x c</p>", `<p>a ${gone("b")}${come("x")}c</p>`],
    ["<p>a b</p>\n<p>c</p>", "<p>a</p>\n<p>c</p>", `<p>a ${gone("b")}</p>\n<p>c</p>`],
    ["<p>a</p>\n<p>b</p>", "", gone("a b")],
    ["", "<p>a <em>b</em></p>", `<p>${come("a")}<em>${come("b")}</em></p>`],
    ["<p>one <strong>two</strong> three</p>", "<p>one <em>two</em></p>", `<p>one <em>two ${gone("three")}</em></p>`],
    ['<p><img alt="x" src="/1">a</p>', "<p>a</p>", `<p>${gone('<img alt="x" src="/1">')}a</p>`],
  ] as const) {
    expect(contentHtmlDiff(before, after)).toBe(`<div>${diff}</div>`);
  }
});

const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, " ")
    .split(/\s+/)
    .filter(Boolean)
    .join(" ");

test("Without what came it is the old text, and without what went the new one, also where all is different", () => {
  const words = ["a", "b", "c", "d"];
  let seed = 1;
  const next = (end: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % end;
  };
  const text = (length: number) =>
    `<p>${Array.from({ length }, () => words[next(4)]).join(next(2) === 0 ? "</p>\n<p>" : " ")}</p>`;
  for (const length of [1, 3, 9, 900]) {
    for (let round = 0; round < 20; round++) {
      const [before, after] = [text(next(length) + 1), text(next(length) + 1)];
      const diff = contentHtmlDiff(before, after);
      expect(textOf(diff.replace(/<span class="highlight_text_deleted">[^<]*<\/span>/g, ""))).toBe(textOf(after));
      expect(textOf(diff.replace(/<span class="highlight_text_inserted">[^<]*<\/span>/g, ""))).toBe(textOf(before));
    }
  }
});

test("H3: and what is long and has nothing in common costs little", () => {
  const long = (word: string) => `<p>${Array.from({ length: 5_000 }, (_, index) => word + (index % 7)).join(" ")}</p>`;
  const begun = performance.now();
  contentHtmlDiff(long("a"), long("b"));
  expect(performance.now() - begun).toBeLessThan(500);
});
