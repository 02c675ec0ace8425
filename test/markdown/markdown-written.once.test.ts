import { describe, expect, test } from "bun:test";
import type { Names } from "../../src/markdown/names";
import { renderMarkdown } from "../../src/markdown/render";
import { imbalanceOf, violationsIn } from "../support/html-oracle";

const names: Names = {
  sites: ["https://chat.example.com"],
  channel: (name) => (name === "kitchen" ? { id: 4, name } : undefined),
};

const htmlOf = (source: string) => renderMarkdown(source, names).html;
/** The HTML in the one paragraph of a text. */
const lineOf = (source: string) => /^<p>(.*)<\/p>$/s.exec(htmlOf(source))?.[1];
const link = (address: string, text = address) => `<a href="${address}">${text}</a>`;
/** The addresses that a text is linked to. */
const linkedIn = (source: string) =>
  [...htmlOf(source).matchAll(/href="([^"]*)"/g)].map(([, address]) => address);
const escaped = (text: string) => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");

describe("A bare address", () => {
  test.each([
    ["http://ann@files.example/my/file", "http://ann@files.example/my/file"],
    [
      "see https://ann:se-cret@files.example:8443/x?y=1.",
      "https://ann:se-cret@files.example:8443/x?y=1",
    ],
    ["https://ann:p*ss_w*rd!@files.example/", "https://ann:p*ss_w*rd!@files.example/"],
    [
      `https://ann:${"x".repeat(80)}@files.example/`,
      `https://ann:${"x".repeat(80)}@files.example/`,
    ],
    [
      "https://chat.example.com@evil.example/#narrow/1",
      "https://chat.example.com@evil.example/#narrow/1",
    ],
  ])("with a user and a password before its host is linked as a whole: %s", (source, address) =>
    expect(linkedIn(source)).toEqual([address]),
  );

  test.each([
    [
      "https://files.example,bob@mail.example.com",
      ["https://files.example", "mailto:bob@mail.example.com"],
    ],
    [
      "https://ann@files.example;bob@mail.example.com",
      ["https://ann@files.example", "mailto:bob@mail.example.com"],
    ],
    [
      "(https://files.example:80)(bob@mail.example.com)",
      ["https://files.example:80", "mailto:bob@mail.example.com"],
    ],
    [
      "https://files.example|ann@a.example|bob@mail",
      ["https://files.example", "mailto:ann@a.example"],
    ],
    [
      "https://files.example、bob@mail.example.com",
      ["https://files.example", "mailto:bob@mail.example.com"],
    ],
    [
      "https://files.example,https://bob:x@b.example",
      ["https://files.example", "https://bob:x@b.example"],
    ],
  ])(
    "ends before a sign that no user's name has, though there is an @ behind it: %s",
    (source, addresses) => expect(linkedIn(source)).toEqual(addresses),
  );

  test.each([
    "https://ann:p(ss@files.example/",
    "https://ann:p@ss@files.example:port/",
    `https://ann:${"x".repeat(600)}@files.example/`,
    "https://files.example:port/x",
    "https://files..example/x",
    "redis://ann:secret@store.example:6379/0",
    "ftp://ann@files.example/x",
  ])("or not at all: %s", (source) => expect(lineOf(source)).toBe(source));

  test.each([
    ["from http://files.example/run.html:", `from ${link("http://files.example/run.html")}:`],
    ["https://files.example: here", `${link("https://files.example")}: here`],
    ["files.example.org/a:, b.example.org/c:;", expect.stringContaining("a</a>:, ")],
    ["https://files.example/a::b::c", link("https://files.example/a::b::c")],
    ["'https://files.example/a?!' he said", `'${link("https://files.example/a")}?!' he said`],
  ])("ends before the signs that end a sentence: %s", (source, html) =>
    expect(lineOf(source)).toEqual(html),
  );

  test("has brackets within brackets up to a depth of 16", () => {
    const nested = (depth: number) => `http://e.example/${"(".repeat(depth)}a${")".repeat(depth)}`;
    expect(lineOf(nested(16))).toBe(link(nested(16), nested(16)));
    expect(lineOf(nested(17))).toBe(
      `${link("http://e.example/", "http://e.example/")}${nested(17).slice(17)}`,
    );
  });

  test.each([
    ["(https://files.example/x_(y)_(z))", "https://files.example/x_(y)_(z)"],
    [
      "https://files.example/(a_(b_(c_(d_(e_(f_(g)))))))_h",
      "https://files.example/(a_(b_(c_(d_(e_(f_(g)))))))_h",
    ],
    ["https://files.example/a[0]{1}", "https://files.example/a[0]{1}"],
    ["[https://files.example/a]", "https://files.example/a"],
    ["https://files.example/a)b", "https://files.example/a"],
    ["https://files.example/(a b", "https://files.example/"],
    ["https://files.example/x(a]b)", "https://files.example/x"],
    ["https://files.example/a。次", "https://files.example/a"],
    ["https://[2001:db8::1]:8080/x", "https://[2001:db8::1]:8080/x"],
    ["https://münchen.example/straße", "https://münchen.example/straße"],
    ["https://files.example?a=1#b", "https://files.example?a=1#b"],
  ])("holds brackets that are closed in it: %s", (source, address) =>
    expect(linkedIn(source)).toEqual([address]),
  );

  test.each([
    "docs.example.dev/x",
    "get.example.app",
    "shop.example.museum",
    "a.example.photography",
    "team.example.cloud",
    "beispiel.xn--vermgensberatung-pwb",
    "例え.みんな",
    "t.co",
    "example.co.uk",
  ])("needs no scheme below any top-level domain: %s", (domain) =>
    expect(lineOf(`see ${domain}!`)).toBe(`see ${link(`http://${domain}`, domain)}!`),
  );

  test.each([
    "README.md",
    "main.py",
    "Main.java",
    "clip.mov",
    "all.zip",
    "index.html",
    "notes.txt",
    "app.tsx",
    "list.csv",
    "example.notadomain",
    "love...it",
    "a.commandstuff()",
    "e.g.",
    "3.14",
    "etc.)",
    "Hello.World",
    "v1.2.3",
    "x@y",
    "_example.com_",
    "/example.com",
    "../example.com",
    "example.com:8080/x",
    "example.com-x",
  ])("is no file, no number and no abbreviation: %s", (source) =>
    expect(linkedIn(source)).toEqual([]),
  );
});

describe("A bare address in emphasis", () => {
  test.each([
    ["**https://e.example/a**b c", `<strong>${link("https://e.example/a")}</strong>b c`],
    ["~~https://e.example/a~~b c", `<del>${link("https://e.example/a")}</del>b c`],
    ["***https://e.example/a***b", `<strong><em>${link("https://e.example/a")}</em></strong>b`],
    [
      "**see a.example.org/b**c",
      `<strong>see ${link("http://a.example.org/b", "a.example.org/b")}</strong>c`,
    ],
  ])("ends with it: %s", (source, html) => expect(lineOf(source)).toBe(html));
});

describe("An e-mail address", () => {
  const mail = (address: string) => link(`mailto:${address}`, address);

  test.each([
    ["ann@example.com", mail("ann@example.com")],
    [
      "ann.b+news@mail.example.com, bob@example.com;",
      `${mail("ann.b+news@mail.example.com")}, ${mail("bob@example.com")};`,
    ],
    ["ann@example.com,bob@example.com", `${mail("ann@example.com")},${mail("bob@example.com")}`],
    ["<ann@example.com>: hello", `&lt;${mail("ann@example.com")}&gt;: hello`],
    ["ann@example.com: hello", `${mail("ann@example.com")}: hello`],
    ["mailto:ann@example.com", `mailto:${mail("ann@example.com")}`],
    ["MAILTO:ann@example.com", `MAILTO:${mail("ann@example.com")}`],
    ["(ann@example.com)", `(${mail("ann@example.com")})`],
    ["josé@example.com", mail("josé@example.com")],
  ])("is linked, and mailto: stays outside of the text: %s", (source, html) =>
    expect(lineOf(source)).toBe(html),
  );

  test.each([
    "git@git.example.com:ann/soup.git",
    "git clone git@git.example.com:ann/soup.git soup",
    "scp soup.log ann@host.example.com:/var/log/",
    "rsync -a ann@host.example.com:soup .",
    "//ann@example.com",
    "ssh://ann@example.com",
    "ssh://git@git.example.com/ann/soup.git",
    "ann@example.com/soup",
    "ann@localhost",
    "root:secret@example.com",
    "a@b@example.com",
    `${"x".repeat(80)}@example.com`,
  ])("is none where more belongs to it: %s", (source) => expect(lineOf(source)).toBe(source));
});

describe("A link's address", () => {
  test.each([
    ["[t](HTTPS://Files.example/A)", "https://Files.example/A"],
    ["[t](Mailto:ann@example.com)", "mailto:ann@example.com"],
    ["[t](TEL:+4912345)", "tel:+4912345"],
    ["HTTP://Files.example/A", "http://Files.example/A"],
    ["[t](sms:+4912345)", "sms:+4912345"],
  ])("has its scheme in small letters: %s", (source, address) =>
    expect(linkedIn(source)).toEqual([address]),
  );

  test("is shown as it was typed", () => {
    expect(lineOf("HTTP://Files.example/A")).toBe(
      link("http://Files.example/A", "HTTP://Files.example/A"),
    );
  });

  test.each([
    ["[plan](https://files.example/our plan.pdf)", "https://files.example/our%20plan.pdf"],
    ["[plan](files.example/our plan (new).pdf)", "http://files.example/our%20plan%20(new).pdf"],
    ["[plan](/user_uploads/1/ab/our plan.pdf)", "/user_uploads/1/ab/our%20plan.pdf"],
    ["[plan](https://files.example/?q=two words)", "https://files.example/?q=two%20words"],
    ["[plan]( https://files.example/our plan )", "https://files.example/our%20plan"],
    ["[call](tel:+49 123 45)", "tel:+49%20123%2045"],
    ["![plan](https://files.example/our plan.png)", "https://files.example/our%20plan.png"],
  ])("may have spaces behind its host: %s", (source, address) =>
    expect(linkedIn(source)).toEqual([address]),
  );

  test("may have spaces and a title", () => {
    expect(lineOf('[plan](https://files.example/our plan "the plan")')).toBe(
      '<a href="https://files.example/our%20plan" title="the plan">plan</a>',
    );
  });

  test.each([
    "[citation needed](look at the end)",
    "[x](some words/and more)",
    "[x](javascript:alert(1) //x)",
    "[x](data:text/html, x)",
    "[x](one /two",
  ])("is no sentence in brackets: %s", (source) => expect(lineOf(source)).toBe(source));
});

describe("A link's label", () => {
  const labelled = (html: string) => link("https://files.example", html);

  test.each([
    ["[`a*b*c`](https://files.example)", labelled("<code>a*b*c</code>")],
    ["[run `make` now](https://files.example)", labelled("run <code>make</code> now")],
    ["[`` a`b ``](https://files.example)", labelled("<code> a`b </code>")],
    ["[***both***](https://files.example)", labelled("<strong><em>both</em></strong>")],
    [
      "[***a*** and `b`](https://files.example)",
      labelled("<strong><em>a</em></strong> and <code>b</code>"),
    ],
    ["[`](https://files.example)", labelled("`")],
    ["[`<b>`](https://files.example)", labelled("<code>&lt;b&gt;</code>")],
    ["**[`a`](https://files.example)**", `<strong>${labelled("<code>a</code>")}</strong>`],
  ])("may have code and what is both bold and italic: %s", (source, html) =>
    expect(lineOf(source)).toBe(html),
  );

  test.each([
    "**b**",
    "*i*",
    "~~s~~",
    ":tada:",
    "😀",
    "e.example.com",
    "@**all**",
    "#**kitchen**",
    "<time:1>",
    "*`i*",
  ])("is otherwise text: %s", (label) =>
    expect(lineOf(`[${label}](https://files.example)`)).toBe(labelled(escaped(label))),
  );

  test.each(["[](https://files.example)", "[  ](https://files.example)"])(
    "that nobody would see is the address: %s",
    (source) => expect(lineOf(source)).toBe(labelled("https://files.example")),
  );

  test("with code is shown as it was typed where the message would be too large", () => {
    const html = htmlOf("[`a`](https://f.example) ".repeat(400) + "😀".repeat(5_000));
    expect(violationsIn(html)).toEqual([]);
    expect(imbalanceOf(html)).toEqual([]);
  });

  test("with code is the title of a picture's preview", () => {
    expect(htmlOf("[the `cat`](/user_uploads/1/ab/cat.png)")).toContain('title="the cat"');
  });
});

describe("Emphasis stays within a line", () => {
  test.each([
    ["any **time you\nlike** it", "any **time you<br>\nlike** it"],
    ["any *time you\nlike* it", "any *time you<br>\nlike* it"],
    ["any ~~time you\nlike~~ it", "any ~~time you<br>\nlike~~ it"],
    ["any ***time you\nlike*** it", "any ***time you<br>\nlike*** it"],
    ["*a\n*b* c*", "*a<br>\n<em>b</em> c*"],
    [
      "**a `b`** and\n**`c` d**",
      "<strong>a <code>b</code></strong> and<br>\n<strong><code>c</code> d</strong>",
    ],
    ["*a **b** `c`*\n*d*", "<em>a <strong>b</strong> <code>c</code></em><br>\n<em>d</em>"],
    ["**`a\nb`**", "<strong><code>a b</code></strong>"],
  ])("%j", (source, html) => expect(lineOf(source)).toBe(html));

  test.each([
    ["I ~~ like ~~ it", "I <del> like </del> it"],
    ["~~a **b** c~~", "<del>a <strong>b</strong> c</del>"],
    ["a ~~~b~~~ ~c~ ~~~~", "a ~~~b~~~ ~c~ ~~~~"],
  ])("and strike, as bold does, may begin and end with a space: %j", (source, html) =>
    expect(lineOf(source)).toBe(html),
  );
});

describe("A list", () => {
  const list = (...items: string[]) =>
    `<ul>\n${items.map((item) => `<li>${item}</li>\n`).join("")}</ul>`;

  test.each([
    ["* a\n- b\n+ c\n- d", list("a", "b", "c", "d")],
    ["- a\n  * b\n  - c\n+ d", list(`a${list("b", "c")}\n`, "d")],
    ["> * a\n> - b", `<blockquote>\n${list("a", "b")}\n</blockquote>`],
    ["* a\n\n- b", list("\n<p>a</p>\n", "\n<p>b</p>\n")],
    ["> * a\n>\n> - b", `<blockquote>\n${list("\n<p>a</p>\n", "\n<p>b</p>\n")}\n</blockquote>`],
    ["* a\n- b\n\n- c", list("\n<p>a</p>\n", "\n<p>b</p>\n", "\n<p>c</p>\n")],
    ["* a\n\ntext\n\n- b", `${list("a")}\n<p>text</p>\n${list("b")}`],
    ["- a\n\n1. b", `${list("a")}\n<ol>\n<li>b</li>\n</ol>`],
  ])("of different bullets is one list: %j", (source, html) => expect(htmlOf(source)).toBe(html));

  test.each([
    ["1. a\n  - b\n2. c", `<ol>\n<li>a${list("b")}\n</li>\n<li>c</li>\n</ol>`],
    ["10. a\n  * b\n  * c", `<ol start="10">\n<li>a${list("b", "c")}\n</li>\n</ol>`],
    [
      "1. a\n  - b\n    - c\n    - d\n  - e",
      `<ol>\n<li>a${list(`b${list("c", "d")}\n`, "e")}\n</li>\n</ol>`,
    ],
    [
      "1. a\n  2. b\n    3. c\n  4. d\n2. e",
      expect.stringContaining('<li>b<ol start="3">\n<li>c</li>\n</ol>\n</li>\n<li>d'),
    ],
    ["-   a\n  - b", list(`a${list("b")}\n`)],
    ["- 1. a\n    - b", list(`\n<ol>\n<li>a${list("b")}\n</li>\n</ol>\n`)],
    ["> 1. a\n>   - b", `<blockquote>\n<ol>\n<li>a${list("b")}\n</li>\n</ol>\n</blockquote>`],
    ["1. a\n\n  - b\n\n2. c", expect.stringContaining(`<p>a</p>\n${list("b")}\n</li>\n<li>\n<p>c`)],
    ["1. a\n   - b", `<ol>\n<li>a${list("b")}\n</li>\n</ol>`],
    [" 9. a\n10. b", '<ol start="9">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ["1. a\n 2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>"],
    ["1. a\n\ntext\n  - b", `<ol>\n<li>a</li>\n</ol>\n<p>text</p>\n${list("b")}`],
    ["1. a\n***\n  - b", `<ol>\n<li>a</li>\n</ol>\n<hr>\n${list("b")}`],
  ])("has lists in it that are indented by two spaces: %j", (source, html) =>
    expect(htmlOf(source)).toEqual(html),
  );
});

describe("Signs without words are text", () => {
  test.each(["#", "##", "######", "# #", "## ##", ">", "-", "*", "+", "1.", "12."])(
    "%s",
    (source) => expect(htmlOf(source)).toBe(`<p>${escaped(source)}</p>`),
  );

  test.each([
    ["#\n\ntext", "<p>#</p>\n<p>text</p>"],
    ["> #", "<blockquote>\n<p>#</p>\n</blockquote>"],
    [">>>", "<blockquote>\n<blockquote>\n<p>&gt;</p>\n</blockquote>\n</blockquote>"],
    ["> a\n>\n> b", "<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>"],
    [">\n> a", "<blockquote>\n<p>a</p>\n</blockquote>"],
    ["- a\n-\n- c", "<ul>\n<li>a</li>\n<li></li>\n<li>c</li>\n</ul>"],
    ["-\n- b", "<ul>\n<li></li>\n<li>b</li>\n</ul>"],
    ["# a #", "<h1>a</h1>"],
    ["## # b", "<h2># b</h2>"],
  ])("and with words they are what they were: %j", (source, html) =>
    expect(htmlOf(source)).toBe(html),
  );
});

describe("Behind a fence", () => {
  const languageOf = (source: string) => /data-code-language="([^"]*)"/.exec(htmlOf(source))?.[1];

  test.each([
    ["python", "Python"],
    [".python ", "Python"],
    ["{.python}", "Python"],
    ["{javascript}", "JavaScript"],
    ["python title", "Python"],
    ["python:main.py", "Python"],
    ["js,linenos", "JavaScript"],
    ["c++", "C++"],
    ["C#", "C#"],
    ["objective-c", "Objective-C"],
    ["nosuchlang", "nosuchlang"],
  ])("%s is a language", (info, language) =>
    expect(languageOf(`\`\`\`${info}\nx\n\`\`\``)).toBe(language),
  );

  test.each(["«quoted»", '"x"', "código", "!!", "(see below)", "<b>", "$HOME", "…", "😀"])(
    "%s is none",
    (info) => {
      expect(languageOf(`\`\`\`${info}\nx\n\`\`\``)).toBeUndefined();
      expect(htmlOf(`\`\`\`${info}\nx\n\`\`\``)).toContain("<code>x\n</code>");
    },
  );

  test("another fence makes a line of text", () => {
    expect(lineOf("~~~~xxx: yy~~~~")).toBe("~~~~xxx: yy~~~~");
  });
});

