import { describe, expect, test } from "bun:test";
import { channelsWritten, topicsWritten } from "../../src/markdown/channel-links";
import { linkifierProblem, topicLinks } from "../../src/markdown/linkifiers";
import type { Names } from "../../src/markdown/names";
import { renderMarkdown } from "../../src/markdown/render";
import { fastestRun } from "../support/cpu-time";

const issues = { pattern: "#(?P<id>[0-9]{2,})", urlTemplate: "https://tracker.example/{id}" };
const names: Names = {
  sites: ["https://chat.example.com"],
  person: (name, id) =>
    name === "Alice" || id === 7 ? { id: 7, fullName: "Alice", isActive: true } : undefined,
  group: (name) => (name === "cooks" ? { id: 3, name, isActive: true } : undefined),
  channel: (name) => (["kitchen", "a > b"].includes(name) ? { id: 4, name } : undefined),
  topic: (_channelId, topic) => (topic === "lunch" || topic === "" ? 99 : undefined),
  emoji: (name) =>
    ["owl", "smile_cat"].includes(name) ? { url: "/user_avatars/1/emoji/images/5.png" } : undefined,
  linkifiers: [issues],
};

const htmlOf = (source: string) => renderMarkdown(source, names).html;
/** Contents of the one paragraph of a text. */
const lineOf = (source: string) => /^<p>(.*)<\/p>$/s.exec(htmlOf(source))?.[1];

describe("A person mentions", () => {
  const all = (name: string) =>
    `<span class="user-mention channel-wildcard-mention" data-user-id="*">@${name}</span>`;

  test.each([
    ...["all", "everyone", "channel", "stream"].map((name) => [`@**${name}**`, all(name)]),
    [
      "@_**all**",
      '<span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span>',
    ],
    ["@**topic**", '<span class="topic-mention">@topic</span>'],
    ["@*cooks*", '<span class="user-group-mention" data-user-group-id="3">@cooks</span>'],
    ["@_*cooks*", '<span class="user-group-mention silent" data-user-group-id="3">cooks</span>'],
    ["@*waiters*", "@<em>waiters</em>"],
    ["@**All**", "@<strong>All</strong>"],
  ])("%s", (source, html) => expect(lineOf(source)).toBe(html));

  test.each<[string, Partial<ReturnType<typeof renderMarkdown>["mentions"]>]>([
    ["@**Alice** @**Alice|7** @*cooks*", { people: [7], groups: [3] }],
    ["@**all** and @**topic**", { channelWildcard: true, topicWildcard: true }],
    ["@_**Alice** @_*cooks* @_**all** @_**topic**", {}],
    ["> @**Alice** @**all**", {}],
    ["```quote\n@**Alice** @*cooks*\n```", {}],
    ["`@**Alice**`\n```\n@**all**\n```", {}],
    ["```spoiler @**Alice**\n- @*cooks*\n```", { people: [7], groups: [3] }],
    ["hello", {}],
  ])("those who are told by %j", (source, told) =>
    expect(renderMarkdown(source, names).mentions).toEqual({
      people: [],
      groups: [],
      channelWildcard: false,
      topicWildcard: false,
      ...told,
    }),
  );
});

