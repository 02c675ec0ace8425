import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { integrations } from "../../src/bots/incoming-webhooks/catalog";
import { receiveWebhook } from "../../src/bots/incoming-webhooks/service";
import type { Person as Account, Context } from "../../src/core/context";
import { ApiError } from "../../src/core/errors";
import { isRecord } from "../../src/core/json/record";
import { findUser } from "../../src/people/users/queries";
import { codeOf } from "../support/answers";
import { fastestRun } from "../support/cpu-time";
import { webhookPosts } from "../support/servers/webhook-posts/all";
import type { Post } from "../support/servers/webhook-posts/post";
import { newest, newHook, postTo } from "../support/servers/webhooks";
import { makeWorld, type Person, type World } from "../support/world";

/*
 * Posts of all services whose texts were written by somebody who means harm, or which are broken.
 */

let world: World;
let hook: Person;
/** The context of a request by the bot. */
let bot: Context<Account>;
beforeAll(async () => {
  world = await makeWorld();
  hook = await newHook(world);
  const user = await findUser(world.app.engine.reader, world.realm.id, hook.id);
  if (user) bot = { ...world.operator, actor: { kind: "webhook", user, apiKeyId: 0 } };
});
afterAll(() => world.close());

const hostile =
  "@**all** @**Alice** `@**all**` @*role:members* \u202e[x](javascript:alert(1)) ``` ~~~\n```quote\n#**general>x** <b>\u0000";
const neither = { valueOf: 7, toString: 7 };
const wrong: readonly unknown[] = [null, 7, "soup", [], [[null]], { soup: {} }, neither];

type Change = (value: string, path: readonly string[]) => unknown;

/** A copy of JSON in which texts are changed, each with its path. */
function changeTexts(value: unknown, change: Change, path: readonly string[] = []): unknown {
  if (typeof value === "string") return change(value, path);
  if (Array.isArray(value))
    return value.map((one, at) => changeTexts(one, change, [...path, String(at)]));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, changeTexts(one, change, [...path, name])]),
  );
}

/** The post with hostile texts in place of all that do not tell its event. */
function withHostileTexts({ integration, headers = {}, payload }: Post): unknown {
  const service = integrations.get(integration);
  const header = (name: string) => headers[name] ?? null;
  const event = service?.event({ payload, header });
  const isTelling = (path: readonly string[]) => {
    const changed = changeTexts(payload, (text, at) => (`${at}` === `${path}` ? hostile : text));
    return service?.event({ payload: changed, header }) !== event;
  };
  return changeTexts(payload, (text, path) => (isTelling(path) ? text : hostile));
}

const named = webhookPosts.map((post): [string, Post] => [
  `${post.integration}: ${post.what}`,
  post,
]);

