import { expect, test } from "bun:test";
import { renderMarkdown } from "../../src/markdown/render";
import { contentHtmlDiff } from "../../src/messages/edit/content-diff";
import { fastestRun } from "../support/cpu-time";
import { imbalanceOf, violationsIn } from "../support/html-oracle";

const gone = (text: string) => `<span class="highlight_text_deleted">${text}</span> `;
const come = (text: string) => `<span class="highlight_text_inserted">${text}</span> `;

test("Words that came and went are marked in the new content, whose tags stay as they are", () => {
  for (const [before, after, diff] of [
    ["<p>a</p>", "<p>a</p>", "<p>a</p>"],
    ["<p>a b c</p>", "<p>a x c</p>", `<p>a ${gone("b")}${come("x")}c</p>`],
    ["<p>a b</p>\n<p>c</p>", "<p>a</p>\n<p>c</p>", `<p>a ${gone("b")}</p>\n<p>c</p>`],
    ["<p>a</p>\n<p>b c</p>", "<p>a</p>\n<p>c</p>", `<p>a</p>\n<p>${gone("b")}c</p>`],
    ["", "<p>a <em>b</em></p>", `<p>${come("a")}<em>${come("b")}</em></p>`],
    ["<p>a b</p>", "<p>x <em>y</em></p>", `<p>${gone("a b")}${come("x")}<em>${come("y")}</em></p>`],
    [
      "<p>one <strong>two</strong> three</p>",
      "<p>one <em>two</em></p>",
      `<p>one <em>two</em> ${gone("three")}</p>`,
    ],
    ['<p><img alt="x" src="/1">a</p>', "<p>a</p>", `<p>${gone('<img alt="x" src="/1">')}a</p>`],
  ] as const) {
    expect(contentHtmlDiff(before, after)).toBe(`<div>${diff}</div>`);
  }
});

