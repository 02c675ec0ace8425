import { describe, expect, test } from "bun:test";
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

  test("is looked through in a time that grows with its length", () => {
    const milliseconds = 1_000;
    const text = `<p style="${"a:bbbbb".repeat(2_000)}!">x</p>`;
    const look = () => expect(mapHtml(map, text)).toBeUndefined();
    expect(fastestRun(look, milliseconds)).toBeLessThan(milliseconds);
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

  test("opens what browsers open", () => {
    for (const html of ["<a/>", "<div/>x", '<a href="/x"/>'])
      expect(mapHtml(map, html)).toBeUndefined();
    const drawn =
      '<svg viewbox="0 0 1 1"><path d="M0"/></svg><math><mspace width="1em"/></math><br/>';
    expect(mapHtml(map, drawn)).toBe(drawn);
  });
});