describe("Texts of others mention nobody and lead nowhere", () => {
  test.each(named)("%s", async (_, post) => {
    const { integration, headers = {} } = post;
    const queue = await world.bob.register({ event_types: ["message"] });
    const answer = await postTo(world, hook, integration, withHostileTexts(post), { headers });
    expect(answer.status).toBe(200);
    const events = await queue.events();
    expect(events).toHaveLength(post.topic === undefined ? 0 : 1);
    for (const { message, flags } of events) {
      expect(message.sender_id).toBe(hook.id);
      expect(flags).toEqual([]);
      expect(message.content).not.toMatch(/user-mention|user-group-mention|href="javascript|<b>/);
      expect(message.subject).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
    // PostgreSQL stores no text with NUL.
    if (post.topic !== undefined) expect((await newest(world.bob)).content).not.toContain("\0");
  });
});

/**
 * Status of the answer to a post, which goes to the verb: for thousands, HTTP would take longer.
 */
async function statusOf({ integration, headers = {} }: Post, payload: unknown): Promise<number> {
  const sent = new Headers({ "content-type": "application/json", ...headers });
  const posting = {
    header: (name: string) => sent.get(name),
    body: async () => Buffer.from(JSON.stringify(payload)),
    target: "/",
  };
  try {
    await receiveWebhook(bot, { integration, apiKey: "", stream: "general" }, posting);
    return 200;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}

describe("What is broken is refused or told in part, and never fails", () => {
  test.each(named)("%s", async (_, post) => {
    expect(await statusOf(post, post.payload)).toBe(200);
    for (const name of Object.keys(post.payload)) {
      for (const value of wrong)
        expect([200, 400]).toContain(await statusOf(post, { ...post.payload, [name]: value }));
    }
  });
});

describe("A long post does not hold the server up", () => {
  const spaces = `x${" ".repeat(100_000)}x`;
  const paragraph = (...texts: string[]) => ({
    type: "paragraph",
    content: texts.map((text) => ({ type: "text", text })),
  });
  const cell = { type: "tableCell", content: [paragraph(spaces.slice(0, -1), "x")] };
  const row = { type: "tableRow", content: [cell] };
  const jiraComment = (content: object[]) => ({
    webhookEvent: "comment_created",
    issue: { key: "SOUP-1" },
    comment: { body: { type: "doc", content } },
  });
  const rich = { type: "rich_text_section", elements: [{ type: "text", text: spaces }] };

  test.each<[string, string, object, string]>([
    ["a document with spaces", "jira", jiraComment([paragraph(spaces)]), "200"],
    ["a table with spaces", "jira", jiraComment([row]), "200"],
    [
      "Slack's rich text with spaces",
      "slack_incoming",
      { blocks: [{ type: "rich_text", elements: [rich] }] },
      "200",
    ],
    [
      "an event of many words",
      "github",
      { action: ":x".repeat(30_000) },
      "200 UNSUPPORTED_WEBHOOK_EVENT_TYPE",
    ],
  ])("%s", async (_, integration, payload, code) => {
    const headers = { "x-github-event": "issues" };
    const post = async () => {
      const { status, body } = await postTo(world, hook, integration, payload, { headers });
      expect([status, body.code].filter((one) => one !== undefined).join(" ")).toBe(code);
    };
    expect(await fastestRun(post, 1_000)).toBeLessThan(1_000);
  });

  const pattern = `*${"a".repeat(30)}b*`;
  const patterns = JSON.stringify(Array.from({ length: 60 }, () => pattern));
  const long = "a".repeat(300_000);
  const hookOf = (event: string) => ({ "x-gitlab-event": event });
  const push = { object_kind: "push", after: "1", commits: [{ id: "1", message: "Salt" }] };
  const changes = Array.from({ length: 10_000 }, (_, at) => ({
    new: { type: "branch", name: `${"a".repeat(50)}${at}` },
  }));

  test.each<[string, string, Record<string, string>, object, Record<string, string>]>([
    [
      "the name of a branch",
      "gitlab",
      hookOf("Push Hook"),
      { ...push, ref: `refs/heads/${long}` },
      { branches: patterns },
    ],
    [
      "many branches",
      "bitbucket2",
      { "x-event-key": "repo:push" },
      { push: { changes } },
      { branches: patterns },
    ],
    [
      "the name of an event",
      "gitlab",
      hookOf("Issue Hook"),
      { object_kind: "issue", object_attributes: { action: "open", noteable_type: long } },
      { only_events: patterns },
    ],
  ])("%s, compared with patterns", async (_, integration, headers, payload, query) => {
    const post = async () => {
      const answer = await postTo(world, hook, integration, payload, { headers, query });
      expect(codeOf(answer)).toBe("200");
    };
    expect(await fastestRun(post, 1_000)).toBeLessThan(1_000);
  });
});

describe("a post in parts", () => {
  const post = async (parts: string[], type = "multipart/form-data; boundary=X") => {
    const body = [...parts.map((part) => `--X\r\n${part}\r\n`), "--X--\r\n"].join("");
    return postTo(world, hook, "json", null, { body, headers: { "content-type": type } });
  };
  const named = (name: string, value: string) =>
    `content-disposition: form-data; name="${name}"\r\n\r\n${value}`;
  const file = `content-disposition: form-data; name="thumb"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n\xff`;

  test("is read like a form: its field payload, or an object of its fields, without files", async () => {
    const queue = await world.alice.register({ event_types: ["message"] });
    expect(codeOf(await post([named("payload", '{"soup":"hot"}'), file]))).toBe("200");
    expect(codeOf(await post([named("soup", "cold"), file]))).toBe("200");
    const texts = (await queue.events()).map(({ message }) => message.content);
    expect(texts.map((text) => /(hot|cold)/.exec(text)?.[0])).toEqual(["hot", "cold"]);
    expect(texts.join()).not.toContain("thumb");
  });

  test("is refused where it cannot be read", async () => {
    for (const [parts, type] of [
      [[], "multipart/form-data"],
      [["no headers"], undefined],
      [[named("payload", "{")], undefined],
    ] as const) {
      expect(codeOf(await post([...parts], type))).toBe("400 BAD_REQUEST");
    }
  });
});

test("a compressed post is refused with the reason", async () => {
  const body = Bun.gzipSync(JSON.stringify({ soup: "hot" }));
  const headers = { "content-encoding": "gzip" };
  const answer = await postTo(world, hook, "json", null, { body, headers });
  expect(codeOf(answer)).toBe("400 BAD_REQUEST");
  expect(answer.body.msg).toBe(
    "The post is compressed ('Content-Encoding: gzip'): turn compression off in the service.",
  );
  for (const name of ["identity", "UTF-8"]) {
    const plain = { "content-encoding": name };
    const taken = await postTo(world, hook, "json", { soup: "hot" }, { headers: plain });
    expect(codeOf(taken)).toBe("200");
  }
});

describe("JSON in a field of a form", () => {
  const post = async (problem: string) => {
    const body = new URLSearchParams({ problem }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await postTo(world, hook, "errbit", null, { body, headers });
    return codeOf(answer);
  };

  test("is read, and refused where it is nested too deeply or no JSON", async () => {
    const nested = (depth: number) =>
      `{"message":"Burnt","where":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect(await post(nested(3))).toBe("200");
    expect(await post(nested(40))).toBe("400 ANOMALOUS_WEBHOOK_PAYLOAD");
    expect(await post('{"message":"Burnt"')).toBe("400 ANOMALOUS_WEBHOOK_PAYLOAD");
  });
});
