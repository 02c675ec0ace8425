import { afterEach, describe, expect, test } from "bun:test";
import { loadConfig } from "../../src/config/config";
import { countedAddress, parseNetworks, plainAddress } from "../../src/core/network/address";
import { TokenBuckets } from "../../src/core/turns/token-buckets";
import { write } from "../../src/core/write";
import { clientAddress } from "../../src/http/client-address";
import { issueApiKey } from "../../src/sign-in/api-keys";
import { type Answer, Client } from "../support/client";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
afterEach(() => world?.close());

/** Number of some requests, sent one after the other, that were let through. */
async function countAccepted(times: number, ask: () => Promise<Answer>): Promise<number> {
  let accepted = 0;
  for (let i = 0; i < times; i++) if ((await ask()).status !== 429) accepted += 1;
  return accepted;
}

const limitsOf = ({ headers }: Answer) =>
  ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));

describe("a user's requests", () => {
  test("are counted, and the answer tells how many are left; one too many is refused until some have grown back", async () => {
    world = await makeWorld({ requests_per_minute_per_user: "6" });
    const { alice, bob, clock } = world;
    const now = clock.now();
    expect(limitsOf(await alice.get("/users/me"))).toEqual(["6", "5", String(now + 10)]);
    expect(limitsOf(await alice.get("/users/me"))).toEqual(["6", "4", String(now + 20)]);
    const missing = await alice.post("/messages");
    expect([missing.status, ...limitsOf(missing)]).toEqual([400, "6", "3", String(now + 30)]);
    expect(await countAccepted(5, () => alice.get("/users/me"))).toBe(3);
    const refused = await alice.post("/messages", {
      type: "channel",
      to: "general",
      topic: "t",
      content: "hi",
    });
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({
      result: "error",
      code: "RATE_LIMIT_HIT",
      msg: expect.stringContaining("wait 10 s"),
      "retry-after": 10,
    });
    expect(refused.headers.get("retry-after")).toBe("10");
    expect(limitsOf(refused)).toEqual(["6", "0", String(now + 60)]);
    expect((await bob.get("/users/me")).status).toBe(200);
    clock.advance(9);
    expect((await alice.get("/users/me")).status).toBe(429);
    clock.advance(1);
    expect(await countAccepted(2, () => alice.get("/users/me"))).toBe(1);
    clock.advance(3600);
    expect(await countAccepted(8, () => alice.get("/users/me"))).toBe(6);
    const { body } = await bob.get("/messages", { anchor: "newest", num_before: 9, num_after: 0 });
    expect(body.messages).toEqual([]);
  });

  test("are counted for each API key and for all of them together", async () => {
    world = await makeWorld({
      requests_per_minute_per_user: "5",
      requests_per_minute_per_key: "3",
    });
    const { alice, operator, site } = world;
    const { apiKey } = await issueApiKey(operator, alice.id, "phone");
    const phone = new Client(site, worldHost, { email: alice.email, apiKey });
    expect(limitsOf(await alice.get("/users/me")).slice(0, 2)).toEqual(["3", "2"]);
    expect(await countAccepted(5, () => alice.get("/users/me"))).toBe(2);
    expect(await countAccepted(5, () => phone.get("/users/me"))).toBe(2);
    expect(limitsOf(await phone.get("/users/me")).slice(0, 2)).toEqual(["5", "0"]);
  });

  test("that poll count for an eighth: others decide how often there is something to fetch", async () => {
    world = await makeWorld({ requests_per_minute_per_key: "3" });
    const queue = await world.alice.register();
    expect(await countAccepted(30, () => queue.poll({ dont_block: true }))).toBe(16);
    expect(
      await countAccepted(3, () => world.bob.get("/events", { fetch_event_types: ["realm"] })),
    ).toBe(3);
    expect((await world.bob.get("/users/me")).status).toBe(429);
  });

  test("are not limited where the operator says so, and the answers tell nothing then", async () => {
    world = await makeWorld();
    const { alice, anonymous } = world;
    expect(await countAccepted(50, () => alice.get("/users/me"))).toBe(50);
    expect(limitsOf(await alice.get("/users/me"))).toEqual([null, null, null]);
    expect(limitsOf(await anonymous.get("/server_settings"))).toEqual([null, null, null]);
  });
});

