import { describe, expect, test } from "bun:test";
import { markdownOfBlocks } from "../../src/moving/import/slack/blocks";
import { ThreadTopics } from "../../src/moving/import/slack/topics";

const names = {
  person: (id: string) => (id === "U1" ? { id: 8, fullName: "Ann" } : undefined),
  channel: (id: string) => (id === "C1" ? "general" : undefined),
  emoji: (name: string) => name,
};
const markdown = (...blocks: Record<string, unknown>[]) => markdownOfBlocks(blocks, names);

const section = (...elements: object[]) => ({ type: "rich_text_section", elements });
const words = (text: string, style?: object) => ({ type: "text", text, ...(style && { style }) });
const list = (style: string, indent: number, items: object[], more = {}) => ({
  type: "rich_text_list",
  style,
  indent,
  elements: items,
  ...more,
});
const richText = (...elements: object[]) => ({ type: "rich_text", elements });

describe("Blocks of Slack in Markdown", () => {
  test("keep lists in lists, ordered ones with their numbers", () => {
    const { text } = markdown(
      richText(
        section(words("Plan:\n")),
        list("bullet", 0, [section(words("one"))]),
        list("ordered", 1, [section(words("first")), section(words("second"))]),
        list("bullet", 0, [section(words("two"))], { offset: 1 }),
        list("ordered", 0, [section(words("fourth"))], { offset: 3 }),
      ),
    );
    expect(text).toBe("Plan:\n- one\n   1. first\n   2. second\n- two\n4. fourth");
  });

  test("have people, channels, links, emoji, times and emphasis", () => {
    const { text } = markdown(
      richText(
        section(
          { type: "user", user_id: "U1" },
          words(" says ", { bold: true }),
          words("so", { italic: true, strike: true }),
          words(" "),
          words("a*b", { code: true }),
          words(" in "),
          { type: "channel", channel_id: "C1" },
          words(" "),
          { type: "link", url: "https://x.example.com/(a)", text: "a [link]" },
          { type: "emoji", name: "tada" },
          { type: "broadcast", range: "here" },
        ),
        { type: "rich_text_quote", elements: [words("a\nb")] },
        { type: "rich_text_preformatted", elements: [words("x < *y*")] },
      ),
    );
    expect(text).toBe(
      "@**Ann|8** **says** *~~so~~* `a*b` in #**general** " +
        "[a \\[link\\]](https://x.example.com/%28a%29):tada:@**all**\n" +
        "> a\n> b\n```\nx < *y*\n```",
    );
  });

  test("with a time that is none have their other words", () => {
    const date = (timestamp: number) => ({ type: "date", timestamp, format: "{date}" });
    const { text } = markdown(
      richText(section(words("due "), date(1e15), words(" or "), date(1_600_000_000))),
    );
    expect(text).toBe("due  or <time:2020-09-13T12:26:40Z>");
  });

  test("of programs have headings, fields, pictures and buttons; an unknown kind is named", () => {
    const plain = (text: string) => ({ type: "plain_text", text });
    const marked = (text: string) => ({ type: "mrkdwn", text });
    const { text, unknown } = markdown(
      { type: "header", text: plain("Build 7") },
      { type: "section", text: marked("*passed*"), fields: [marked("_fast_"), plain("1 < 2")] },
      { type: "divider" },
      { type: "image", image_url: "https://x.example.com/a.png", alt_text: "a chart" },
      { type: "actions", elements: [{ text: plain("Open"), url: "https://x.example.com/7" }] },
      { type: "call", call_id: "R1" },
    );
    expect(text).toBe(
      "**Build 7**\n\n**passed**\n*fast*\n1 < 2\n\n---\n\n" +
        "[a chart](https://x.example.com/a.png)\n\n[Open](https://x.example.com/7)",
    );
    expect(unknown).toEqual(["call"]);
  });
});

describe("The topic of a thread of Slack", () => {
  const place = { folder: "general", channelId: 1, conversationId: null, createdAt: 0 };
  const root = (topics: ThreadTopics, ts: string, content: string) =>
    topics.of(place, { thread_ts: ts, reply_count: 1 }, ts, content);

  test("is named by the first words of its first message, without signs of Markdown", () => {
    const topics = new ThreadTopics();
    const content = "> **Who** asks @**Ann|8** about [the plan](https://x.example.com)?\nmore";
    expect(root(topics, "1600000000.000100", content)).toBe("Who asks @Ann about the plan?");
    const reply = { thread_ts: "1600000000.000100" };
    expect(topics.of(place, reply, "1600000009.000100", "because")).toBe(
      "Who asks @Ann about the plan?",
    );
    expect(topics.of(place, {}, "1600000010.000100", "alone")).toBe("imported from Slack");
  });

  test("is cut between words, and is no other thread's", () => {
    const topics = new ThreadTopics();
    const long = "one two three four five six seven eight nine ten eleven twelve thirteen";
    const first = root(topics, "1600000001.000100", long);
    expect(first).toBe("one two three four five six seven eight nine ten eleven…");
    const second = root(topics, "1600000002.000100", long);
    expect(second).toEndWith(" (2)");
    expect(second.length).toBeLessThanOrEqual(60);
    expect(root(topics, "1600000003.000100", "Imported from Slack")).toBe(
      "Imported from Slack (2)",
    );
  });

  test("has the day where its first message has no words or is not there", () => {
    const topics = new ThreadTopics();
    expect(root(topics, "1600000000.000100", "***")).toBe("Thread of 2020-09-13");
    const orphan = { thread_ts: "1600000001.000100" };
    expect(topics.of(place, orphan, "1600000009.000100", "reply")).toBe("Thread of 2020-09-13 (2)");
  });
});
