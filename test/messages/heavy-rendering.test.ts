import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { serverBusy } from "../../src/core/errors";
import { WorkerLostError } from "../../src/core/turns/worker-queue";
import { renderMarkdown } from "../../src/markdown/render";
import { renderThread } from "../../src/messages/rendering/render-thread";
import { upload } from "../support/files";
import { emojiForm, staticPng } from "../support/pictures";
import { makeWorld, type World } from "../support/world";

let world: World;
let runs = spyOn(renderThread, "run");

beforeEach(async () => {
  world = await makeWorld();
  runs.mockRestore();
  runs = spyOn(renderThread, "run");
});
afterEach(async () => {
  runs.mockRestore();
  await world.close();
});

const code = `\`\`\`javascript\n${"const a = f(g(h(i)));\n".repeat(100)}\`\`\``;
const formulas = Array.from({ length: 40 }, (_, index) => `$$x_{${index}}^2 + \\frac{a}{b}$$`).join(
  " and ",
);
/** Formulas that take several milliseconds although they are short. */
const shortHeavyTexts = [
  `$$${"\\LaTeX".repeat(30)}$$`,
  `$$\\begin{matrix}${"a & b \\\\ ".repeat(40)}\\end{matrix}$$`,
  `$$\\sqrt{${"x_1^2+".repeat(50)}y}$$`,
  `\`\`\`math\n${"\\frac{a}{b}".repeat(40)}\n\`\`\``,
];
const heavyTexts = [
  code,
  formulas,
  `> ${formulas}\n\n${code}`,
  `$$${"\\LaTeX".repeat(300)}$$`,
  ...shortHeavyTexts,
  "* a\n".repeat(600),
  "😀$$x^2$$".repeat(1_000),
];

const contentOf = async (id: number) =>
  (await world.alice.get(`/messages/${id}`)).body.message.content;

test("long texts, much code and many formulas are rendered on a thread of their own, and look as they always do", async () => {
  const { alice } = world;
  for (const text of heavyTexts) {
    const id = await alice.say("general", "t", text);
    expect(await contentOf(id)).toBe(renderMarkdown(text).html);
    await alice.patch(`/messages/${id}`, { content: `${text} edited` });
    expect(await contentOf(id)).toBe(renderMarkdown(`${text} edited`).html);
    expect((await alice.post("/messages/render", { content: text })).body.rendered).toBe(
      renderMarkdown(text).html,
    );
  }
  expect(runs.mock.calls.length).toBe(3 * heavyTexts.length);
});

test("ordinary messages never wait for that thread", async () => {
  const texts = [
    "hello **world**",
    "word ".repeat(400),
    "$$x^2$$ is enough, `code` too",
    "costs $$5, and then $$6 ".repeat(40),
    `\`\`\`python\n${"print(1)\n".repeat(60)}\`\`\``,
    "😀$$x^2$$".repeat(200),
  ];
  for (const text of texts) await world.alice.say("general", "t", text);
  expect(runs.mock.calls.length).toBe(0);
});

test("a long text names people, groups, channels, topics, emoji, tickets and pictures as a short one does", async () => {
  const { olga, alice, bob } = world;
  await olga.post("/realm/filters", {
    pattern: "#(?P<id>[0-9]+)",
    url_template: "https://tickets.example/{id}",
  });
  await olga.ask("POST", "/realm/emoji/parrot", {}, { body: emojiForm(staticPng) });
  await alice.say("general", "plans", "first");
  const [picture, hidden] = [
    await upload(alice, "a.png", staticPng),
    await upload(bob, "b.png", staticPng),
  ];
  const names = [
    `@**Bob** @_**Bob|${bob.id}** @_*role:members* #**general** #**general>plans**`,
    `:parrot: :smile: #123 [a](${picture}) [b](${hidden})`,
  ].join(" ");
  const html = await contentOf(await alice.say("general", "t", names));
  for (const shown of [
    "user-mention",
    "user-group-mention",
    "/topic/plans/with/",
    "parrot",
    "tickets",
    "<img",
  ])
    expect(html).toContain(shown);
  const text = `${names}\n\n${"and so on ".repeat(300)}`;
  expect(await contentOf(await alice.say("general", "t", text))).toStartWith(html);
  expect(runs.mock.calls.length).toBe(1);
});