describe("A person links to a channel, a topic and a message", () => {
  const link = (kind: string, path: string, text: string) =>
    `<a class="${kind}" data-stream-id="4" href="/#narrow/channel/4-kitchen${path}">#kitchen${text}</a>`;

  test.each([
    ["#**kitchen**", link("stream", "", "")],
    [
      "#**kitchen>soup & salt**",
      link("stream-topic", "/topic/soup.20.26.20salt", " &gt; soup &amp; salt"),
    ],
    ["#**kitchen>lunch**", link("stream-topic", "/topic/lunch/with/99", " &gt; lunch")],
    ["#**kitchen>**", link("stream-topic", "/topic//with/99", " &gt; <em>general chat</em>")],
    ["#**kitchen>a > b**", link("stream-topic", "/topic/a.20.3E.20b", " &gt; a &gt; b")],
    [
      "#**kitchen>soup@42**",
      '<a class="message-link" href="/#narrow/channel/4-kitchen/topic/soup/near/42">#kitchen &gt; soup @ 💬</a>',
    ],
    [
      "#**a > b**",
      '<a class="stream" data-stream-id="4" href="/#narrow/channel/4-a-.3E-b">#a &gt; b</a>',
    ],
    ["#**kitchen>&lt;**", link("stream-topic", "/topic/.26lt.3B", " &gt; &amp;lt;")],
    ["#**cellar>wine**", "#<strong>cellar&gt;wine</strong>"],
    ["#**kitchen", "#**kitchen"],
  ])("%s", (source, html) => expect(lineOf(source)).toBe(html));

  test("and only what is written is looked up", () => {
    expect(channelsWritten("#**a** #**b>c** #**b>d@4** `#**e**` no #f")).toEqual([
      "a",
      "b",
      "e",
      "b>c",
      "b>d@4",
    ]);
    expect(topicsWritten("#**a** #**b>c** #**b>** #**b>d@4**")).toEqual([
      { channel: "b", topic: "c" },
      { channel: "b", topic: "" },
    ]);
  });
});

describe("A person hides what follows behind a header", () => {
  const spoiler = (header: string, content: string) =>
    `<div class="spoiler-block"><div class="spoiler-header">\n${header}</div>` +
    `<div class="spoiler-content" aria-hidden="true">\n${content}</div></div>`;

  test.each([
    [
      "```spoiler The **end**\nhe dies\n```",
      spoiler("<p>The <strong>end</strong></p>\n", "<p>he dies</p>\n"),
    ],
    ["```spoiler\n- a\n```", spoiler("", "<ul>\n<li>a</li>\n</ul>\n")],
    ["~~~ spoiler x\nto the end", spoiler("<p>x</p>\n", "<p>to the end</p>\n")],
    ["````spoiler\n```quote\na\n```\n````", spoiler("", "<blockquote>\n<p>a</p>\n</blockquote>\n")],
  ])("%j", (source, html) => expect(htmlOf(source)).toBe(html));
});

describe("A person writes a formula", () => {
  test.each(["$$x^2$$", "a ($$x$$), b", "```math\n\\frac{1}{2}\n```", "$$a \\$ b$$"])(
    "%j",
    (source) => {
      expect(htmlOf(source)).toContain('<span class="katex"><span class="katex-mathml">');
      expect(htmlOf(source)).not.toMatch(/class="[^"]*katex-(?:base|strut|sizing)/);
    },
  );

  test.each(["$5 and $6", "$$ x", "a$$x$$", "$$x$$b", "$$$x$$$", "`$$x$$`"])(
    "%j is none",
    (source) => expect(htmlOf(source)).not.toContain("katex"),
  );

  test("and what KaTeX does not know is shown as it was typed", () => {
    expect(lineOf("$$\\bad{$$")).toBe('<span class="tex-error">$$\\bad{$$</span>');
    expect(htmlOf("```math\n\\bad<\n```")).toBe('<p><span class="tex-error">\\bad&lt;</span></p>');
  });
});

