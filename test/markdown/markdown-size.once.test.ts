import { describe, expect, test } from "bun:test";
import type { Linkifier } from "../../src/markdown/linkifiers";
import type { Names } from "../../src/markdown/names";
import { htmlBytesMax, renderDescription, renderMarkdown } from "../../src/markdown/render";
import { lengthsMax } from "../../src/protocol/limits";
import { imbalanceOf, violationsIn } from "../support/html-oracle";

/** Everybody and everything has the longest name that it can have. */
const longName = "&".repeat(100);
const longTemplate = `https://tracker.example/${"&".repeat(1_900)}{id}`;
const ticket: Linkifier = { pattern: "T-(?P<id>[0-9]+)", urlTemplate: longTemplate };
const names: Names = {
  person: (_name, id = 7) => ({ id, fullName: longName, isActive: true }),
  group: () => ({ id: 3, name: longName, isActive: true }),
  channel: (name) => ({ id: 4, name }),
  topic: () => 99,
  emoji: (name) =>
    /^own/.test(name) ? { url: `/user_avatars/1/emoji/images/${"x".repeat(40)}.png` } : undefined,
  linkifiers: [ticket],
  picture: () => ({
    contentType: "image/png",
    width: 4_000,
    height: 3_000,
    isAnimated: true,
    thumbnail: `/user_uploads/thumbnail/1/${"x".repeat(40)}/840x560.webp`,
  }),
};

/** A piece of text again and again, as long as a text may be. */
const filled = (piece: string, lengthMax: number = lengthsMax.message) =>
  [...piece.repeat(Math.ceil(lengthMax / [...piece].length))].slice(0, lengthMax).join("");

const pieces: Record<string, string> = {
  "emoji and formulas": "😀$$x^2$$",
  formulas: "$$\\frac12$$ ",
  "displayed formulas": "```math\n\\frac12\n```\n",
  "what is no formula": "$$}$$ ",
  "highlighted code": "```js\nlet a=1\n```\n",
  "languages of code": '```"&"&"&"&"&"&"&"&"&"&\n\n```\n',
  "named emoji": ":tada:",
  emoji: "😀",
  "own emoji": ":own_named_as_long_as_one_of_them_can_be_in_an_organization:",
  "people by their ids": "@**|1**",
  "a hundred people": Array.from({ length: 100 }, (_, id) => `@**|${id}** `).join(""),
  groups: "@*g* ",
  channels: "#**a** ",
  "a channel's long topic": `#**a>${"你".repeat(9_000)}** `,
  linkifiers: "T-1 ",
  links: "[](a)",
  "links with signs": "[&&](&&&&&&)",
  "links with titles": '[a](b "&&&&&&")',
  "bare addresses": "a.com ",
  pictures: "![](/user_uploads/1.png)",
  previews: "[](/user_uploads/1.png) ",
  moments: "<time:1> ",
  quotations: ">\n\n",
  "quotations in quotations": `${">".repeat(40)}\n\n`,
  "lists in lists": `${"- ".repeat(38)}\n\n`,
  "lists of many kinds": "-\n+\n*\n",
  headings: "#\n",
  spoilers: "```spoiler\n```\n",
  fences: "```\n```\n",
  rulers: "---\n",
  "aligned cells": "|a|b|\n|:-:|:-:|\n|||\n\n",
  "a table": `${"|a".repeat(90)}\n${"|:-:".repeat(90)}\n${"|\n".repeat(40)}\n`,
  "code spans": "`a``` ",
  "lines of emphasis": "*a* **b** ~~c~~\n",
  ampersands: "&",
  "less than": "<",
  quotes: '"',
  newlines: "a\n",
  "four bytes each": "𝒳",
  entities: "&lt;",
};

const bytesOf = (html: string) => Buffer.byteLength(html);

