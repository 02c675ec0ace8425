import { describe, expect, test } from "bun:test";
import { renderMarkdown } from "../../src/markdown/render";
import { mapHtml } from "../../src/moving/import/html";
import { fastestRun } from "../support/cpu-time";

const map = { shifts: {}, realmId: { from: 1, to: 2 }, host: { from: "a", to: "b" } };

/** Tags that are closed at once, so that chance puts together what may be taken over. */
const hostilePieces = [
  "x",
  "&lt;script&gt;",
  "&#60;img src=x onerror=x&#62;",
  "<",
  ">",
  '"',
  "'",
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
  "<?x?>",
  "</p>",
  "<p>",
  "</p>",
  "<p>x</p>",
  "<math>",
  "</math>",
  "<svg>",
  "</svg>",
  '<annotation encoding="text/html">',
  "</annotation>",
  "<script>x</script>",
  "<style>x</style>",
  "<title>x</title>",
  "<textarea>",
  "<plaintext>",
  "<noscript>",
  "<iframe>",
  '<a href="/x">x</a>',
  '<a href="https://a.example" title="&quot;onclick=x">x</a>',
  '<a href="/&#47;e.example">x</a>',
  '<a href="/x" href="//e.example">x</a>',
  "<a href=//e.example>x</a>",
  "<a href='//e.example'>x</a>",
  '<a\thref="//e.example">x</a>',
  '<p title="',
  '">',
  '<img src="/user_uploads/1/a">',
  '<img src="/x/../../e">',
  '<img src="//e.example">',
  "<p onclick=x>",
  '<p class="x"onclick="x">x</p>',
  '<p class="a" style="width:1em">x</p>',
  '<path fill="url(//e.example)"/>',
  '<path d="M0"/>',
  '<svg><path d="M0"/></svg>',
  "<A HREF='//e'>",
  "<a/onclick=x>",
  "<br/>",
  "<br>",
  "<hr/>",
  "\0",
  "\f",
  "<\0script>",
];

const isElement = /^(?:p|a|br|hr|img|math|svg|path|annotation)$/;
const isPlainAttribute = /^(?:class|href|src|title|d|encoding|fill|style)$/;
const leadsHere = /^\/(?![/\\])[^&\s\\]*$/;

/**
 * Elements, attributes and addresses that HTML has for a parser of browsers and that no message
 * has.
 */
function dangersIn(html: string): string[] {
  const found: string[] = [];
  const rewriter = new HTMLRewriter().on("*", {
    element({ tagName, attributes }) {
      if (!isElement.test(tagName)) found.push(tagName);
      for (const [name = "", value = ""] of attributes) {
        const isAddress = name === "href" || name === "src";
        const isFine = isAddress
          ? leadsHere.test(value) || value === "https://a.example"
          : !value.includes("url(");
        if (!isPlainAttribute.test(name) || !isFine) found.push(`${name}=${value}`);
      }
    },
    comments: () => void found.push("comment"),
  });
  rewriter.transform(html);
  return found;
}

