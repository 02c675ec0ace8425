import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { personsWritten } from "../../src/markdown/mentions";
import type { MentionedPerson } from "../../src/markdown/names";
import { renderMarkdown } from "../../src/markdown/render";
import { protocolEmoji, protocolPairs } from "../support/api/protocol-emoji";

/** The people whom the texts of these tests may name. */
const people: MentionedPerson[] = [
  { id: 7, fullName: "Alice", isActive: true },
  { id: 8, fullName: "Bob <b>", isActive: true },
  { id: 9, fullName: "Gone", isActive: false },
];

const person = (name: string, id: number | undefined) =>
  people.find(
    (one) =>
      (id ?? one.id) === one.id && (name === one.fullName || (name === "" && id !== undefined)),
  );

const htmlOf = (source: string) => renderMarkdown(source, { person }).html;

describe("A person writes", () => {
  test.each([
    ["**bold**", "<p><strong>bold</strong></p>"],
    ["***both***", "<p><strong><em>both</em></strong></p>"],
    ["*one **two** one*", "<p><em>one <strong>two</strong> one</em></p>"],
    ["2 * 3 * 4", "<p>2 * 3 * 4</p>"],
    ["snake_case_name and __init__", "<p>snake_case_name and __init__</p>"],
    ["~~gone~~", "<p><del>gone</del></p>"],
    ["` spaced `", "<p><code> spaced </code></p>"],
    ["first\nsecond", "<p>first<br>\nsecond</p>"],
    ["first\n\nsecond", "<p>first</p>\n<p>second</p>"],
    ["say \"hi\" & 'bye'", "<p>say \"hi\" &amp; 'bye'</p>"],
    ["&copy; &lt;b&gt;", "<p>&copy; &lt;b&gt;</p>"],
    ["\\*kept\\*", "<p>\\<em>kept\\</em></p>"],
    ["# Title", "<h1>Title</h1>"],
    ["Title\n===", "<p>Title<br>\n===</p>"],
    ["> quoted", "<blockquote>\n<p>quoted</p>\n</blockquote>"],
    ["- a\n  - b", "<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>"],
    ["3. three", '<ol start="3">\n<li>three</li>\n</ol>'],
    ["1) not a list", "<p>1) not a list</p>"],
    ["```\na < b", '<div class="codehilite"><pre><span></span><code>a &lt; b\n</code></pre></div>'],
    [
      '```x"y\nz\n```',
      '<div class="codehilite" data-code-language="x"><pre><span></span><code>z\n</code></pre></div>',
    ],
    ["tab\there", "<p>tab here</p>"],
    [
      "|a|\n|:-:|\n|1|",
      '<table>\n<thead>\n<tr>\n<th style="text-align: center;">a</th>\n</tr>\n</thead>\n' +
        '<tbody>\n<tr>\n<td style="text-align: center;">1</td>\n</tr>\n</tbody>\n</table>',
    ],
    ["", ""],
  ])("%j and everybody reads %j", (source, html) => expect(htmlOf(source)).toBe(html));
});

const emoji = (name: string, code: string, label = name) =>
  `<span aria-label="${label}" class="emoji emoji-${code}" role="img" title="${label}">:${name}:</span>`;

describe("A person writes an emoji", () => {
  test.each([
    [":tada:", `<p>${emoji("tada", "1f389")}</p>`],
    [":smile::tada:", `<p>${emoji("smile", "1f642")}${emoji("tada", "1f389")}</p>`],
    ["a:smile:b :+1:", `<p>a${emoji("smile", "1f642")}b ${emoji("+1", "1f44d")}</p>`],
    [":flag_germany:", `<p>${emoji("flag_germany", "1f1e9-1f1ea", "flag germany")}</p>`],
    ["**:tada:**", `<p><strong>${emoji("tada", "1f389")}</strong></p>`],
    [":no_such: 10:30:45 : tada: :tada", "<p>:no_such: 10:30:45 : tada: :tada</p>"],
    ["`:tada:`", "<p><code>:tada:</code></p>"],
    [
      "https://e.example/:tada:/",
      '<p><a href="https://e.example/:tada:/">https://e.example/:tada:/</a></p>',
    ],
    [":constructor: :__proto__:", "<p>:constructor: :__proto__:</p>"],
    [":mouse:🐁", `<p>${emoji("mouse", "1f401")}${emoji("mouse", "1f401")}</p>`],
    [":piñata:", `<p>${emoji("piñata", "1fa85")}</p>`],
    [":naïve: ä:tada:ü", `<p>:naïve: ä${emoji("tada", "1f389")}ü</p>`],
  ])("%j and everybody reads %j", (source, html) => expect(htmlOf(source)).toBe(html));

  test("by each name that clients know, and everybody sees what they mean", () => {
    const isWrong = ([name, code]: [string, string]) =>
      htmlOf(`so :${name}:!`) !== `<p>so ${emoji(name, code, name.replaceAll("_", " "))}!</p>`;
    expect(protocolPairs.filter(isWrong)).toEqual([]);
    expect(protocolPairs).toHaveLength(3_308);
  });

  test("as a character, and it has the name that clients know first", () => {
    const looksLikeEmoji = /\p{EPres}|\p{RI}/u;
    const characters = protocolEmoji.map(({ code, names: [name = ""] }) => {
      const character = String.fromCodePoint(
        ...code.split("-").map((one) => Number.parseInt(one, 16)),
      );
      return { character, expected: emoji(name, code, name.replaceAll("_", " ")) };
    });
    const shown = characters.filter(({ character }) => looksLikeEmoji.test(character));
    expect(
      shown.filter(({ character, expected }) => htmlOf(character) !== `<p>${expected}</p>`),
    ).toEqual([]);
    expect(shown.length).toBeGreaterThan(1_500);
  });
});