describe("A person writes code", () => {
  const block = (language: string, html: string) =>
    `<div class="codehilite" data-code-language="${language}"><pre><span></span><code>${html}\n</code></pre></div>`;
  const mark = (className: string, text: string) => `<span class="${className}">${text}</span>`;

  test.each([
    [
      "py",
      "Python",
      "def f(x):\n    return None # why",
      `${mark("k", "def")} ${mark("nf", "f")}${mark("p", "(")}${mark("n", "x")}${mark("p", "):")}\n` +
        `    ${mark("k", "return")} ${mark("kc", "None")} ${mark("c1", "# why")}`,
    ],
    [
      "JSON",
      "JSON",
      '{"a": 1}',
      `${mark("p", "{")}${mark("nt", '"a"')}${mark("p", ":")}${mark("w", " ")}${mark("mi", "1")}${mark("p", "}")}`,
    ],
    [
      "html",
      "HTML",
      "<b>x</b>",
      `${mark("nt", "&lt;")}${mark("nt", "b")}${mark("nt", "&gt;")}x${mark("nt", "&lt;/")}${mark("nt", "b")}${mark("nt", "&gt;")}`,
    ],
    ["diff", "Diff", "- a\n+ b", `${mark("gd", "- a")}\n${mark("gi", "+ b")}`],
    ["text", "Text only", "a < b", "a &lt; b"],
    ["brainfuck", "brainfuck", "<>", "&lt;&gt;"],
  ])("in %s", (language, label, code, html) =>
    expect(htmlOf(`\`\`\`${language}\n${code}\n\`\`\``)).toBe(block(label, html)),
  );

  test("and of much of it the beginning is highlighted", () => {
    const html = htmlOf(`\`\`\`js\n${"let a = 1;\n".repeat(600)}\`\`\``);
    expect(html).toContain('<span class="kd">let</span>');
    expect(html).toEndWith("let a = 1;\nlet a = 1;\n</code></pre></div>");
    expect(htmlOf(`\`\`\`js\n${"a(".repeat(150)}\n\`\`\``)).not.toContain('class="n');
  });
});

describe("A person writes a moment", () => {
  const time = (moment: string, text: string) => `<time datetime="${moment}">${text}</time>`;

  test.each([
    ["<time:2024-05-06T07:08:09Z>", time("2024-05-06T07:08:09Z", "2024-05-06T07:08:09Z")],
    ["<time:2024-05-06T07:08+05:30>", time("2024-05-06T01:38:00Z", "2024-05-06T07:08+05:30")],
    ["<time:2024-05-06 07:08:09 -0100>", time("2024-05-06T08:08:09Z", "2024-05-06 07:08:09 -0100")],
    ["<time:2024-02-29>", time("2024-02-29T00:00:00Z", "2024-02-29")],
    ["<time:1700000000>", time("2023-11-14T22:13:20Z", "1700000000")],
    ["<time:2023-02-29>", "&lt;time:2023-02-29&gt;"],
    ["<time:2024-05-06T25:00Z>", "&lt;time:2024-05-06T25:00Z&gt;"],
    ["<time:soon>", "&lt;time:soon&gt;"],
    ["<time:999999999999>", "&lt;time:999999999999&gt;"],
    ["`<time:1>`", "<code>&lt;time:1&gt;</code>"],
  ])("%s", (source, html) => expect(lineOf(source)).toBe(html));
});

describe("A person writes emoji", () => {
  const shown = (name: string, code: string, label = name) =>
    `<span aria-label="${label}" class="emoji emoji-${code}" role="img" title="${label}">:${name}:</span>`;
  const own = (name: string, title = name) =>
    `<img alt=":${name}:" class="emoji" src="/user_avatars/1/emoji/images/5.png" title="${title}">`;

  test.each([
    ["so 😀 and ❤️!", `so ${shown("grinning", "1f600")} and ${shown("heart", "2764")}!`],
    ["**🇩🇪**", `<strong>${shown("flag_germany", "1f1e9-1f1ea", "flag germany")}</strong>`],
    ["👍🏽 ☃ © ❤", "👍🏽 ☃ © ❤"],
    [":owl: :smile_cat:", `${own("owl")} ${own("smile_cat", "smile cat")}`],
    ["`😀` [😀](https://e.example)", '<code>😀</code> <a href="https://e.example">😀</a>'],
    ["1️⃣ #️⃣ :zulip:", `${shown("one", "0031-20e3")} ${shown("hash", "0023-20e3")} :zulip:`],
  ])("%s", (source, html) => expect(lineOf(source)).toBe(html));
});

