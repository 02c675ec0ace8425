import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newest, newHook, postTo, told } from "../support/servers/webhooks";
import { makeWorld, type Person, type World } from "../support/world";

/** Posts by which services ask whether they may post, and texts that people write in services. */
let world: World;
let hook: Person;
beforeAll(async () => {
  world = await makeWorld();
  hook = await newHook(world);
});
afterAll(() => world.close());

/** Ids of the messages that others than the bot's owner get while something is posted. */
async function heardByOthers(post: () => Promise<unknown>): Promise<number[]> {
  const queues = await Promise.all(
    [world.bob, world.otto, world.adam].map((one) => one.register({ event_types: ["message"] })),
  );
  await post();
  const events = await Promise.all(queues.map((queue) => queue.events()));
  return events.flat().map(({ message }) => message.id);
}

describe("A token that a service asks with", () => {
  // Written after developers.notion.com/reference/webhooks.
  const payload = { verification_token: "secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl" };
  const ways: [what: string, query: Record<string, string>][] = [
    ["a channel is named", { stream: "general" }],
    ["a channel and a topic are named", { stream: "general", topic: "pages" }],
    ["other events are chosen", { stream: "general", only_events: "page.created" }],
    ["no channel is named", {}],
  ];

  test.each(ways)("goes to the bot's owner alone where %s", async (_, query) => {
    const heard = await heardByOthers(async () => {
      const { status, body } = await postTo(world, hook, "notion", payload, { query });
      expect([status, body]).toEqual([200, { result: "success", msg: "" }]);
    });
    expect(heard).toEqual([]);
    const { type, sender_id, content } = await newest(world.alice);
    expect([type, sender_id]).toEqual(["private", hook.id]);
    expect(content).toBe(
      `Notion asks whether it may post here. Paste this token there, and set it as the bot's secret for \`notion\`: \`${payload.verification_token}\``,
    );
  });
});

test("Zapier is told whose key it has, and nothing is posted", async () => {
  const { alice, anonymous } = world;
  const before = (await newest(alice)).id;
  const { status, body } = await postTo(world, hook, "zapier", { type: "auth" });
  expect([status, body]).toEqual([
    200,
    { result: "success", msg: "", id: hook.id, email: hook.email, full_name: hook.fullName },
  ]);
  const query = { stream: "general", only_events: "message" };
  expect((await postTo(world, hook, "zapier", { type: "auth" }, { query })).body.id).toBe(hook.id);
  const wrong = await anonymous.ask("POST", `/external/zapier?api_key=${"x".repeat(32)}`);
  expect(wrong.status).toBe(401);
  const other = await postTo(world, hook, "ifttt", { type: "auth" });
  expect([other.status, other.body.code]).toEqual([400, "ANOMALOUS_WEBHOOK_PAYLOAD"]);
  expect((await newest(alice)).id).toBe(before);
});

describe.each(["zapier", "ifttt"])("A text that people write in %s", (integration) => {
  const post = (content: string) => told(world, hook, integration, { topic: "Soup", content });

  test("keeps its Markdown, however long its lines are", async () => {
    const line = `* **${"leek ".repeat(300)}** [more](https://shop.example/7)`;
    const content = `# Soup\n\n${line}\n\n\`\`\`js\nsoup()\n\`\`\``;
    expect(await post(content)).toEqual(["Soup", content]);
  });

  test("mentions nobody", async () => {
    await post("@**all** @**Alice** @_**Alice** @*role:members* come");
    const { content, flags } = await newest(world.alice);
    expect(flags).not.toContain("mentioned");
    expect(flags).not.toContain("stream_wildcard_mentioned");
    expect(content).toBe("&#64;**all** &#64;**Alice** &#64;_**Alice** &#64;*role:members* come");
  });

  test("keeps its code as it is, in which nothing is a mention", async () => {
    await post("Ask `@**Alice**`, not @**Alice**:\n\n```\n@**all**\n```");
    const { content, flags } = await newest(world.alice);
    expect(flags).not.toContain("mentioned");
    expect(content).toBe("Ask `@**Alice**`, not &#64;**Alice**:\n\n```\n@**all**\n```");
  });

  test("is as long as a message may be", async () => {
    const [, text = ""] = await post("leek\n".repeat(3_000));
    expect(text).toHaveLength(10_000);
    expect(text).toEndWith("[message truncated]");
  });
});