describe("A person mentions somebody", () => {
  const alice = '<span class="user-mention" data-user-id="7">@Alice</span>';
  const silent = '<span class="user-mention silent" data-user-id="7">Alice</span>';

  test.each([
    ["hey @**Alice**!", `<p>hey ${alice}!</p>`],
    ["@**Alice|7** @**|7**", `<p>${alice} ${alice}</p>`],
    ["@_**Alice** @_**Alice|7**", `<p>${silent} ${silent}</p>`],
    [
      "(@**Alice**) [@**Alice** {@**Alice** '@**Alice** /@**Alice**",
      `<p>(${alice}) [${alice} {${alice} '${alice} /${alice}</p>`,
    ],
    [
      "x@**Alice** @**Alice**@**Alice**",
      `<p>x@<strong>Alice</strong> ${alice}@<strong>Alice</strong></p>`,
    ],
    [
      "@**Nobody** @**Alice|99** @**Nobody|7**",
      "<p>@<strong>Nobody</strong> @<strong>Alice|99</strong> @<strong>Nobody|7</strong></p>",
    ],
    ["@Alice @*Alice* @****", "<p>@Alice @<em>Alice</em> @****</p>"],
    ["`@**Alice**`", "<p><code>@**Alice**</code></p>"],
    ["> @**Alice**", `<blockquote>\n<p>${silent}</p>\n</blockquote>`],
    [
      "```quote\n- @**Alice**\n```\n@**Alice**",
      `<blockquote>\n<ul>\n<li>${silent}</li>\n</ul>\n</blockquote>\n<p>${alice}</p>`,
    ],
    [
      "@**Gone** was here",
      '<p><span class="user-mention silent" data-user-id="9">Gone</span> was here</p>',
    ],
  ])("%j and everybody reads %j", (source, html) => expect(htmlOf(source)).toBe(html));

  test("F3: whose name is shown as text, whatever it holds", () => {
    expect(htmlOf("@**Bob <b>**")).toBe(
      '<p><span class="user-mention" data-user-id="8">@Bob &lt;b&gt;</span></p>',
    );
  });

  test("who is text where nobody was looked up, and is told before, once each", () => {
    expect(renderMarkdown("@**Alice**").html).toBe("<p>@<strong>Alice</strong></p>");
    expect(personsWritten("@**Alice** `@**Bob|8**` @_**Alice** @**|7** @**a\nb** @****")).toEqual([
      { name: "Alice", id: undefined },
      { name: "Bob", id: 8 },
      { name: "", id: 7 },
    ]);
  });
});

describe("A person quotes between fences", () => {
  test.each([
    ["```quote\nhello **x**\n```", "<blockquote>\n<p>hello <strong>x</strong></p>\n</blockquote>"],
    ["```` quote\na\n````\nafter", "<blockquote>\n<p>a</p>\n</blockquote>\n<p>after</p>"],
    ["text\n~~~quote\na\n~~~", "<p>text</p>\n<blockquote>\n<p>a</p>\n</blockquote>"],
    ["```quote\nto the end", "<blockquote>\n<p>to the end</p>\n</blockquote>"],
    [
      "- a\n  ```quote\n  b\n- c",
      "<ul>\n<li>a\n<blockquote>\n<p>b</p>\n</blockquote>\n</li>\n<li>c</li>\n</ul>",
    ],
    [
      "````quote\n```quote\na\n```\n````",
      "<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>",
    ],
  ])("%j and everybody reads %j", (source, html) => expect(htmlOf(source)).toBe(html));
});

