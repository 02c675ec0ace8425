import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { write } from "../../src/core/write";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const url = (path: string) => `${world.site}${path}`;

describe("hosts", () => {
  const at = async (host: string, path = "/api/v1/server_settings") => {
    const response = await fetch(url(path), { headers: { host } });
    const body = (await response.json()) as { code?: string; realm_name?: string };
    return [response.status, body.realm_name ?? body.code];
  };

  test("find their realm whatever their port and case; an unknown one finds none where there are several", async () => {
    expect(await at("chat.example.com:8443")).toEqual([200, "Acme"]);
    expect(await at("CHAT.Example.COM")).toEqual([200, "Acme"]);
    expect(await at("other.example.com")).toEqual([200, "Other"]);
    expect(await at("nobody.example.com")).toEqual([404, "NONEXISTENT_SUBDOMAIN"]);
  });

  const setOtherActive = async ({ app }: World, isActive: boolean) => {
    const { db, t } = app.engine.reader;
    const [, other] = await db.select().from(t.realms);
    const isOther = eq(t.realms.id, other?.id ?? 0);
    await write({ app, realm: { id: other?.id ?? 0 }, now: 1 }, async (tx) => {
      await tx.db.update(tx.t.realms).set({ isActive }).where(isOther);
    });
  };

  test("lead to the only realm that is active", async () => {
    await setOtherActive(world, false);
    expect(await at("nobody.example.com")).toEqual([200, "Acme"]);
    await setOtherActive(world, true);
    expect(await at("nobody.example.com")).toEqual([404, "NONEXISTENT_SUBDOMAIN"]);
  });

  test("G10: that are not ours change no address where the operator has told ours", async () => {
    const published = await makeWorld({ url: "https://chat.example.com/" });
    await setOtherActive(published, false);
    const headers = {
      host: "evil.example.net",
      "x-forwarded-host": "evil.example.net",
      "x-forwarded-proto": "http",
    };
    const settings = await published.anonymous.ask("GET", "/server_settings", {}, { headers });
    expect(settings.body).toMatchObject({
      realm_url: "https://chat.example.com",
      realm_uri: "https://chat.example.com",
    });
    const registered = await published.alice.ask("POST", "/register", {}, { headers });
    expect([registered.status, registered.body.realm_url]).toEqual([
      200,
      "https://chat.example.com",
    ]);
    expect(JSON.stringify([settings.body, registered.body])).not.toContain("evil");
    await published.close();
  });

  test("G10: X-Forwarded-Proto counts from a trusted proxy alone, and Forwarded and X-Forwarded-Host never do", async () => {
    const headers = {
      "x-forwarded-proto": "https",
      "x-forwarded-host": "evil.example.net",
      forwarded: "proto=https",
    };
    const urlAt = async ({ anonymous }: World, more: Record<string, string> = headers) =>
      (await anonymous.ask("GET", "/server_settings", {}, { headers: more })).body.realm_url;
    expect(await urlAt(world)).toBe(`https://${worldHost}`);
    expect(await urlAt(world, {})).toBe(`http://${worldHost}`);
    expect(await urlAt(world, { "x-forwarded-proto": "javascript" })).toBe(`http://${worldHost}`);
    for (const trusted_proxies of ["192.0.2.1", "10.0.0.0/8"]) {
      const direct = await makeWorld({ trusted_proxies });
      expect(await urlAt(direct)).toBe(`http://${worldHost}`);
      const body = new URLSearchParams({ email: "a@example.com", password: "wrong" });
      const answer = await direct.anonymous.open("/login", { method: "POST", body, headers });
      expect(await answer.text()).toContain("not encrypted");
      await direct.close();
    }
  });

  test("what one realm has does not exist for another", async () => {
    const { alice, zoe, channels } = world;
    const id = await alice.say("general", "ours", "for us");
    const missing = 999_999;
    const asks: ((
      ofOther: number,
      nowhere: number,
    ) => [string, string, Record<string, unknown>])[] = [
      (user) => ["GET", `/users/${user}`, {}],
      (user) => ["POST", "/messages", { type: "direct", to: [user], content: "hi" }],
    ];
    for (const ask of asks) {
      const [theirs, none] = [ask(alice.id, 0), ask(missing, 0)];
      const [one, other] = [await zoe.ask(...theirs), await zoe.ask(...none)];
      expect([one.status, one.body.code]).toEqual([other.status, other.body.code]);
      expect(one.status).toBeGreaterThanOrEqual(400);
    }
    for (const path of [
      `/messages/${id}`,
      `/streams/${channels.general}`,
      `/users/me/${channels.general}/topics`,
    ]) {
      const { status } = await zoe.get(path);
      expect([path, status >= 400]).toEqual([path, true]);
    }
    const { body } = await zoe.get("/messages", {
      anchor: "newest",
      num_before: 100,
      num_after: 0,
    });
    expect(body.messages).toEqual([]);
    expect((await zoe.post(`/messages/${id}/reactions`, { emoji_name: "wave" })).status).toBe(400);
    const queue = await alice.register();
    const { body: refused } = await zoe.get("/events", {
      queue_id: queue.id,
      last_event_id: -1,
      dont_block: true,
    });
    expect(refused.code).toBe("BAD_EVENT_QUEUE_ID");
  });
});