describe("A person links to uploaded files", () => {
  const cat = "/user_uploads/1/ab/cat.png";
  const preview = `<div class="message_inline_image"><a href="${cat}" title="a cat"><img src="${cat}"></a></div>`;

  test.each([
    [`[a cat](${cat})`, `<p><a href="${cat}">a cat</a></p>\n${preview}`],
    [`[a cat](https://chat.example.com${cat})`, `<p><a href="${cat}">a cat</a></p>\n${preview}`],
    [
      `- [a cat](${cat})\n- b`,
      `<ul>\n<li><a href="${cat}">a cat</a></li>\n<li>b</li>\n</ul>\n${preview}`,
    ],
    [
      `[a cat](${cat}) [again](${cat})`,
      `<p><a href="${cat}">a cat</a> <a href="${cat}">again</a></p>\n${preview}`,
    ],
    [`> [a cat](${cat})`, `<blockquote>\n<p><a href="${cat}">a cat</a></p>\n</blockquote>`],
    [
      `so ![a cat](${cat})`,
      `<p>so <img alt="a cat" class="inline-image" data-original-src="${cat}" src="${cat}"></p>`,
    ],
    [
      "[a film](/user_uploads/1/ab/cat.mp4)",
      '<p><a href="/user_uploads/1/ab/cat.mp4">a film</a></p>\n<div class="message_inline_image message_inline_video">' +
        '<a href="/user_uploads/1/ab/cat.mp4" title="a film"><video preload="metadata" src="/user_uploads/1/ab/cat.mp4"></video></a></div>',
    ],
    [
      "![purring](/user_uploads/1/ab/cat.mp3)",
      '<p><audio controls preload="metadata" src="/user_uploads/1/ab/cat.mp3" title="purring"></audio></p>',
    ],
    [
      "[notes](/user_uploads/1/ab/cat.txt)",
      '<p><a href="/user_uploads/1/ab/cat.txt">notes</a></p>',
    ],
    ["![a cat](https://e.example/cat.png)", '<p><a href="https://e.example/cat.png">a cat</a></p>'],
  ])("%s", (source, html) => expect(htmlOf(source)).toBe(html));

  describe("in a spoiler", () => {
    const spoiler = (header: string, hidden: string) =>
      `<div class="spoiler-block"><div class="spoiler-header">\n${header}</div><div class="spoiler-content" aria-hidden="true">\n${hidden}</div></div>`;
    const linked = `<p><a href="${cat}">a cat</a></p>\n`;
    const fenced = (header: string, hidden: string) => `\`\`\`spoiler ${header}\n${hidden}\n\`\`\``;

    test.each([
      [
        "whose preview it hides too",
        `${fenced("Hidden", `[a cat](${cat})\n\nmore`)}\nso`,
        `${spoiler("<p>Hidden</p>\n", `${linked}${preview}\n<p>more</p>\n`)}\n<p>so</p>`,
      ],
      [
        "in a list, behind which it stands",
        fenced("Hidden", `- [a cat](${cat})`),
        spoiler(
          "<p>Hidden</p>\n",
          `<ul>\n<li><a href="${cat}">a cat</a></li>\n</ul>\n${preview}\n`,
        ),
      ],
      [
        "in its head, which hides nothing",
        fenced(`[a cat](${cat})`, "hidden"),
        `${spoiler(linked, "<p>hidden</p>\n")}\n${preview}`,
      ],
      [
        "and openly behind it, where each has its preview",
        `${fenced("Hidden", `[a cat](${cat})`)}\n[a cat](${cat})`,
        `${spoiler("<p>Hidden</p>\n", `${linked}${preview}\n`)}\n${linked}${preview}`,
      ],
    ])("%s", (_name, source, html) => expect(htmlOf(source)).toBe(html));
  });

  test("and where the organization does not want pictures, to the files alone", () => {
    const { html } = renderMarkdown(`[a cat](${cat})`, { ...names, previewsImages: false });
    expect(html).toBe(`<p><a href="${cat}">a cat</a></p>`);
  });
});