describe("a long answer", () => {
  test("counts for a request more with each 256 KB that it begins, and may be owed", async () => {
    world = await makeWorld({ requests_per_minute_per_user: "60" });
    const { alice, operator, clock } = world;
    const queue = await alice.register({ event_types: ["numbered"] });
    const remaining = async () => limitsOf(await queue.poll({ dont_block: true }))[1];
    const emit = (sizeBytes: number) =>
      write(operator, (tx) =>
        tx.emit({ to: "realm" }, { type: "numbered", text: "x".repeat(sizeBytes) }),
      );
    await emit(200_000);
    clock.advance(60);
    expect(await remaining()).toBe("59");
    await emit(800_000);
    clock.advance(60);
    expect(await remaining()).toBe("56");
    await emit(7_000_000);
    clock.advance(60);
    expect(await remaining()).toBe("29");
    expect(await remaining()).toBe("0");
    const refused = await alice.get("/users/me");
    expect([refused.status, ...limitsOf(refused).slice(1)]).toEqual([
      429,
      "0",
      String(clock.now() + 61),
    ]);
    clock.advance(Number(refused.headers.get("retry-after")));
    expect((await alice.get("/users/me")).status).toBe(200);
  });

  test("is none that clients meet: who starts and reads page by page is counted by requests alone", async () => {
    world = await makeWorld({ requests_per_minute_per_user: "1000" });
    const { alice, bob } = world;
    for (let n = 0; n < 120; n++)
      await bob.say("general", "t", `a message as people write them ${"soup ".repeat(40)}`);
    await alice.post("/register", {});
    const page = { anchor: "newest", num_before: 100, num_after: 0 };
    expect(limitsOf(await alice.get("/messages", page))[1]).toBe("998");
  });
});

describe("requests without signing in", () => {
  test("are counted by their address: those for everybody and those that are refused, not those of people", async () => {
    world = await makeWorld({ requests_per_minute_per_address: "4" });
    const { alice, anonymous, site } = world;
    const wrong = new Client(site, worldHost, { email: alice.email, apiKey: "x".repeat(32) });
    const first = await anonymous.get("/server_settings");
    expect([first.status, ...limitsOf(first).slice(0, 2)]).toEqual([200, "4", "3"]);
    expect((await anonymous.get("/users/me")).status).toBe(401);
    expect((await anonymous.get("/server_settings")).status).toBe(200);
    for (let i = 0; i < 3; i++) expect((await wrong.get("/users/me")).status).toBe(401);
    // One key that has not been seen before is still looked up: it is hers.
    expect((await alice.get("/users/me")).status).toBe(200);
    expect((await wrong.get("/users/me")).status).toBe(401);
    expect((await anonymous.ask("POST", "/fetch_api_key", {}, malformed)).status).toBe(400);
    for (const ask of [() => anonymous.get("/server_settings"), () => wrong.get("/users/me")]) {
      const { status, body, headers } = await ask();
      expect([status, body.code, headers.get("retry-after")]).toEqual([
        429,
        "RATE_LIMIT_HIT",
        "15",
      ]);
    }
    expect(await countAccepted(20, () => alice.get("/users/me"))).toBe(20);
  });

  test("are counted where a service asks whether it may post, with a right key and a wrong one", async () => {
    world = await makeWorld({ requests_per_minute_per_address: "4" });
    const { alice, anonymous } = world;
    const keys = [alice.credentials?.apiKey, "x".repeat(32)];
    for (const api_key of keys) {
      const ask = () => anonymous.ask("HEAD", "/external/trello", { api_key });
      expect(await countAccepted(2, ask)).toBe(2);
    }
    for (const api_key of keys) {
      expect((await anonymous.ask("HEAD", "/external/trello", { api_key })).status).toBe(429);
    }
  });

  test("are not told apart by what they claim in X-Forwarded-For, unless a trusted proxy claims it", async () => {
    const from = (client: Client, address: string) =>
      client.ask("GET", "/server_settings", {}, { headers: { "x-forwarded-for": address } });
    world = await makeWorld({ requests_per_minute_per_address: "2", trusted_proxies: "192.0.2.1" });
    const direct = world.anonymous;
    let number = 0;
    expect(await countAccepted(5, () => from(direct, `192.0.2.${++number}`))).toBe(2);
    await world.close();
    world = await makeWorld({ requests_per_minute_per_address: "2", trusted_proxies: "127.0.0.1" });
    const proxied = world.anonymous;
    expect(await countAccepted(5, () => from(proxied, `192.0.2.${++number}`))).toBe(5);
    expect(await countAccepted(5, () => from(proxied, "198.51.100.7"))).toBe(2);
    expect(await countAccepted(5, () => from(proxied, `203.0.113.${++number}, 198.51.100.7`))).toBe(
      0,
    );
  });
});

const malformed = { body: "{", headers: { "content-type": "application/json" } };

