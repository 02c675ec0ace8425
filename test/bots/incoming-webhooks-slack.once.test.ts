import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { codeOf } from "../support/answers";
import { fastestRun } from "../support/cpu-time";
import { newest, newHook, postTo, told } from "../support/servers/webhooks";
import { makeWorld, type Person, type World } from "../support/world";

/** Services that speak Slack, and services that only speak JSON. */
let world: World;
let hook: Person;
beforeAll(async () => {
  world = await makeWorld();
  hook = await newHook(world);
});
afterAll(() => world.close());

const textOf = async (payload: object) => (await told(world, hook, "slack_incoming", payload))[1];
const site = "https://kitchen.example.com";

describe("A text as Slack writes it", () => {
  test.each([
    [
      "links",
      `<${site}/a?b=1&amp;c=2|the *menu*> and <${site}/b>`,
      `[the &#42;menu&#42;](${site}/a?b=1&c=2) and ${site}/b`,
    ],
    [
      "emphasis",
      "*bold* _it_ ~no~ *_both_* `*code*` snake_case_name 2*3*4",
      "**bold** *it* ~~no~~ ***both*** `*code*` snake_case_name 2*3*4",
    ],
    ["entities", "1 &lt; 2 &amp;amp; 3", "1 < 2 &amp; 3"],
    [
      "names, which tell nobody",
      "<!channel> <!here> <@U1|bob> <#C1|lunch> <!subteam^S1|@cooks>",
      "@channel @here @bob #lunch @cooks",
    ],
    ["a moment", "<!date^1392734382^{date}|February>", "<time:2014-02-18T14:39:42Z>"],
    [
      "what is no address",
      "<javascript:alert(1)|x> <mailto:a@b.example|a@b.example>",
      "<javascript:alert(1)|x> a@b.example",
    ],
    [
      "mentions of ours",
      "*@**Alice*** @*all* x @**all**",
      "*&#64;**Alice*** &#64;**all** x &#64;**all**",
    ],
  ])("has %s", async (_, text, shown) => {
    expect(await textOf({ text })).toBe(shown);
  });

  test("has emoji of the pictures that Slack shows by their names", async () => {
    const text = ":x: *:smile:* `:x:` 10:30:45 :tada: :no_such: :flag-de: ```:mouse:```";
    expect(await textOf({ text, icon_emoji: ":construction:" })).toBe(
      ":work_in_progress: :cross_mark: **:big_smile:** `:x:` 10:30:45 :tada: :no_such: :flag_de: ```:mouse:```",
    );
    const elements = [
      { type: "emoji", name: "mouse", unicode: "1f42d" },
      { type: "text", text: " :x:" },
    ];
    const blocks = [{ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }];
    expect(await textOf({ blocks })).toBe(":dormouse: :x:");
    const plain = { type: "plain_text", text: ":x: at 10:30:45" };
    const header = { type: "header", text: plain };
    expect(await textOf({ blocks: [header, { type: "section", text: plain }] })).toBe(
      "## :cross_mark: at 10:30:45\n\n:cross_mark: at 10:30:45",
    );
    const fields = [{ title: ":x:", value: ":x:" }];
    const attachment = {
      title: ":x: failed",
      title_link: `${site}/:x:/`,
      text: `${site}/:x:/`,
      fields,
      footer: ":x:",
    };
    expect(await textOf({ attachments: [attachment] })).toBe(
      `## [:cross_mark: failed](${site}/:x:/)\n\n${site}/:x:/\n\n* **:cross_mark:**: :cross_mark:\n\n:cross_mark:`,
    );
  });

  test("has the icon before it, and its topic is the channel, unless the address names one", async () => {
    const payload = {
      text: "soup",
      icon_emoji: ":robot_face:",
      channel: "#lunch",
      username: "cook",
    };
    expect(await told(world, hook, "slack_incoming", payload)).toEqual([
      "lunch",
      ":robot_face: soup",
    ]);
    const query = { stream: "general", topic: "named" };
    expect(await told(world, hook, "slack_incoming", payload, { query })).toEqual([
      "named",
      ":robot_face: soup",
    ]);
    expect(await told(world, hook, "slack_incoming", { text: "soup" })).toEqual([
      "general chat",
      "soup",
    ]);
  });

  test("that says nothing is refused", async () => {
    for (const payload of [{}, { text: "  " }, { blocks: [{ type: "actions" }] }]) {
      expect(codeOf(await postTo(world, hook, "slack_incoming", payload))).toBe("400 BAD_REQUEST");
    }
    expect(codeOf(await postTo(world, hook, "slack_incoming", [1]))).toBe(
      "400 ANOMALOUS_WEBHOOK_PAYLOAD",
    );
  });
});

test("Blocks are shown one below the other, and stand for the text", async () => {
  const mrkdwn = (text: string) => ({ type: "mrkdwn", text });
  const image = (name: string) => ({
    type: "image",
    image_url: `${site}/${name}.png`,
    alt_text: name,
  });
  const blocks = [
    { type: "header", text: { type: "plain_text", text: "Menu *2026*" } },
    {
      type: "section",
      text: mrkdwn("Up by *8 %*"),
      fields: [mrkdwn("*Who*\nOcto"), mrkdwn("_When_")],
      accessory: image("chart"),
    },
    { type: "divider" },
    { type: "context", elements: [image("logo"), mrkdwn("by _Octo_")] },
    { type: "actions", elements: [{ type: "button" }] },
    image("soup"),
  ];
  expect(await textOf({ blocks, text: "fallback" })).toBe(
    `## Menu &#42;2026&#42;

Up by **8 %**

* **Who** Octo
* *When*

[chart](${site}/chart.png)

----

[logo](${site}/logo.png) by *Octo*

[soup](${site}/soup.png)`,
  );
});