describe("Code between fences", () => {
  const code = (text: string) =>
    `<div class="codehilite"><pre><span></span><code>${text}</code></pre></div>`;

  test.each([
    ["```\n\n\nx\n\ny\n\n\n```", code("x\n\ny\n")],
    ["```\n  \n  x  \n \t\n```", code("  x  \n")],
    ["~~~\n\n\n~~~", code("\n")],
    ["> ```\n>\n> x\n>\n> ```", `<blockquote>\n${code("x\n")}\n</blockquote>`],
  ])("loses the blank lines at its ends: %j", (source, html) => expect(htmlOf(source)).toBe(html));

  test("of a language and of formulas too", () => {
    expect(htmlOf("```tex\n\n\\pi\n\n```")).toContain('<code><span class="k">\\pi</span>\n</code>');
    expect(htmlOf("```math\n\nx\n\n```")).toBe(htmlOf("```math\nx\n```"));
  });
});

describe("A backslash before a backtick", () => {
  test.each([
    ["\\`not code`", "\\`not code`"],
    ["\\`not **code**\\`", "\\`not <strong>code</strong>\\`"],
    ["\\\\`code`", "\\\\<code>code</code>"],
    ["`C:\\dir\\` and `x`", "<code>C:\\dir\\</code> and <code>x</code>"],
    ["\\``x`", "\\`<code>x</code>"],
    ["\\```x``", "\\`<code>x</code>"],
    ["\\*`x`", "\\*<code>x</code>"],
  ])("begins no code: %s", (source, html) => expect(lineOf(source)).toBe(html));

  test("and in a table the pipe behind it ends a cell", () => {
    expect(htmlOf("|a|b|\n|-|-|\n|\\`x|y`|")).toContain("<td>\\`x</td>\n<td>y`</td>");
  });
});