describe("A block between fences inside another one with such fences", () => {
  const code = (text: string) =>
    `<div class="codehilite"><pre><span></span><code>${text}\n</code></pre></div>`;
  const quote = (html: string) => `<blockquote>\n${html}\n</blockquote>`;

  test.each([
    ["```quote\n```text\na\n```\nb\n```\nc", `${quote(`${code("a")}\n<p>b</p>`)}\n<p>c</p>`],
    [
      "```quote\n```quote\na\n```\nb\n```\nc",
      `${quote(`${quote("<p>a</p>")}\n<p>b</p>`)}\n<p>c</p>`,
    ],
    ["~~~quote\n~~~text\n~~~~\nb\n~~~\nc", `${quote(`${code("")}\n<p>b</p>`)}\n<p>c</p>`],
    ["```quote\n````text\n```\n````\nb\n```\nc", `${quote(`${code("```")}\n<p>b</p>`)}\n<p>c</p>`],
    ["```quote\n````quote\n```\na\n```\n````\n```\nc", `${quote(quote(code("a")))}\n<p>c</p>`],
  ])("ends at its own fence, not the other one's: %j", (source, html) =>
    expect(htmlOf(source).replace(/ data-code-language="[^"]*"/g, "")).toBe(html),
  );

  test("so that a spoiler hides what is behind its code, and a quotation mentions nobody there", () => {
    const hidden = htmlOf("```spoiler End\n```text\na\n```\nthe butler\n```\nso");
    expect(hidden).toEndWith("<p>the butler</p>\n</div></div>\n<p>so</p>");
    const { mentions } = renderMarkdown("```quote\n```text\na\n```\n@**all**\n```");
    expect(mentions.channelWildcard).toBe(false);
  });

  test.each([
    ["````quote\n```text\na\n````\nc", `${quote(code("a"))}\n<p>c</p>`],
    ["````quote\n~~~text\na\n````\nc\n~~~", `${quote(code("a"))}\n<p>c</p>\n${code("")}`],
    ["```quote\n~~~text\na\n```\nc", `${quote(code("a"))}\n<p>c</p>`],
  ])("keeps nothing behind another fence inside, though it stays open: %j", (source, html) =>
    expect(htmlOf(source).replace(/ data-code-language="[^"]*"/g, "")).toBe(html),
  );
});

describe("A person links", () => {
  test.each([
    ["[t](https://example.com)", '<p><a href="https://example.com">t</a></p>'],
    ["[**b**](https://example.com)", '<p><a href="https://example.com">**b**</a></p>'],
    ["[](https://example.com)", '<p><a href="https://example.com">https://example.com</a></p>'],
    ["[t](example.com)", '<p><a href="http://example.com">t</a></p>'],
    ["[t](/relative)", '<p><a href="/relative">t</a></p>'],
    ["example.com", '<p><a href="http://example.com">example.com</a></p>'],
    [
      "see https://example.com.",
      '<p>see <a href="https://example.com">https://example.com</a>.</p>',
    ],
    [
      "https://e.example/?a=b&c=d",
      '<p><a href="https://e.example/?a=b&amp;c=d">https://e.example/?a=b&amp;c=d</a></p>',
    ],
    ["a@example.com", '<p><a href="mailto:a@example.com">a@example.com</a></p>'],
    [
      "<https://example.com>",
      '<p>&lt;<a href="https://example.com">https://example.com</a>&gt;</p>',
    ],
    ["![cat](https://example.com/c.png)", '<p><a href="https://example.com/c.png">cat</a></p>'],
    ["`https://example.com`", "<p><code>https://example.com</code></p>"],
    ["README.md and main.py", "<p>README.md and main.py</p>"],
    ["ftp://example.com", "<p>ftp://example.com</p>"],
  ])("%s", (source, html) => expect(htmlOf(source)).toBe(html));

  test("and the message is found by has:link, a picture by has:image, other messages by neither", () => {
    expect(renderMarkdown("> - see example.com")).toMatchObject({ hasLink: true, hasImage: false });
    expect(renderMarkdown("https://example.com/i.PNG?size=2")).toMatchObject({
      hasLink: true,
      hasImage: true,
    });
    expect(renderMarkdown("`https://example.com/i.png`")).toMatchObject({
      hasLink: false,
      hasImage: false,
    });
  });
});

test("A person who writes /me speaks in the third person, but not within a list, a code block or a sentence", () => {
  expect(renderMarkdown("/me waves")).toMatchObject({
    html: "<p>/me waves</p>",
    isMeMessage: true,
  });
  for (const source of ["/me", "text /me no", "/menu please", "/me is\n\n- a list", " /me waves"])
    expect(renderMarkdown(source).isMeMessage).toBe(false);
});

const recorded = new URL("../recorded/transcripts/markdown.json", import.meta.url);
test("What was recorded from the reference server is rendered alike, dialect aside", () => {
  const renderings: { in: string; out_html: string }[] = JSON.parse(readFileSync(recorded, "utf8"));
  const places: [string, string][] = [
    ["{{name:alice}}", "Alice"],
    ["{{user:alice}}", "7"],
    ["{{chan}}", "kit md RUN"],
    ["{{run}}", "RUN"],
    ["{{channel#1}}", "1"],
  ];
  const placed = (text: string) =>
    places.reduce((filled, [token, value]) => filled.replaceAll(token, value), text);
  const alike = renderings.filter(
    (rendering) => htmlOf(placed(rendering.in)) === placed(rendering.out_html),
  );
  expect(alike.length).toBeGreaterThanOrEqual(183);
});