test("Rich text keeps its styles, its lists and its code, and nothing in it mentions anybody", async () => {
  const say = (text: string, style = {}) => ({ type: "text", text, style });
  const section = (...elements: object[]) => ({ type: "rich_text_section", elements });
  const elements = [
    section(
      say("Hello "),
      say("there ", { bold: true }),
      { type: "link", url: site, text: "link" },
      say(" @"),
      say("all", { bold: true }),
    ),
    section(
      { type: "emoji", name: "wave" },
      { type: "broadcast", range: "channel" },
      say(" "),
      say("x*`y", { code: true }),
    ),
    {
      type: "rich_text_list",
      style: "ordered",
      elements: [section(say("one")), section(say("two", { strike: true }))],
    },
    { type: "rich_text_preformatted", elements: [say("a\n```\nb")] },
    { type: "rich_text_quote", elements: [say("said")] },
  ];
  expect(await textOf({ blocks: [{ type: "rich_text", elements }] })).toBe(
    `Hello **there** [link](${site}/) &#64;**all**
:wave:@channel \`x*'y\`
1. one
1. ~~two~~
\`\`\`\`
a
\`\`\`
b
\`\`\`\`
\`\`\`quote
said
\`\`\``,
  );
  expect((await newest(world.alice)).flags).not.toContain("stream_wildcard_mentioned");
});

test("Attachments are shown with their title, their fields and what stands around them", async () => {
  const attachments = [
    {
      pretext: "See *this*",
      author_name: "Octo",
      title: "Bug [1]",
      title_link: `${site}/1`,
      text: "It _boiled_",
      fields: [
        { title: "Priority", value: "High" },
        { title: "Pot", value: "a_b" },
      ],
      footer: "Kitchen",
    },
    { fallback: "only this" },
  ];
  expect(await textOf({ attachments })).toBe(
    `See **this**

Octo

## [Bug [1]](${site}/1)

It *boiled*

* **Priority**: High
* **Pot**: a_b

Kitchen

only this`,
  );
});

test("A text stands above its attachments, which Slack shows below it, with their pictures", async () => {
  const attachment = { title: "Chart", fallback: "A chart", image_url: `${site}/chart.png` };
  expect(await textOf({ text: "The *oven* is hot", attachments: [attachment] })).toBe(
    `The **oven** is hot\n\n## Chart\n\n[image](${site}/chart.png)`,
  );
  const section = { type: "section", text: { type: "plain_text", text: "Hot" } };
  expect(await textOf({ text: "said twice", blocks: [section], attachments: [attachment] })).toBe(
    `Hot\n\n## Chart\n\n[image](${site}/chart.png)`,
  );
});

test("A button is shown where it leads to an address", async () => {
  const label = { type: "plain_text", text: "Open [it] @**Alice**" };
  const button = { type: "button", text: label, url: `${site}/1` };
  const blocks = [
    { type: "section", text: { type: "plain_text", text: "Hot" }, accessory: button },
    { type: "actions", elements: [button, { type: "button", text: label }, button] },
    { type: "actions", elements: [{ ...button, url: "javascript:alert(1)" }] },
  ];
  const link = `[Open [it] @&#42;&#42;Alice&#42;&#42;](${site}/1)`;
  expect(await textOf({ blocks })).toBe(`Hot\n\n${link}\n\n${link} ${link}`);
  const actions = [{ type: "button", text: "Open", url: `${site}/1` }, { type: "select" }];
  expect(await textOf({ attachments: [{ text: "Hot", actions }] })).toBe(
    `Hot\n\n[Open](${site}/1)`,
  );
});

test("A hostile text costs little", async () => {
  const texts = [
    "*a_~<".repeat(20_000),
    "<".repeat(200_000),
    "*".repeat(100_000),
    `${"*a ".repeat(9_000)}_`,
    "*_*~a~_*".repeat(9_000),
  ];
  for (const text of texts) {
    const post = async () =>
      expect((await postTo(world, hook, "slack_incoming", { text })).status).toBe(200);
    expect(await fastestRun(post, 2_000)).toBeLessThan(2_000);
  }
});

describe("JSON as it is", () => {
  test("is shown as code, which it cannot end, under the topic JSON", async () => {
    expect(await told(world, hook, "json", { soup: "``` @**all**" })).toEqual([
      "JSON",
      '````json\n{\n  "soup": "``` @**all**"\n}\n````',
    ]);
    expect((await newest(world.alice)).flags).not.toContain("stream_wildcard_mentioned");
    expect(await told(world, hook, "json", [1, null])).toEqual([
      "JSON",
      "```json\n[\n  1,\n  null\n]\n```",
    ]);
  });

  test("is cut where it is long", async () => {
    const [, text = ""] = await told(world, hook, "json", { soup: "x".repeat(20_000) });
    expect(text.length).toBeLessThan(4_000);
    expect(text.endsWith("…\n```")).toBe(true);
  });
});