describe("HTML of an import", () => {
  test("stands where the message stands, and lies over nothing else", () => {
    const kept = '<span style="height:1.04em;vertical-align:-0.08em;position:relative">x</span>';
    expect(mapHtml(map, kept)).toBe(kept);
    for (const style of [
      "position:absolute;top:0;left:0",
      "position: fixed",
      "position:sticky",
      "z-index:9999",
      "transform:scale 9",
      "background:url(//evil)",
      "position:/**/fixed",
      "position:&#102;ixed",
      "width:expression(1)",
      "x",
    ]) {
      expect([style, mapHtml(map, `<p style="${style}">x</p>`)]).toEqual([style, undefined]);
    }
  });

  test("is looked through in a time that grows with its length", async () => {
    const milliseconds = 1_000;
    const text = `<p style="${"a:bbbbb".repeat(2_000)}!">x</p>`;
    const look = () => expect(mapHtml(map, text)).toBeUndefined();
    expect(await fastestRun(look, milliseconds)).toBeLessThan(milliseconds);
  });

  test.each([
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/&#47;evil.example",
    "&#47;&#47;evil.example",
    "/&#x2f;evil.example",
    "/&#47evil.example",
    "/&sol;evil.example",
    "/&bsol;evil.example",
    "/&#92;evil.example",
    "/&Tab;/evil.example",
    "/&NewLine;/evil.example",
    " //evil.example",
    "https:/user_uploads/1/a",
    "https:evil.example",
    "https:&#47;evil.example",
    "java&#115;cript:alert(1)",
    "https&colon;/x",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "&#1;javascript:alert(1)",
    "java&Tab;script:alert(1)",
    "jav&#x0A;ascript:alert(1)",
    "java\0script:alert(1)",
    "javascript&colon;alert(1)",
    "&#x6A&#x61;vascript:alert(1)",
    "vbscript:x",
    "data:text/html,x",
    "x",
    "",
  ])("with a link to %j is not taken over", (address) => {
    expect(mapHtml(map, `<p><a href="${address}">x</a></p>`)).toBeUndefined();
    expect(mapHtml(map, `<p><img src="${address}"></p>`)).toBeUndefined();
    expect(
      mapHtml(map, `<p><img src="/user_uploads/1/a" data-original-src="${address}"></p>`),
    ).toBeUndefined();
  });

  test("keeps the links that our renderer writes", () => {
    for (const address of [
      "https://a.example/?a=1&amp;b=2",
      "/user_uploads/2/a/b.png",
      "#narrow/is/dm",
      "mailto:a@a.example",
    ]) {
      const kept = `<p><a href="${address}">x</a></p>`;
      expect(mapHtml(map, kept)).toBe(kept);
    }
  });

  test("that is taken over is nothing else to a parser of HTML, however it was put together", () => {
    let state = 11;
    const next = (limit: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 4294967296) * limit);
    };
    let taken = 0;
    for (let round = 0; round < 20_000; round++) {
      const html = Array.from(
        { length: 1 + next(7) },
        () => hostilePieces[next(hostilePieces.length)],
      ).join("");
      const mapped = mapHtml(map, html);
      if (mapped === undefined) continue;
      taken += 1;
      expect({ html, found: dangersIn(mapped) }).toEqual({ html, found: [] });
    }
    expect(taken).toBeGreaterThan(500);
  });

  test.each([
    ["an element that is not closed", "<p>x"],
    ["an end of an element that is not open", "<p>x</p></div>"],
    ["elements that are closed in another order", "<p><em>x</p></em>"],
    ["a tag that is cut off", '<p>x</p><a href="/x'],
    ["a tag that is cut off behind its slash", "<p>x</p><br/"],
    ["an end that is cut off", "<p>x</p"],
    ["an end with an attribute", "<p>x</p class>y"],
    ["an end with a space before its name", "<p>x</ p>"],
    ["a comment", "<p>x<!-- y --></p>"],
    ["a comment without an end", "<p>x</p><!--"],
    ["a comment that ends at once", '<!--><img src="/x" onerror="x">-->'],
    ["a processing instruction", "<p>x</p><?xml version='1.0'?>"],
    ["a document type", "<!DOCTYPE html><p>x</p>"],
    ["CDATA", "<math><![CDATA[<p>x</p>]]></math>"],
    ["an attribute that is there twice", '<a href="/x" HREF="/y">x</a>'],
    ["an attribute without quotes", "<p class=x>x</p>"],
    ["an attribute in single quotes", "<p class='x'>x</p>"],
    ["an attribute of no name", '<p ="x">x</p>'],
    ["an attribute that runs code", '<p class="x"onclick="x">x</p>'],
    ["code behind a slash", "<p/onclick=x>x</p>"],
    ["a NUL in a text", "<p>x\0</p>"],
    ["a NUL in a value", '<p title="\0">x</p>'],
    ["a NUL in a name", "<p\0>x</p\0>"],
    ["capitals", "<P>x</P>"],
    ["noscript", '<noscript><p title="</noscript><img src=x onerror=x>">x</p></noscript>'],
    ["a template", "<template><p>x</p></template>"],
    ["a style in a formula", "<math><mtext><style><p>x</p></style></mtext></math>"],
    [
      "a style in a drawing",
      '<svg><style><a title="</style><img src=x onerror=x>"></a></style></svg>',
    ],
    ["a page in a drawing", "<svg><foreignObject><p>x</p></foreignObject></svg>"],
    ["a title in a drawing", "<svg><title><p>x</p></title></svg>"],
    [
      "a page in a formula",
      '<math><annotation-xml encoding="text/html"><p>x</p></annotation-xml></math>',
    ],
    ["a drawing from elsewhere", '<svg><use href="//e.example/#x"></use></svg>'],
    ["an animation", '<svg><a><animate attributeName="href" values="javascript:x"/></a></svg>'],
    ["an address of a formula", '<math><mi xlink:href="javascript:x">x</mi></math>'],
    [
      "a formula within nested forms",
      "<form><math><mtext></form><form><mglyph><style></math><img src onerror=x>",
    ],
  ])("with %s is not taken over", (_, html) => expect(mapHtml(map, html)).toBeUndefined());

  test("may be nested ten thousand deep, and is looked through in a time that grows with its length", async () => {
    const [opened, closed] = ["<div>".repeat(10_000), "</div>".repeat(10_000)];
    const lookThrough = () => {
      expect(mapHtml(map, opened)).toBeUndefined();
      expect(mapHtml(map, opened + closed)).toBe(opened + closed);
      expect(mapHtml(map, `<p${" class".repeat(100_000)}>x</p>`)).toBeUndefined();
    };
    expect(await fastestRun(lookThrough, 1_000)).toBeLessThan(1_000);
  });

  test("is written anew, so that only what was understood is in it", () => {
    expect(mapHtml(map, '<p title="&copy; &#34; &lt; \'">1 < 2 &amp &#60;b&#62; & > "</p>')).toBe(
      '<p title="© &quot; &lt; \'">1 &lt; 2 &amp; &lt;b&gt; &amp; &gt; "</p>',
    );
    expect(mapHtml(map, '<p\n  class = "x"\t>x</p>')).toBe('<p class="x">x</p>');
  });

  test.each([
    '**a** `b < c` & "d" [e](https://e.example/?f=1&g=2) :smile: <time:2026-01-01T00:00:00Z>',
    "$$\\sqrt{x} \\widehat{abc} \\cancel{y} \\hspace{2em} \\overbrace{z} \\color{red}{a}$$",
    "```math\n\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\boxed{q} \\xrightarrow{abc}\n```",
    "```python\nprint(1 < 2)\n```",
    "| a | b |\n|:-|-:|\n| 1 | 2 |",
  ])("of our renderer is taken over as it is: %s", (source) => {
    const { html } = renderMarkdown(source);
    expect(mapHtml(map, html)).toBe(html);
  });

  test("of our renderer loses only references that a text does not need", () => {
    const { html } = renderMarkdown("$$f'$$");
    expect(html).toContain("&#x27;");
    expect(mapHtml(map, html)).toBe(html.replaceAll("&#x27;", "'"));
  });

  test("opens what browsers open", () => {
    for (const html of ["<a/>", "<div/>x", '<a href="/x"/>'])
      expect(mapHtml(map, html)).toBeUndefined();
    const drawn =
      '<svg viewbox="0 0 1 1"><path d="M0"/></svg><math><mspace width="1em"/></math><br/>';
    expect(mapHtml(map, drawn)).toBe(drawn);
  });
});