describe("a client's address", () => {
  const trusted = parseNetworks("127.0.0.1, 10.0.0.0/8, fd00::/8");
  test.each([
    ["192.0.2.1", "198.51.100.1", "192.0.2.1"],
    ["127.0.0.1", null, "127.0.0.1"],
    ["127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["127.0.0.1", "203.0.113.9, 198.51.100.1", "198.51.100.1"],
    ["127.0.0.1", "203.0.113.9, 198.51.100.1, 10.1.2.3", "198.51.100.1"],
    ["::ffff:127.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["fd00::1", "[2001:db8::1]:4711", "2001:db8::1"],
    ["127.0.0.1", "not an address, 10.1.2.3", "10.1.2.3"],
    ["127.0.0.1", "", "127.0.0.1"],
  ])("from %s with X-Forwarded-For %s is %s", (peer, forwardedFor, address) => {
    expect(clientAddress(peer, forwardedFor, trusted)).toBe(address);
  });

  test("is what it says where no proxy is trusted", () => {
    expect(clientAddress("127.0.0.1", "198.51.100.1", undefined)).toBe("127.0.0.1");
  });

  test("counts in one form: IPv4 as such, IPv6 with its whole network", () => {
    expect(plainAddress("::FFFF:192.0.2.1")).toBe("192.0.2.1");
    expect(countedAddress("192.0.2.1")).toBe("192.0.2.1");
    const ofOne = ["2001:db8:0:7::1", "2001:db8:0:7:ffff::2", "2001:0db8:0000:0007:1:2:3:4"].map(
      countedAddress,
    );
    expect(new Set(ofOne)).toEqual(new Set(["2001:db8:0:7::/64"]));
    expect(countedAddress("2001:db8:0:8::1")).not.toBe(ofOne[0]);
    expect(countedAddress("::1")).toBe("0:0:0:0::/64");
  });

  test("and networks that are none are refused", () => {
    for (const text of [
      "",
      "localhost",
      "10.0.0.0/33",
      "10.0.0.0/8/8",
      "10.0.0.0/",
      "::1/129",
      "10.0.0.0/-1",
    ]) {
      expect(() => parseNetworks(text)).toThrow("no address or network");
    }
    expect(() => loadConfig({ trusted_proxies: "10.0.0.0/8, proxy" }, undefined, {})).toThrow(
      "--trusted-proxies must be addresses or networks: 'proxy' is no address or network.",
    );
    expect(parseNetworks("0.0.0.0/0").has("192.0.2.1")).toBe(true);
    expect(parseNetworks("0.0.0.0/0").has("nonsense")).toBe(false);
  });
});

describe("buckets", () => {
  test("are bounded in number however many come, and those of the last minute are kept", () => {
    const buckets = new TokenBuckets<number>({ capacity: 10, seconds: 60 }, 100);
    for (let key = 0; key < 100_000; key++) buckets.of(key, 1_000).tokens -= 1;
    expect(buckets.size).toBeLessThanOrEqual(200);
    expect(buckets.of(99_999, 1_000).tokens).toBe(9);
  });

  test("are forgotten only when they are full again", () => {
    const buckets = new TokenBuckets<string>({ capacity: 60, seconds: 60 });
    buckets.of("early", 1_000).tokens = 0;
    expect(buckets.of("early", 1_059).tokens).toBe(59);
    buckets.of("early", 1_059).tokens = 0;
    expect(buckets.of("other", 1_061).tokens).toBe(60);
    expect(buckets.of("early", 1_100).tokens).toBe(41);
    buckets.of("early", 1_100).tokens = 0;
    buckets.of("other", 1_200);
    buckets.of("other", 1_400);
    expect(buckets.size).toBe(1);
    expect(buckets.of("early", 1_400).tokens).toBe(60);
  });

  test("that owe something are kept until it is paid, however many others come", () => {
    const buckets = new TokenBuckets<string>({ capacity: 60, seconds: 60 }, 100);
    buckets.of("debtor", 1_000).tokens = -60;
    buckets.of("other", 1_061);
    expect(buckets.of("debtor", 1_061).tokens).toBe(1);
    buckets.of("debtor", 1_061).tokens = -60;
    for (let n = 0; n < 10_000; n++) buckets.of(`stranger ${n}`, 1_061).tokens -= 61;
    expect(buckets.of("debtor", 1_061).tokens).toBe(-60);
    expect(buckets.size).toBeLessThanOrEqual(200);
    for (let n = 0; n < 1_000; n++) buckets.of(`late ${n}`, 1_130);
    expect(buckets.of("debtor", 1_181).tokens).toBe(60);
  });

  test("stand still when the clock is set back", () => {
    const buckets = new TokenBuckets<string>({ capacity: 60, seconds: 60 });
    buckets.of("alice", 1_000).tokens = 5;
    expect(buckets.of("alice", 500).tokens).toBe(5);
    expect(buckets.of("alice", 510).tokens).toBe(15);
  });
});