test("What went keeps its markup: bold, links, code, mentions, items of lists and whole paragraphs", () => {
  const [bold, code] = ["<strong>b</strong>", "<code>b c</code>"];
  const link = '<a href="https://e.example">b</a>';
  const mention = '<span class="user-mention" data-user-id="7">@Bob</span>';
  const film = '<video preload="metadata" src="/1.mp4"></video>';
  for (const [before, after, diff] of [
    [`<p>a ${bold} c</p>`, "<p>a c</p>", `<p>a ${gone(bold)}c</p>`],
    [`<p>a ${bold}</p>`, "<p>a x</p>", `<p>a ${gone(bold)}${come("x")}</p>`],
    [`<p>${bold} a</p>`, "<p>a</p>", `<p>${gone(bold)}a</p>`],
    [
      `<p>a ${link}, ${code} ${mention} d</p>`,
      "<p>a d</p>",
      `<p>a ${gone(`${link}, ${code} ${mention}`)}d</p>`,
    ],
    [
      "<p><strong>a b</strong></p>",
      "<p><strong>a</strong></p>",
      `<p><strong>a ${gone("b")}</strong></p>`,
    ],
    ["<p>a <em>b c</em></p>", "<p>a <em>c</em></p>", `<p>a <em>${gone("b")}c</em></p>`],
    ["<p>a</p>\n<p>b</p>", "", `<p>${gone("a")}</p><p>${gone("b")}</p>`],
    [
      `<p>a</p>\n<p>${bold}</p>\n<p>c</p>`,
      "<p>a</p>\n<p>c</p>",
      `<p>a</p>\n<p>${gone(bold)}</p><p>c</p>`,
    ],
    [
      "<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>",
      "<ul>\n<li>a</li>\n</ul>",
      `<ul>\n<li>a</li>\n<li>${gone("b")}</li><li>${gone("c")}</li></ul>`,
    ],
    [
      "<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n<p>c</p>",
      "<p>a</p>\n<p>c</p>",
      `<p>a</p>\n<ul><li>${gone("b")}</li></ul><p>c</p>`,
    ],
    ["<p>a b</p>\n<p>c d</p>", "<p>a</p>\n<p>d</p>", `<p>a ${gone("b")}</p>\n<p>${gone("c")}d</p>`],
    // A removed part that may not stand at its place in the new content loses the element that
    // forbids it.
    ["<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n<p>c</p>", "<p>a c</p>", `<p>a ${gone("b")}c</p>`],
    [`<p>${film}a</p>`, "<p>a</p>", `<p>${gone(film)}a</p>`],
    ["<p>a</p>", `<p>a${film}</p>`, `<p>a${come(film)}</p>`],
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

/**
 * HTML without its spans of a class, whatever is in them. Throws where an element does not end in
 * what it began in.
 */
function without(html: string, unwanted: string): string {
  const open: string[] = [];
  let kept = "";
  for (const [part] of html.matchAll(/<[^>]*>|[^<]+/g)) {
    const [, slash, name = ""] = /^<(\/?)([a-z]+)/.exec(part) ?? [];
    if (slash === "" && name === "p" && open.some((one) => ["p", "em", unwanted].includes(one)))
      throw new Error(`a paragraph in ${open}: ${html}`);
    if (slash === "") open.push(part.includes(unwanted) ? unwanted : name);
    if (slash === "/") {
      const last = open.pop();
      if (last !== name && !(last === unwanted && name === "span"))
        throw new Error(`${last} ends as ${name}: ${html}`);
    }
    kept += open.includes(unwanted) ? " " : part;
  }
  if (open.length > 0) throw new Error(`${open} has no end: ${html}`);
  return kept;
}

test("Without what came it is the old text, and without what went the new one, also where all is different", () => {
  const words = ["a", "b", "c", "d", "<em>a</em>", "<strong>b <code>c</code></strong>"];
  let seed = 1;
  const next = (end: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % end;
  };
  const between = [
    "</p>\n<p>",
    " ",
    "</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<p>",
    "</p>\n<blockquote>\n<p>d</p>\n</blockquote>\n<p>",
  ];
  const text = (length: number) =>
    `<p>${Array.from({ length }, () => words[next(words.length)] + (between[next(12)] ?? " ")).join("")}x</p>`;
  for (const length of [1, 3, 9, 900]) {
    for (let round = 0; round < 50; round++) {
      const [before, after] = [text(next(length) + 1), text(next(length) + 1)];
      const diff = contentHtmlDiff(before, after);
      expect(textOf(without(diff, "highlight_text_deleted"))).toBe(textOf(after));
      expect(textOf(without(diff, "highlight_text_inserted"))).toBe(textOf(before));
    }
  }
});

test("F1: between any two texts of the dialect the outcome is as well-formed as they are, and brings in nothing of its own", () => {
  const blocks = [
    ..."a b c d|**bold** and *em* text|> a quote\n> of b|- one\n- two\n  - three|1. a\n2. b".split(
      "|",
    ),
    ..."```python\nprint('a')\n  b = c\n```|`code` b|| a | b |\n|---|---|\n| c | d |".split(
      /(?<!\n)\|(?=[`|])/,
    ),
    ..."$$x^2 + y$$ a|```math\n\\int_0^1 x\n```|```spoiler a b\nc **d**\n```|# a heading\nb".split(
      "|",
    ),
    ..."[a link](https://e.example/a) b|https://e.example/p.png|<time:2026-11-24T10:00:00Z> :smile: 😀|***|a\nb\nc".split(
      "|",
    ),
  ].map((source) => renderMarkdown(source).html);
  const texts = blocks.flatMap((one) => [one, ...blocks.map((other) => `${one}\n${other}`)]);
  const wrong: string[] = [];
  for (let index = 0; index < 4_000; index++) {
    const [before, after] = [
      texts[(index * 7_919) % texts.length],
      texts[(index * 104_729 + index) % texts.length],
    ];
    const diff = contentHtmlDiff(before ?? "", after ?? "").replace(
      / class="highlight_text_(?:inserted|deleted)"/g,
      "",
    );
    const faults = [...imbalanceOf(diff), ...violationsIn(diff)];
    if (faults.length > 0) wrong.push(`${faults}: ${before}\n→\n${after}\n=\n${diff}`);
  }
  expect(wrong.slice(0, 3)).toEqual([]);
});

test("H3: and what is long and has nothing in common costs little", async () => {
  const long = (word: string) =>
    `<p>${Array.from({ length: 5_000 }, (_, index) => word + (index % 7)).join(" ")}</p>`;
  const [before, after] = [long("a"), long("b")];
  expect(await fastestRun(() => void contentHtmlDiff(before, after), 500)).toBeLessThan(500);
});
