import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { write } from "../../src/core/write";
import { codeOf } from "../support/answers";
import { verify } from "../support/client-state/verify";
import { hmacOf, newest, newHook, postTo, told } from "../support/servers/webhooks";
import { makeWorld, type Person, type World } from "../support/world";

/** Secrets of bots, and messages that organizations make of JSON by themselves. */
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
    for (const text of ["", "short", "x".repeat(1_001)]) {
      expect(codeOf(await put(alice, secretPath("github"), { secret: text }))).toBe(
        "400 BAD_REQUEST",
      );
    }
    expect(codeOf(await put(alice, secretPath("github", bob), { secret }))).toBe("400 BAD_REQUEST");
  });

  test("are what posts have to be signed with, until they are taken away", async () => {
    const { alice } = world;
    const [bot, another] = [await newHook(world), await newHook(world)];
    const body = JSON.stringify({ zen: "Soup is good food." });
    const post = async (to: Person, key?: string) => {
      const headers: Record<string, string> = { "x-github-event": "ping" };
      if (key !== undefined) headers["x-hub-signature-256"] = `sha256=${hmacOf(key, body)}`;
      return codeOf(await postTo(world, to, "github", null, { body, headers }));
    };
    expect((await put(alice, secretPath("github", bot), { secret })).status).toBe(200);
    expect(await post(bot)).toBe("400 BAD_REQUEST");
    expect(await post(bot, "another secret")).toBe("400 BAD_REQUEST");
    expect(await post(bot, secret)).toBe("200");
    expect(await post(another)).toBe("200");
    expect((await put(alice, secretPath("github", bot), { secret: "a later secret" })).status).toBe(
      200,
    );
    expect(await post(bot, secret)).toBe("400 BAD_REQUEST");
    expect(await post(bot, "a later secret")).toBe("200");
    expect((await alice.delete(secretPath("github", bot))).status).toBe(200);
    expect(await post(bot)).toBe("200");
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

  test("shows the label alone of a link without an address, with its brackets", async () => {
    await put(world.adam, path("linked"), { topic: "a", content: "{by}: [{title}]({url:url})" });
    const of = async (by: string, title: string, url = "") =>
      (await told(world, hook, "linked", { by, title, url }))[1];
    expect(await of("Octo", "[Bug] Soup [[hot]] boils")).toBe("Octo: [Bug] Soup [[hot]] boils");
    expect(await of("[Octo]", "Soup")).toBe("[Octo]: Soup");
    expect(await of("Octo", "[Bug] Soup", "https://a.example/1")).toBe(
      "Octo: [[Bug] Soup](https://a.example/1)",
    );
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