test.if(process.platform === "linux")(
  "the thread goes after the event loop where both want one core",
  async () => {
    await world.alice.say("general", "t", code);
    const nices = readdirSync("/proc/self/task").flatMap(niceOf);
    expect(nices).toContain(Math.min(19, getPriority() + 5));
  },
);

/** The nice value of a thread of this process; none of one that has ended meanwhile. */
function niceOf(thread: string): number[] {
  try {
    const facts = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    // The name, in parentheses, may have spaces.
    return [Number(facts.slice(facts.lastIndexOf(")") + 2).split(" ")[16])];
  } catch {
    return [];
  }
}

test("the thread learns no more of people than their names", async () => {
  const { alice, bob } = world;
  await alice.say("general", "t", `@**Bob** ${"and so on ".repeat(300)}`);
  expect(runs.mock.calls[0]?.[1].facts.people).toEqual([
    { id: bob.id, fullName: "Bob", isActive: true },
  ]);
});

test("messages of one client keep their order, and one that is repeated while it is prepared is sent once", async () => {
  const { alice } = world;
  const queue = await alice.register();
  const form = {
    type: "stream",
    to: "general",
    topic: "t",
    content: code,
    queue_id: queue.id,
    local_id: "7.1",
  };
  const [one, again] = await Promise.all([
    alice.post("/messages", form),
    alice.post("/messages", form),
  ]);
  expect([one.status, again.body.id]).toEqual([200, one.body.id]);
  const ids = [await alice.say("general", "t", code), await alice.say("general", "t", "short")];
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  const told: { type: string; message: { id: number } }[] = await queue.events();
  const sent = told.filter(({ type }) => type === "message").map(({ message }) => message.id);
  expect(sent).toEqual([one.body.id, ...ids]);
});

test("where the thread is lost a message is sent with its code as it was typed", async () => {
  runs.mockImplementationOnce(() => Promise.reject(new WorkerLostError("it ended")));
  const id = await world.alice.say("general", "t", code);
  const html = await contentOf(id);
  expect(html).toContain("const a = f(g(h(i)));");
  expect(html).not.toContain('class="k"');
});

test("where too much waits for the thread a message is refused, and says when to come again", async () => {
  const { alice } = world;
  runs.mockImplementation(() => {
    throw serverBusy("Too much code", 2);
  });
  const refused = await alice.post("/messages", {
    type: "stream",
    to: "general",
    topic: "t",
    content: code,
  });
  expect([refused.status, refused.body.code, refused.body["retry-after"]]).toEqual([
    503,
    "SERVER_BUSY",
    2,
  ]);
  expect(await alice.say("general", "t", "short")).toBeGreaterThan(0);
});

test("a scheduled message that finds too much waiting is sent a moment later", async () => {
  const { alice, clock, channels } = world;
  const queue = await alice.register({ event_types: ["message", "scheduled_messages"] });
  const scheduled_delivery_timestamp = clock.now() + 300;
  const form = {
    type: "stream",
    to: channels.general,
    topic: "t",
    content: code,
    scheduled_delivery_timestamp,
  };
  const { body } = await alice.post("/scheduled_messages", form);
  expect(body.result).toBe("success");
  await queue.events();
  runs.mockImplementationOnce(() => {
    throw serverBusy("Too much code", 2);
  });
  await world.pass(300);
  expect((await alice.get("/scheduled_messages")).body.scheduled_messages).toMatchObject([
    { failed: false },
  ]);
  await world.pass(120);
  const told: { type: string; op?: string }[] = await queue.events();
  expect(told.map(({ type, op }) => op ?? type).sort()).toEqual(["message", "remove"]);
});