describe("An organization's linkifiers", () => {
  test.each([
    [
      "see #12, (#34) and #5",
      'see <a href="https://tracker.example/12">#12</a>, (<a href="https://tracker.example/34">#34</a>) and #5',
    ],
    [
      "x#12 #12x `#12` [#12](https://e.example)",
      'x#12 #12x <code>#12</code> <a href="https://e.example">#12</a>',
    ],
    [
      "#12 #13",
      '<a href="https://tracker.example/12">#12</a> <a href="https://tracker.example/13">#13</a>',
    ],
  ])("link what they find in %j", (source, html) => expect(lineOf(source)).toBe(html));

  const twelve = '<a href="https://tracker.example/12">#12</a>';

  test.each([
    ["**#12**", `<strong>${twelve}</strong>`],
    ["*#12* and ~~#12~~", `<em>${twelve}</em> and <del>${twelve}</del>`],
    ["***see #12***", `<strong><em>see ${twelve}</em></strong>`],
    ["a**#12**b", `a<strong>${twelve}</strong>b`],
    ["**a**#12", `<strong>a</strong>${twelve}`],
    ["#1**2**", "#1<strong>2</strong>"],
    [
      "~~**#12** [#12](https://e.example)~~",
      `<del><strong>${twelve}</strong> <a href="https://e.example">#12</a></del>`,
    ],
    [
      "[***#12***](https://e.example)",
      '<a href="https://e.example"><strong><em>#12</em></strong></a>',
    ],
  ])(
    "find inside emphasis what they find elsewhere, and nothing across its markers: %j",
    (source, html) => expect(lineOf(source)).toBe(html),
  );

  test("go one after the other: what the first has linked the second leaves alone", () => {
    const second = { pattern: "(?P<id>[0-9]+)", urlTemplate: "https://second.example/{?id}" };
    const { html } = renderMarkdown("#12 13", { linkifiers: [issues, second] });
    expect(html).toBe(
      '<p><a href="https://tracker.example/12">#12</a> <a href="https://second.example/?id=13">13</a></p>',
    );
    expect(topicLinks("13 of #12", [issues, second])).toEqual([
      { text: "13", url: "https://second.example/?id=13" },
      { text: "#12", url: "https://tracker.example/12" },
    ]);
  });

  test("and bare addresses are the links of a topic", () => {
    expect(topicLinks("see https://e.example/a?b=#12, or #12.", [issues])).toEqual([
      { text: "https://e.example/a?b=#12", url: "https://e.example/a?b=#12" },
      { text: "#12", url: "https://tracker.example/12" },
    ]);
    expect(topicLinks("javascript://x about lunch", [])).toEqual([]);
    const [whole, half] = ["https://ann:secret@e.example/x_(y)", "https://ann:s(cret@e.example"];
    expect(topicLinks(`${whole}: and ${half}, e.example`, [])).toEqual([
      { text: whole, url: whole },
    ]);
  });

  test("link only to what may be linked to", () => {
    const stored = [
      "javascript:{x}",
      "data:{x}",
      "mailto:{x}",
      "tel:{x}",
      "ftp://{x}",
      "elsewhere/{x}",
      "//{x}",
      "/{x}",
    ].concat("{+x}", "https:{x}", "http:/{x}", "https:///{x}", "https:\\\\{x}");
    for (const urlTemplate of stored) {
      const linkifiers = [{ pattern: "run (?P<x>.+)", urlTemplate }];
      for (const text of ["run alert", "run //evil.example", "run javascript:alert"]) {
        expect([urlTemplate, renderMarkdown(text, { linkifiers }).html]).toEqual([
          urlTemplate,
          `<p>${text}</p>`,
        ]);
        expect([urlTemplate, topicLinks(text, linkifiers)]).toEqual([urlTemplate, []]);
      }
    }
  });

  test.each<[string, string, object]>([
    [
      "bad(",
      "https://e.example/",
      { field: "both", reason: "Bad regular expression: missing closing ): bad(" },
    ],
    ["a(?=b)", "https://e.example/", { field: "both" }],
    ["(?:a{100}){100}", "https://e.example/", { field: "both" }],
    ["a*", "https://e.example/", { field: "both" }],
    ["", "https://e.example/", { field: "pattern" }],
    [
      "(?P<a>x)",
      "https://e.example/{b}",
      { field: "both", reason: "Group 'b' in URL template is not present in linkifier pattern." },
    ],
    [
      "(?P<a>x)",
      "https://e.example/",
      { field: "both", reason: "Group 'a' in linkifier pattern is not present in URL template." },
    ],
    ["x", "https://e.example/{", { field: "urlTemplate", reason: "Invalid URL template." }],
    ...[
      "javascript:{a}",
      "{+a}",
      "mailto:{a}",
      "//e.example/{a}",
      "/{a}",
      "https:{a}",
      "https:/{a}",
      "https:\\\\{a}",
    ].map((template): [string, string, object] => [
      "(?P<a>x)",
      template,
      { field: "urlTemplate", reason: "A URL template begins with http:// or https://." },
    ]),
  ])("cannot be %j with %j", (pattern, urlTemplate, problem) =>
    expect(linkifierProblem({ pattern, urlTemplate })).toMatchObject(problem),
  );

  test("can be any other, and have every form of a variable", () => {
    expect(linkifierProblem(issues)).toBeUndefined();
    const urlTemplate = "https://e.example/{+a}{/a}{?a,b*}{#b:3}";
    expect(linkifierProblem({ pattern: "(?P<a>x)(?P<b>y)", urlTemplate })).toBeUndefined();
  });

  const millisecondsMax = 250;

  test("H1 take no longer for a text that is meant to be hard for them", async () => {
    const linkifiers = Array.from({ length: 50 }, (_, index) => ({
      pattern: `(?P<id>(?:a|aa|a+)+(?:a{1,30}){1,${1 + (index % 4)}}b)`,
      urlTemplate: "https://e.example/{id}",
    }));
    const text = `${"a".repeat(9_990)}! b`;
    expect(
      await fastestRun(() => renderMarkdown(text, { linkifiers }), millisecondsMax),
    ).toBeLessThanOrEqual(millisecondsMax);
  });
});