describe("The HTML of a message has at most 64 KB, well formed, made", () => {
  test.each(Object.entries(pieces))("of %s", (_name, piece) => {
    const source = filled(piece);
    const { html } = renderMarkdown(source, names);
    expect(bytesOf(html)).toBeLessThanOrEqual(htmlBytesMax.message);
    expect(violationsIn(html)).toEqual([]);
    expect(imbalanceOf(html)).toEqual([]);
    expect(renderMarkdown(source, names).html).toBe(html);
  });
});

describe("The HTML of a description has at most 8 KB, made", () => {
  test.each(Object.entries(pieces))("of %s", (_name, piece) => {
    const html = renderDescription(filled(piece, lengthsMax.channelDescription));
    expect(bytesOf(html)).toBeLessThanOrEqual(htmlBytesMax.description);
    expect(imbalanceOf(html)).toEqual([]);
  });
});

test("What goes beyond is shown as it was typed, the costliest parts and the later ones first", () => {
  const { html } = renderMarkdown(filled("😀$$x^2$$"));
  expect(html).not.toContain("katex");
  expect(html).toStartWith('<p><span aria-label="grinning" class="emoji emoji-1f600"');
  expect(html).toEndWith(`${'😀<span class="tex-error">$$x^2$$</span>'.repeat(3)}</p>`);
});

test("A costly part goes, and everything else stays as it was", () => {
  const code = Array.from({ length: 300 }, (_, line) => `let a${line} = f(1);`).join("\n");
  const around = (text: string) => `:tada: **hello** @**|7** $$x^2$$\n\n${text}\n\n> quoted`;
  const { html, mentions } = renderMarkdown(
    around(`\`\`\`js\n${code}\n\`\`\`\n\n${":tada: ".repeat(200)}`),
    names,
  );
  expect(html).toContain(
    '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code>let a0',
  );
  expect(html).toContain("katex");
  expect(html).toContain("<blockquote>");
  expect(html.match(/emoji-1f389/g)).toHaveLength(201);
  expect(mentions.people).toEqual([7]);
});

test("A page of ordinary formulas is shown as formulas, all of them", () => {
  const formulas = [
    "E = mc^2",
    "\\int_0^1 x^2 dx = \\frac13",
    "\\sum_{i=1}^n i",
    "\\sqrt{a^2+b^2}",
    "\\alpha+\\beta",
  ];
  const page = Array.from(
    { length: 12 },
    (_, line) => `Line ${line} shows that $$${formulas[line % 5]}$$ holds.`,
  );
  const { html } = renderMarkdown(page.join("\n"));
  expect(html.match(/class="katex"/g)).toHaveLength(12);
  expect(html).toBe(renderMarkdown(page.join("\n"), undefined, Number.POSITIVE_INFINITY).html);
});

test("Who is shown plain is not told, and who is shown is", () => {
  const source = Array.from({ length: 900 }, (_, id) => `@**|${id + 1}**`).join(" ");
  const { html, mentions } = renderMarkdown(source, names);
  const shown = [...html.matchAll(/data-user-id="(\d+)"/g)].map(([, id]) => Number(id));
  expect(mentions.people).toEqual(shown);
  expect(shown.length).toBeGreaterThan(50);
  expect(shown.length).toBeLessThan(900);
});

test("Who is named in a block that is shown as it was typed is not told", () => {
  const { html, mentions, hasLink } = renderMarkdown(
    `@**|1** a.com\n\n${`${">".repeat(40)}@**|2** b.com\n\n`.repeat(180)}`,
    { ...names, person: (_name, id = 7) => ({ id, fullName: "Al", isActive: true }) },
  );
  expect(html).toContain("<p>&gt;&gt;");
  expect(mentions.people).toEqual([1]);
  expect(hasLink).toBe(true);
});

test("The links of a topic's name have at most 8 KB", async () => {
  const { topicLinks } = await import("../../src/markdown/linkifiers");
  const topic = filled("T-1 ", lengthsMax.topic);
  const links = topicLinks(topic, [ticket]);
  expect(bytesOf(JSON.stringify(links))).toBeLessThanOrEqual(htmlBytesMax.description);
  expect(links.length).toBeGreaterThan(1);
});
