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
    ["<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>", "a b\n\nc d"],
    ["<p>مرحبا <b>بك</b></p>", "مرحبا **بك**"],
  ];
  test.each(cases)("%s becomes %j", (html, markdown) => {
    expect(markdownOf(treeOf(html))).toBe(markdown);
  });

  test("is left as it is where it has no form", () => {
    expect(isFormatted(treeOf("<div><span style='color:red'>just words</span></div>"))).toBe(false);
    expect(isFormatted(treeOf("<div><b>words</b></div>"))).toBe(true);
  });
});