test("A table's cell may hold a pipe in code, and code outside of tables keeps its own", () => {
  expect(htmlOf("|`a|b`|c|\n|-|-|\n|``x|`|y``|z|")).toBe(
    "<table>\n<thead>\n<tr>\n<th><code>a|b</code></th>\n<th>c</th>\n</tr>\n</thead>\n" +
      "<tbody>\n<tr>\n<td><code>x|`|y</code></td>\n<td>z</td>\n</tr>\n</tbody>\n</table>",
  );
  expect(htmlOf("`a|b`\n```\n`c|d`\n```")).toContain("<code>`c|d`\n</code>");
});

describe("Plain words are rendered as the parser would render them", () => {
  /** A linkifier that finds nothing: with one, the parser looks at every text. */
  const parsed = { linkifiers: [{ pattern: "never [0-9]{9}", urlTemplate: "https://e.example/" }] };

  test.each([
    "hello",
    "Good morning, you! How are you?",
    "one\ntwo\n\nthree (four) five",
    "snake_case ünï é",
    'so: yes. No - "quite" isn\'t',
    "a.b www.c http:d",
    "a \n\nb",
    "a\n1. b",
    "x\n---",
  ])("%j", (text) => expect(renderMarkdown(text).html).toBe(renderMarkdown(text, parsed).html));
});
