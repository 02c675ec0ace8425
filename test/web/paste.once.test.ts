import { describe, expect, test } from "bun:test";
import { parseDocument } from "htmlparser2";
import { isFormatted, markdownOf, type Pasted } from "../../src/web/compose/paste";

/** A tree as a browser's parser makes it. */
const treeOf = (html: string): Pasted => wrap(parseDocument(html));

type Node = ReturnType<typeof parseDocument> | ReturnType<typeof parseDocument>["children"][number];

function wrap(node: Node): Pasted {
  return {
    nodeType: node.nodeType,
    nodeName: "name" in node ? node.name.toUpperCase() : "#text",
    nodeValue: "data" in node ? node.data : null,
    childNodes: "children" in node ? node.children.map(wrap) : [],
    getAttribute: (name) => ("attribs" in node ? (node.attribs[name] ?? null) : null),
  };
}

const inList = "- in\n  | a | b |\n  | --- | --- |\n  | c | d |";

/** A list as a word processor copies it: paragraphs, whose marks are words. */
const wordItem = (mark: string, level: number, words: string) =>
  `<p style='text-indent:-18pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span><span
style='mso-list:Ignore'>${mark}<span>&nbsp; </span></span></span><![endif]>${words}</p>\n`;
const wordList = `<p>Before</p>${wordItem("·", 1, "one")}${wordItem("1.", 2, "<i>deep</i>")}${wordItem("·", 1, "two")}<p>after</p>`;

const styled = `<span style="font-weight:700">a </span><span style="font-style:italic;text-decoration:line-through">b</span><span> c</span>`;

describe("what is pasted", () => {
  const cases: [html: string, markdown: string][] = [
    ["plain", "plain"],
    ["<p>one</p><p>two</p>", "one\n\ntwo"],
    ["<p>a <b>bold</b> and <i>slanted</i> word</p>", "a **bold** and *slanted* word"],
    ["<b> spaced </b>word", " **spaced** word".trim()],
    ["<b></b>nothing", "nothing"],
    ["<code>ls -l</code>", "`ls -l`"],
    ["in <code>ls </code>too", "in `ls` too"],
    ["<pre>a\n  b\n</pre>", "```\na\n  b\n```"],
    ["<pre>a\n\n\nb  \n```\n</pre>", "````\na\n\n\nb  \n```\n````"],
    ["<ol><li>Run<pre>a\n\nb</pre></li></ol>", "1. Run\n   ```\n   a\n\n   b\n   ```"],
    ["<blockquote><pre>a\nb</pre></blockquote>", "> ```\n> a\n> b\n> ```"],
    ["<code>a`b</code> or <code>`a`</code>", "``a`b`` or `` `a` ``"],
    ['<code><a href="https://a.b/c">f</a>(<i>x</i>)</code>', "`f(x)`"],
    ["<ul><li>one</li><li>two<ul><li>deep</li></ul></li></ul>", "- one\n- two\n  - deep"],
    ["<ol><li>one</li><li>two</li></ol>", "1. one\n2. two"],
    ['<ol start="9"><li>one<ul><li>in</ul><li>two</ol>', "9. one\n   - in\n10. two"],
    ['<ol><li value="4">one</li><li>two</li></ol>', "4. one\n5. two"],
    ['<ol start="-1"><li>one</li></ol>', "1. one"],
    ['<pre><code class="hljs language-c++">a</code></pre>', "```c++\na\n```"],
    ['<pre class="lang-ts">a</pre>', "```ts\na\n```"],
    ['<pre class="language hljs">a</pre>', "```\na\n```"],
    ['<div data-code-language="Common Lisp"><pre>a</pre></div>', "```Common-Lisp\na\n```"],
    ['<div class="highlight highlight-source-shell"><pre>a</pre></div>', "```shell\na\n```"],
    [
      '<div class="codehilite" data-code-language="Python"><pre><code>a</code></pre><div><button>Copy</button></div></div><pre>b</pre>',
      "```Python\na\n```\n\n```\nb\n```",
    ],
    ["<blockquote><p>said</p><p>more</p></blockquote>", "> said\n>\n> more"],
    ["<h2>Title</h2><p>text</p>", "## Title\n\ntext"],
    ['<a href="https://a.b/c">here</a>', "[here](https://a.b/c)"],
    ['<a href="https://a.b/c">https://a.b/c</a>', "https://a.b/c"],
    ['<a href="https://a.b/(c)">here</a>', "[here](https://a.b/(c%29)"],
    ['<a href="javascript:alert(1)">here</a>', "here"],
    ["<script>alert(1)</script>safe<style>p{}</style>", "safe"],
    ['<img src="x" onerror="alert(1)" alt="a cat">', "a cat"],
    ["<!--StartFragment-->one<br>two<!--EndFragment-->", "one\ntwo"],
    ['<b style="font-weight:normal"><p>From an office</p></b>', "From an office"],
    [
      "<p>See:</p><table><tr><th>a</th><th>b|c</th></tr><tr><td><p>d</p><p>e</p></td></tr></table>",
      "See:\n\n| a | b\\|c |\n| --- | --- |\n| d e |  |",
    ],
    ["<table><tr><td><p>one</p></td></tr><tr><td>two</td></tr></table>", "one\n\ntwo"],
    ["<ul><li>in<table><tr><td>a<td>b<tr><td>c<td>d</table></ul>", inList],
    [wordList, "Before\n\n- one\n   1. *deep*\n- two\n\nafter"],
    [`<b id="docs-internal-guid-1" style="font-weight:normal">${styled}</b>`, "**a** ~~*b*~~ c"],
    [`<i>x</i> ${styled}`, "*x* a b c"],
    ["<p>مرحبا <b>بك</b></p>", "مرحبا **بك**"],
  ];
  test.each(cases)("%s becomes %j", (html, markdown) => {
    expect(markdownOf(treeOf(html))).toBe(markdown);
  });

  test("is left as it is where it has no form", () => {
    expect(isFormatted(treeOf("<div><span style='color:red'>just words</span></div>"))).toBe(false);
    expect(isFormatted(treeOf("<div><b>words</b></div>"))).toBe(true);
    expect(isFormatted(treeOf(wordItem("·", 1, "words")))).toBe(true);
  });
});