describe("A channel's link", () => {
  const kitchen =
    '<a class="stream" data-stream-id="4" href="/#narrow/channel/4-kitchen">#kitchen</a>';

  test.each(["a", "7", "ß", "漢", "_", "é", "𝒳"])(
    "is none behind the letter or digit %s",
    (before) => expect(lineOf(`${before}#**kitchen**`)).toBe(`${before}#<strong>kitchen</strong>`),
  );

  test.each([" ", "(", "/", ":", "-", "😀 ", "`x`", "**b**", "。"])("is one behind %j", (before) =>
    expect(lineOf(`x${before}#**kitchen**`)).toEndWith(kitchen),
  );
});

describe("A moment in words", () => {
  const time = (moment: string, text: string) => `<time datetime="${moment}">${text}</time>`;

  test.each([
    ["Jun 5th 2017, 10:30PM", "2017-06-05T22:30:00Z"],
    ["31 Dec 2017", "2017-12-31T00:00:00Z"],
    ["31 Dec 2017 5:30 am IST", "2017-12-31T00:00:00Z"],
    ["December 31, 2017 at 23:59:58 UTC", "2017-12-31T23:59:58Z"],
    ["Sunday, 31. december 2017 noon", undefined],
    ["Sun, 31 Dec 2017 12:00:00 +0100", "2017-12-31T11:00:00Z"],
    ["Sun Dec 31 2017 12:00 GMT-05:30", "2017-12-31T17:30:00Z"],
    ["1 sept 2024 12am EST", "2024-09-01T05:00:00Z"],
    ["2 March 2024 12:15 pm PDT", "2024-03-02T19:15:00Z"],
    ["Feb 29 2024", "2024-02-29T00:00:00Z"],
    ["Feb 29 2023", undefined],
    ["Feb 2024", undefined],
    ["5 Feb", undefined],
    ["Feb 5 Mar 2024", undefined],
    ["Feb 5 2024 2025", undefined],
    ["Feb 5 2024 13pm", undefined],
    ["Feb 5 2024 25:00", undefined],
    ["Feb 5 2024 10:00 XYZ", undefined],
    ["may be 5 2024", undefined],
    ["tomorrow", undefined],
  ])("%s", (text, moment) =>
    expect(lineOf(`<time:${text}>`)).toBe(
      moment === undefined ? `&lt;time:${text}&gt;` : time(moment, text),
    ),
  );
});
