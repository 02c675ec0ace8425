import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { integrations } from "../../src/bots/incoming-webhooks/catalog";
import { write } from "../../src/core/write";
import { codeOf } from "../support/answers";
import { verify } from "../support/verify";
import { hmacOf, newest, newHook, postTo, told } from "../support/webhooks";
import { makeWorld, type Person, type World } from "../support/world";

/** Signatures of posts, and messages that organizations make of JSON by themselves. */
let world: World;
let hook: Person;
beforeAll(async () => {
  world = await makeWorld();
  hook = await newHook(world);
});
afterAll(() => world.close());

const secret = "leek and potato";
const secretPath = (integration: string, bot = hook) =>
  `/bots/${bot.id}/webhook_secrets/${integration}`;
const put = (person: Person, path: string, parameters: object) =>
  person.ask("PUT", path, { ...parameters });

/**
 * A post of each service that signs, and its headers with the signature of a body under a secret.
 */
const signing: [
  name: string,
  payload: object,
  headers: Record<string, string>,
  sign: (key: string, body: string) => Record<string, string>,
][] = [
  [
    "github",
    { zen: "soup" },
    { "x-github-event": "ping" },
    (key, body) => ({ "x-hub-signature-256": `sha256=${hmacOf(key, body)}` }),
  ],
  ["gitlab", { object_kind: "build" }, {}, (key) => ({ "x-gitlab-token": key })],
  [
    "gitea",
    { repository: {}, forkee: {} },
    { "x-gitea-event": "fork" },
    (key, body) => ({ "x-gitea-signature": hmacOf(key, body) }),
  ],
  [
    "sentry",
    { data: {} },
    { "sentry-hook-resource": "installation" },
    (key, body) => ({ "sentry-hook-signature": hmacOf(key, body) }),
  ],
  [
    "grafana",
    { status: "ok" },
    {},
    (key, body) => ({ "x-grafana-alerting-signature": hmacOf(key, body) }),
  ],
  [
    "pagerduty",
    { event: { event_type: "pagey.ping" } },
    {},
    (key, body) => ({ "x-pagerduty-signature": `v1=${"0".repeat(64)},v1=${hmacOf(key, body)}` }),
  ],
  [
    "stripe",
    { type: "payout.paid" },
    {},
    (key, body) => {
      const at = world.clock.now();
      return {
        "stripe-signature": `t=${at},v1=${hmacOf(key, `${at}.${body}`)},v0=${"0".repeat(64)}`,
      };
    },
  ],
  [
    "jira",
    { webhookEvent: "issuelink_created" },
    {},
    (key, body) => ({ "x-hub-signature": `sha256=${hmacOf(key, body)}` }),
  ],
  [
    "linear",
    { type: "Comment", action: "remove" },
    {},
    (key, body) => ({ "linear-signature": hmacOf(key, body) }),
  ],
  [
    "circleci",
    { type: "ping", webhook: { name: "soup" } },
    {},
    (key, body) => ({ "circleci-signature": `v1=${hmacOf(key, body)}` }),
  ],
  [
    "buildkite",
    { event: "ping" },
    {},
    (key, body) => {
      const at = world.clock.now();
      return {
        "x-buildkite-signature": `timestamp=${at},signature=${hmacOf(key, `${at}.${body}`)}`,
      };
    },
  ],
  [
    "netlify",
    { site_id: "1" },
    { "x-netlify-event": "deploy_locked" },
    (key, body) => {
      const claims = {
        iss: "netlify",
        sha256: new Bun.CryptoHasher("sha256").update(body).digest("hex"),
      };
      const text = [{ alg: "HS256", typ: "JWT" }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
        .join(".");
      const signature = createHmac("sha256", key).update(text).digest("base64url");
      return { "x-webhook-signature": `${text}.${signature}` };
    },
  ],
  [
    "semaphore",
    { pipeline: { result: "passed" } },
    {},
    (key, body) => ({ "x-semaphore-signature-256": hmacOf(key, body) }),
  ],
  [
    "honeybadger",
    { event: "deployed", message: "soup" },
    {},
    (key) => ({ "honeybadger-token": key }),
  ],
];
for (const [name, header, prefix] of [
  ["bitbucket2", "x-hub-signature", "sha256="],
  ["bitbucket3", "x-hub-signature", "sha256="],
  ["gogs", "x-gogs-signature", ""],
  ["sonarqube", "x-sonar-webhook-hmac-sha256", ""],
] as const) {
  const post = { "x-event-key": "repo:updated", "x-gogs-event": "fork" };
  const payload = { eventKey: "repo:modified", project: { key: "1", name: "soup" }, forkee: {} };
  signing.push([
    name,
    payload,
    post,
    (key, body) => ({ [header]: `${prefix}${hmacOf(key, body)}` }),
  ]);
}
signing.push([
  "heroku",
  { resource: "dyno", action: "create" },
  {},
  (key, body) => ({
    "heroku-webhook-hmac-sha256": createHmac("sha256", key).update(body).digest("base64"),
  }),
]);
/** Services that send the secret itself. */
const sendingTheSecret = ["gitlab", "honeybadger"];

test("Each service that signs is tried", () => {
  const signed = [...integrations.values()].filter(({ signature }) => signature !== undefined);
  expect(signing.map(([name]) => name).sort()).toEqual(signed.map(({ name }) => name).sort());
});

describe("Where a bot has a secret, a post has to be signed with it by", () => {
  test.each(signing)("%s", async (name, payload, headers, sign) => {
    const body = JSON.stringify(payload);
    const post = async (signature: Record<string, string>, text = body) =>
      codeOf(
        await postTo(world, hook, name, payload, {
          body: text,
          headers: { ...headers, ...signature },
        }),
      );
    expect(await post({})).toBe("200");
    expect((await put(world.alice, secretPath(name), { secret })).body).toEqual({
      result: "success",
      msg: "",
    });
    const right = sign(secret, body);
    const before = (await newest(world.alice)).id;
    expect(await post({})).toBe("400 BAD_REQUEST");
    expect(await post(sign("another secret", body))).toBe("400 BAD_REQUEST");
    expect(await post(Object.fromEntries(Object.keys(right).map((header) => [header, ""])))).toBe(
      "400 BAD_REQUEST",
    );
    if (!sendingTheSecret.includes(name))
      expect(await post(right, `${body} `)).toBe("400 BAD_REQUEST");
    expect((await newest(world.alice)).id).toBe(before);
    expect(await post(right)).toBe("200");
    expect((await world.alice.delete(secretPath(name))).status).toBe(200);
    expect(await post({})).toBe("200");
  });

  test("Buildkite and Semaphore, which have two ways, by either", async () => {
    const body = JSON.stringify({ event: "ping", pipeline: { result: "passed" } });
    const given: [string, Record<string, string>][] = [
      ["buildkite", { "x-buildkite-token": secret }],
      ["semaphore", { "x-semaphore-signature-256": `sha256=${hmacOf(secret, body)}` }],
    ];
    for (const [name, headers] of given) {
      const post = async (sent: Record<string, string>) =>
        codeOf(await postTo(world, hook, name, null, { body, headers: sent }));
      await put(world.alice, secretPath(name), { secret });
      expect(await post({})).toBe("400 BAD_REQUEST");
      expect(await post(headers)).toBe("200");
      await world.alice.delete(secretPath(name));
    }
  });

  test("Stripe only for five minutes", async () => {
    await put(world.alice, secretPath("stripe"), { secret });
    const body = JSON.stringify({ type: "payout.paid" });
    const at = world.clock.now();
    const headers = { "stripe-signature": `t=${at},v1=${hmacOf(secret, `${at}.${body}`)}` };
    const post = async () => codeOf(await postTo(world, hook, "stripe", null, { body, headers }));
    expect(await post()).toBe("200");
    world.clock.advance(301);
    expect(await post()).toBe("400 BAD_REQUEST");
    await world.alice.delete(secretPath("stripe"));
  });
});

test("Signatures are those of RFC 4231's function", () => {
  expect(hmacOf("key", "soup")).toBe(createHmac("sha256", "key").update("soup").digest("hex"));
});

describe("A bot's secrets", () => {
  test("are set by its owner and administrators, and shown to nobody", async () => {
    const { alice, adam, bob, robot } = world;
    const bot = await newHook(world);
    const counts = await verify(world, () => put(adam, secretPath("github", bot), { secret }));
    expect(Object.values(counts).every((count) => count === 0)).toBe(true);
    await put(alice, secretPath("gitea", bot), { secret });
    expect((await alice.get(`/bots/${bot.id}/webhook_secrets`)).body.integrations).toEqual([
      "gitea",
      "github",
    ]);
    for (const person of [bob, robot]) {
      expect(codeOf(await put(person, secretPath("github", bot), { secret }))).toBe(
        "400 BAD_REQUEST",
      );
      expect(codeOf(await person.get(`/bots/${bot.id}/webhook_secrets`))).toBe("400 BAD_REQUEST");
      expect(codeOf(await person.delete(secretPath("github", bot)))).toBe("400 BAD_REQUEST");
    }
    expect((await alice.delete(secretPath("github", bot))).status).toBe(200);
    expect(codeOf(await alice.delete(secretPath("github", bot)))).toBe("400 BAD_REQUEST");
    expect((await alice.get(`/bots/${bot.id}/webhook_secrets`)).body.integrations).toEqual([
      "gitea",
    ]);
    expect(world.logged.join("\n")).not.toContain(secret);
  });

  test("are refused where the sender does not sign, too short ones, and for who is no bot", async () => {
    const { alice, bob } = world;
    for (const name of ["alertmanager", "slack_incoming", "nowhere"]) {
      expect(codeOf(await put(alice, secretPath(name), { secret }))).toBe("400 BAD_REQUEST");
    }
    for (const text of ["", "short", "x".repeat(501)]) {
      expect(codeOf(await put(alice, secretPath("github"), { secret: text }))).toBe(
        "400 BAD_REQUEST",
      );
    }
    expect(codeOf(await put(alice, secretPath("github", bob), { secret }))).toBe("400 BAD_REQUEST");
  });
});

const path = (name: string) => `/realm/webhook_templates/${name}`;
const templates = async (person: Person) =>
  (await person.get("/realm/webhook_templates")).body.webhook_templates;

describe("A template of the organization's", () => {
  test("turns JSON into a message", async () => {
    const { adam } = world;
    const template = {
      topic: "{shop.name|Shop}: order {order.id}",
      content:
        "**{order.title}** for {order.total|nothing} {order.currency|}{?order.isGift} (a gift){/order.isGift}{^order.isGift} (no gift){/order.isGift}: {order.items:count item}{#order.items}\n* {name} × {count|1}{#tags} {.:name}{/tags}{/order.items}\n{order.note:quote}{order.raw:code} [open]({order.url:url}) {{by {order.by:line}}} {order.at:time} {missing}{order.lines.1.text|no line}",
    };
    const counts = await verify(world, () => put(adam, path("shop"), template));
    expect(Object.values(counts).every((count) => count === 0)).toBe(true);
    expect(await templates(adam)).toEqual([{ name: "shop", ...template }]);
    const order = {
      id: 7,
      title: "Soup @**all**",
      total: 9.5,
      currency: "EUR",
      isGift: false,
      url: "javascript:x",
      by: "Octo\nCat",
      items: [{ name: "Leek", count: 2, tags: ["green", "fresh"] }, { name: "Salt" }],
      note: "Hot, @**Alice**",
      raw: "```",
      at: 1_763_726_400,
      lines: [{ text: "a" }, { text: "b" }],
    };
    expect(await told(world, hook, "shop", { shop: null, order })).toEqual([
      "Shop: order 7",
      "**Soup @&#42;&#42;all&#42;&#42;** for 9.5 EUR (no gift): 2 items\n* Leek × 2 `green` `fresh`\n* Salt × 1\n```quote\nHot, &#64;**Alice**\n```````\n```\n```` open {by Octo} <time:2025-11-21T12:00:00Z> b",
    ]);
    expect((await newest(world.alice)).flags).not.toContain("mentioned");
  });

  test("may itself mention people, as the one who wrote it may", async () => {
    const { adam } = world;
    await put(adam, path("pager"), { topic: "alerts", content: "@**Alice**: {text}" });
    await told(world, hook, "pager", { text: "the soup, @**Bob**" });
    expect((await newest(world.alice)).flags).toContain("mentioned");
    expect((await newest(world.bob)).flags).not.toContain("mentioned");
  });

  test("is changed and taken away; a post that it makes nothing of, and one after that, is refused", async () => {
    const { adam } = world;
    await put(adam, path("short"), { topic: "a", content: "{a}" });
    await put(adam, path("short"), { topic: "b", content: "{b}" });
    expect(await told(world, hook, "short", { a: 1, b: 2 })).toEqual(["b", "2"]);
    expect(codeOf(await postTo(world, hook, "short", { a: 1 }))).toBe("400 BAD_REQUEST");
    expect((await adam.delete(path("short"))).status).toBe(200);
    expect(codeOf(await postTo(world, hook, "short", { b: 1 }))).toBe("404 NOT_FOUND");
    expect(codeOf(await adam.delete(path("short")))).toBe("404 BAD_REQUEST");
  });

  test("goes before a service of its name that a later version knows", async () => {
    const { operator, realm } = world;
    const row = { realmId: realm.id, name: "jira", topic: "tickets", content: "{soup}" };
    await write(operator, (tx) => tx.db.insert(tx.t.webhookTemplates).values(row));
    expect(await told(world, hook, "jira", { soup: "leek" })).toEqual(["tickets", "leek"]);
    expect((await world.olga.delete("/realm/webhook_templates/jira")).status).toBe(200);
    expect(codeOf(await postTo(world, hook, "jira", { soup: "leek" }))).toBe(
      "400 ANOMALOUS_WEBHOOK_PAYLOAD",
    );
  });

  test("is of one organization, and for its administrators", async () => {
    const { adam, zoe, alice, mona } = world;
    await put(adam, path("ours"), { topic: "a", content: "{a}" });
    expect(await templates(zoe)).toEqual([]);
    expect(codeOf(await zoe.delete(path("ours")))).toBe("404 BAD_REQUEST");
    for (const person of [alice, mona]) {
      expect(codeOf(await put(person, path("theirs"), { topic: "a", content: "b" }))).toBe(
        "400 UNAUTHORIZED_PRINCIPAL",
      );
      expect(codeOf(await person.get("/realm/webhook_templates"))).toBe(
        "400 UNAUTHORIZED_PRINCIPAL",
      );
    }
  });

  test.each([
    ["a name of the server's own", "github", "a", "b"],
    ["a name that is none", "a b", "a", "b"],
    ["no topic", "t", " ", "b"],
    ["no content", "t", "a", ""],
    ["a long topic", "t", "a".repeat(501), "b"],
    ["a long content", "t", "a", "b".repeat(5_001)],
    ["a brace too many", "t", "a", "{a"],
    ["code", "t", "a", "{a + b}"],
    ["an unknown form", "t", "a", "{a:eval}"],
    ["a section without an end", "t", "a", "{#a}b"],
    ["an end without a section", "t", "a", "b{/a}"],
    ["sections that cross", "t", "a", "{#a}{#b}{/a}{/b}"],
    ["too many in one another", "t", "a", "{#a}{#b}{#c}{#d}{/d}{/c}{/b}{/a}"],
  ])("is refused with %s", async (_, name, topic, content) => {
    const { status, body } = await put(world.adam, path(encodeURIComponent(name)), {
      topic,
      content,
    });
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
  });

  test("costs little, whatever it is filled with, and reads nothing but the payload", async () => {
    const { adam } = world;
    const content =
      "{#a}{#b}{#c}{x}{y:quote}{/c}{/b}{/a}.{constructor}{__proto__.polluted}{a.length}{toString}";
    await put(adam, path("deep"), { topic: "deep", content });
    const list = <Item>(item: Item) => Array.from({ length: 50 }, () => item);
    const payload = {
      x: "x".repeat(1_000),
      y: "y".repeat(9_000),
      a: list(0).map(() => ({ b: list({ c: list(1) }) })),
    };
    const start = performance.now();
    const [, text = ""] = await told(world, hook, "deep", payload);
    expect(performance.now() - start).toBeLessThan(3_000);
    expect(text).toHaveLength(10_000);
    expect(await told(world, hook, "deep", {})).toEqual(["deep", "."]);
  });

  test("an organization has at most a hundred", async () => {
    const { adam } = world;
    const known = (await templates(adam)).length;
    for (let at = known; at < 100; at++) {
      expect((await put(adam, path(`many-${at}`), { topic: "a", content: "b" })).status).toBe(200);
    }
    expect(codeOf(await put(adam, path("one-more"), { topic: "a", content: "b" }))).toBe(
      "400 BAD_REQUEST",
    );
    expect((await put(adam, path("many-99"), { topic: "c", content: "d" })).status).toBe(200);
  });
});
