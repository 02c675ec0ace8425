import { describe, expect, spyOn, test } from "bun:test";
import Markdown from "markdown-it";
import {
  foreignMarkdown,
  quoteBlock,
  withoutMentions,
} from "../../src/bots/incoming-webhooks/safe-text";
import { settleMentions } from "../../src/markdown/foreign-mentions";
import type { Names } from "../../src/markdown/names";
import { parseMarkdown, renderMarkdown } from "../../src/markdown/render";
import { truncateContent } from "../../src/messages/rendering/source";
import { seededRandom } from "../crash/seeded-random";

/** Everybody and every group that a text can name is there. */
const everybody: Names = {
  person: (name, id) => ({ id: id ?? 7, fullName: name, isActive: true }),
  group: (name) => ({ id: 9, name, isActive: true }),
};

const codeIn = (source: string): string[] =>
  parseMarkdown(source)
    .flatMap((token) => [token, ...(token.children ?? [])])
    .filter(({ type }) => ["code_inline", "code_block", "fence", "math"].includes(type))
    .map(({ content }) => content);

function requireHarmless(source: string) {
  const { html, mentions } = renderMarkdown(source, everybody);
  expect([source, html.match(/user-mention|user-group-mention/g), mentions]).toEqual([
    source,
    null,
    { people: [], groups: [], channelWildcard: false, topicWildcard: false },
  ]);
}

describe("Mentions in Markdown of others", () => {
  test.each([
    ["@**all** and `@**all**`", "&#64;**all** and `@**all**`"],
    ["```\n@_**Alice**\n```\n@_**Alice**", "```\n@_**Alice**\n```\n&#64;_**Alice**"],
    ["~~~ts\n@*cooks*", "~~~ts\n@*cooks*"],
    ["x\n\n    @**all**", "x\n\n    @**all**"],
    ["$$@**x**$$ @**x**", "$$@**x**$$ &#64;**x**"],
    ["`@**all**", "`&#64;**all**"],
    ["\\`@**all**`", "\\`&#64;**all**`"],
    [
      "```spoiler @**all**\n`@**all**` @**all**\n```",
      "```spoiler &#64;**all**\n`@**all**` &#64;**all**\n```",
    ],
    ["a@b.example @ x", "a@b.example @ x"],
  ])("stay in code, and are harmless elsewhere: %j", (given, shown) => {
    expect(withoutMentions(given)).toBe(shown);
    requireHarmless(shown);
  });

  test("are harmless where code is cut, or no code in the place that it comes to", () => {
    const cut = withoutMentions(`\`@**all** ${"x".repeat(20_000)}\``);
    requireHarmless(truncateContent(cut, 10_000));
    const grown = withoutMentions(`${"@**b** ".repeat(1_400)}\`@**all** ${"x".repeat(150)}\``);
    requireHarmless(truncateContent(grown, 10_000));
    requireHarmless(settleMentions(`begins: ${foreignMarkdown("```\n@**all**\n```")}`));
    requireHarmless(settleMentions(`${foreignMarkdown("x @")}**all**`));
    requireHarmless(settleMentions(`\` ${quoteBlock("`@**all**`")}`));
  });

  test("are harmless without a parse where the text is long", () => {
    const parses = spyOn(Markdown.prototype, "parse");
    try {
      for (const piece of ["* a\n", "[a](b ", "- [ ] a\n", "@**all** ", "`@**all**` "]) {
        const long = `@**all** ${piece.repeat(10_000 / piece.length - 10)}\`@**all**\``;
        parses.mockClear();
        const shown = withoutMentions(long);
        expect([piece, parses.mock.calls.length]).toEqual([piece, 0]);
        expect(shown).not.toContain("@");
        requireHarmless(shown);
      }
      parses.mockClear();
      expect(withoutMentions("`@**all**`")).toBe("`@**all**`");
      expect(parses.mock.calls.length).toBe(2);
    } finally {
      parses.mockRestore();
    }
  });

  test("are harmless in any text, and its code is as it was", () => {
    const pieces = [
      ..."@**all**|@**Alice**|@_**Bob|7**|@*cooks*|@|**|`|``|```|~~~|````quote|\\|$$|    |\t|> |* |1. |[x](|)|]|a|b c|&#64;|<|:smile:|--|~~|https://a.example/".split(
        "|",
      ),
      "|",
      "\n",
      "\n\n",
      "\n```\n",
      "\n~~~\n",
      "\n```spoiler x\n",
    ];
    const random = seededRandom(20261127);
    const pick = () => pieces[Math.floor(random() * pieces.length)] ?? "";
    for (let round = 0; round < 3_000; round++) {
      const text = Array.from({ length: 1 + Math.floor(random() * 24) }, pick).join("");
      const shown = withoutMentions(text);
      requireHarmless(shown);
      expect([text, codeIn(shown)]).toEqual([text, codeIn(text)]);
    }
  });
});
