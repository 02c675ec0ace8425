import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { createServer, type Server } from "node:net";
import { gzipSync } from "node:zlib";
import {
  type Outbound,
  type OutboundOptions,
  outboundRequest,
} from "../../src/core/network/outbound";
import { isPublicAddress } from "../../src/core/network/public-address";
import { makeConcurrencyLimit } from "../../src/core/turns/concurrency-limit";
import { makeFakeClock } from "../support/fake-clock";
import { outcomeOf } from "../support/outcome";
import { makeWorld, type World } from "../support/world";

let world: World;
afterEach(async () => world?.close());

/** A server on loopback, over IPv4 and IPv6 at one port, that counts who connects. */
interface Listener {
  port: number;
  connections(): number;
  close(): void;
}

async function listenOnLoopback(
  answer: (request: string) => string | Uint8Array,
): Promise<Listener> {
  let count = 0;
  const serve = (host: string, port: number) =>
    new Promise<Server>((resolve) => {
      const server = createServer((socket) => {
        count += 1;
        socket.on("error", () => undefined);
        socket.once("data", (data) => socket.end(answer(data.toString())));
      });
      server.listen(port, host, () => resolve(server));
    });
  const v4 = await serve("127.0.0.1", 0);
  const address = v4.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const v6 = await serve("::1", port);
  return {
    port,
    connections: () => count,
    close() {
      v4.close();
      v6.close();
    },
  };
}

const page = (body: string, headers = "") =>
  `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

const request = (url: string, options: OutboundOptions = {}) =>
  outboundRequest(world.operator, url, options);

const text = (outcome: Outbound) =>
  outcome.is === "answered"
    ? `${outcome.status} ${new TextDecoder().decode(outcome.body)}`
    : outcome.is;

describe("to loopback", () => {
  let listener: Listener;
  beforeEach(async () => {
    listener = await listenOnLoopback((head) => page(head.split("\r\n")[0] ?? ""));
  });
  afterEach(() => listener.close());

  const loopbackHosts = [
    "127.0.0.1",
    "127.0.0.2",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f.1",
    "0x7f000001",
    "0177.0.0.1",
    "017700000001",
    "0x7F.0x0.0x0.0x1",
    "127.0.0.1.",
    "0",
    "0.0.0.0",
    "0x0",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[2a00:1::5efe:7f00:1]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "foo.localhost",
    "ｌｏｃａｌｈｏｓｔ",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
  ];

  test("G1, G2: no spelling of it is connected to", async () => {
    world = await makeWorld();
    const answers = await Promise.all(
      loopbackHosts.flatMap((host) =>
        ["http", "https"].map(async (scheme) => [
          host,
          text(await request(`${scheme}://${host}:${listener.port}/`)),
        ]),
      ),
    );
    expect(answers.filter(([, is]) => is !== "refused" && is !== "unreachable")).toEqual([]);
    // Not every system knows each of these names: one without an address is not refused.
    const unknown = answers.filter(([, is]) => is === "unreachable").map(([host = ""]) => host);
    expect(unknown.filter((host) => !host.includes("localhost"))).toEqual([]);
    expect(listener.connections()).toBe(0);
  });

  test("G1: neither a name that resolves there nor one of which one address is there", async () => {
    world = await makeWorld();
    const dns = await serveNames({
      "rebind.example.com": ["127.0.0.1"],
      "mixed.example.com": ["127.0.0.1", "10.0.0.1"],
    });
    for (const name of ["rebind.example.com", "mixed.example.com"]) {
      const outcome = await request(`http://${name}:${listener.port}/`, { resolve: dns.resolve });
      expect(outcome).toEqual({
        is: "refused",
        reason: `${name}:${listener.port} is not on the open internet. The operator can allow it: outbound_networks_allowed.`,
      });
    }
    expect(dns.asked()).toEqual(["rebind.example.com", "mixed.example.com"]);
    expect(listener.connections()).toBe(0);
    dns.close();
  });

  test("G1, G2: nor to what is private or link-local, which is refused before anything is sent", async () => {
    world = await makeWorld();
    const mapped = "[::ffff:10.0.0.1] [::ffff:a9fe:a9fe] [64:ff9b::192.168.0.1]";
    const hosts = `10.0.0.1 0x0a.1 172.16.0.1 192.168.0.1 169.254.169.254 2852039166 [fe80::1] [fd00::1] ${mapped}`;
    for (const host of hosts.split(" "))
      expect(text(await request(`http://${host}/`))).toBe("refused");
  });

  test("G1: nothing but HTTP is spoken, and no password sent", async () => {
    world = await makeWorld({ outbound_networks_allowed: "127.0.0.0/8,::1" });
    const at = `127.0.0.1:${listener.port}`;
    const urls = [
      "file:///etc/passwd",
      "data:text/plain,hello",
      "blob:null/x",
      `ftp://${at}/`,
      `ws://${at}/`,
      `unix://${at}/`,
      `gopher://${at}/`,
      `javascript:fetch("http://${at}/")`,
      "",
      "//",
      "http://",
      "/etc/passwd",
      "http://[::1",
      "http://a b/",
      `http://anna:secret@${at}/`,
      `http://anna@${at}/`,
      `http://evil.example.com\u0000@${at}/`,
    ];
    for (const url of urls) expect([url, text(await request(url))]).toEqual([url, "refused"]);
    expect(listener.connections()).toBe(0);
  });

  test("G4: it arrives where the operator allows the network, and only there", async () => {
    world = await makeWorld({ outbound_networks_allowed: "127.0.0.1, ::1" });
    const at = (host: string, path = "/") => request(`http://${host}:${listener.port}${path}`);
    expect(text(await at("127.0.0.1", "/a?b=c#d"))).toBe("200 GET /a?b=c HTTP/1.1");
    expect(text(await at("[::1]"))).toBe("200 GET / HTTP/1.1");
    expect(text(await at("localhost"))).toBe("200 GET / HTTP/1.1");
    expect(listener.connections()).toBe(3);
    // Networks are compared as parsed addresses.
    for (const host of [
      "127.0.0.2",
      "127.0.0.10",
      "[::ffff:0:127.0.0.1]",
      "[64:ff9b::7f00:1]",
      "10.127.0.0.1.example.com",
    ]) {
      expect([host, text(await at(host))]).not.toEqual([host, "200 GET / HTTP/1.1"]);
    }
    expect(listener.connections()).toBe(3);
  });

  test("an address of the operator's own needs no permission", async () => {
    world = await makeWorld();
    expect(
      text(await request(`http://127.0.0.1:${listener.port}/`, { allowPrivate: true })),
    ).toStartWith("200");
  });

  test("what a resolver says that is no address is not looked up anew", async () => {
    world = await makeWorld();
    for (const answer of ["localhost", "fe80::1%lo", "", "127.0.0.1:80"]) {
      const options = { resolve: async () => [answer], allowPrivate: true };
      expect((await request(`http://localhost:${listener.port}/`, options)).is).toBe("unreachable");
    }
    expect(listener.connections()).toBe(0);
  });

  test("no proxy of the environment is used", async () => {
    world = await makeWorld();
    const before = process.env["HTTP_PROXY"];
    process.env["HTTP_PROXY"] = `http://127.0.0.1:${listener.port}`;
    const dns = await serveNames({ "far.example.com": ["127.0.0.9"] });
    const options = { resolve: dns.resolve, allowPrivate: true };
    expect(text(await request(`http://far.example.com:${listener.port}/`, options))).toBe(
      "unreachable",
    );
    if (before === undefined) delete process.env["HTTP_PROXY"];
    else process.env["HTTP_PROXY"] = before;
    expect(listener.connections()).toBe(0);
    dns.close();
  });
});

describe("an answer", () => {
  let close: () => void = () => undefined;
  afterEach(() => close());

  async function answering(answer: (head: string) => string | Uint8Array) {
    const listener = await listenOnLoopback(answer);
    close = listener.close;
    world = await makeWorld({ outbound_networks_allowed: "127.0.0.0/8" });
    return `http://127.0.0.1:${listener.port}/`;
  }

  test("G3: that redirects is an answer, and nobody goes there", async () => {
    const hidden = await listenOnLoopback(() => page("secret"));
    const url = await answering(
      () =>
        `HTTP/1.1 302 Found\r\nLocation: http://[::1]:${hidden.port}/\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(text(await request(url))).toBe("302 ");
    expect(hidden.connections()).toBe(0);
    hidden.close();
  });

  test("G5: is read so far, and no further", async () => {
    const url = await answering(() => page("x".repeat(2000)));
    expect(await request(url, { responseBytesMax: 1999 })).toEqual({
      is: "tooLarge",
      reason: "The answer has more than 1999 bytes.",
    });
    expect(text(await request(url, { responseBytesMax: 2000 }))).toStartWith("200 xxx");
  });

  test("G5: that is compressed is not unpacked", async () => {
    const bomb = gzipSync(new Uint8Array(20_000_000));
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
    const url = await answering(() => Buffer.concat([Buffer.from(head), bomb]));
    const outcome = await request(url);
    expect(outcome.is === "answered" && outcome.body.length).toBe(bomb.length);
  });

  test("G5: that drips ends at the deadline, which is one for all of it", async () => {
    world = await makeWorld({ outbound_networks_allowed: "127.0.0.0/8" });
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    let closed = 0;
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("close", () => (closed += 1));
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nx", () => resolve());
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const outcome = request(`http://127.0.0.1:${port}/`, { timeoutMilliseconds: 3_000 });
    await begun;
    world.clock.advance(3);
    expect(await outcome).toEqual({
      is: "timedOut",
      reason: "There was no answer within 3 seconds.",
    });
    server.close();
  });

  test("is not waited for when the job that asks for it ends", async () => {
    world = await makeWorld({ outbound_networks_allowed: "127.0.0.0/8" });
    const ending = new AbortController();
    const resolve = () => {
      ending.abort(new Error("the server ends"));
      return new Promise<string[]>(() => undefined);
    };
    expect(
      await outcomeOf(request("http://slow.example.com/", { resolve, signal: ending.signal })),
    ).toThrow("the server ends");
  });

  test("of nobody, and of one who speaks something else, is none", async () => {
    const url = await answering(() => "SSH-2.0-OpenSSH_9.6\r\n");
    expect((await request(url)).is).toBe("unreachable");
    expect((await request(url.replace("http:", "https:"))).is).toBe("unreachable");
    const nobody = await request("http://127.0.0.1:1/");
    expect(nobody).toEqual({ is: "unreachable", reason: "Nobody listens at this address." });
    const dns = await serveNames({});
    expect((await request("http://nowhere.example.com/", { resolve: dns.resolve })).is).toBe(
      "unreachable",
    );
    dns.close();
  });

  test("comes from the second address of a name where the first does not answer; each is told the name", async () => {
    const url = await answering((head) => page(/^Host: (.*)$/im.exec(head)?.[1]?.trim() ?? ""));
    const { port } = new URL(url);
    const dns = await serveNames({ "two.example.com": ["127.0.0.7", "127.0.0.1"] });
    expect(text(await request(`http://two.example.com:${port}/`, dns))).toBe(
      `200 two.example.com:${port}`,
    );
    // The name is looked up once: it cannot become another between the look and the connection.
    expect(dns.asked()).toEqual(["two.example.com"]);
    dns.close();
  });
});

test("of what is refused nobody hears: the deadline covers the look-up", async () => {
  world = await makeWorld();
  const asked = Promise.withResolvers<void>();
  const outcome = request("http://slow.example.com/", {
    resolve: () => new Promise(() => asked.resolve()),
  });
  await asked.promise;
  world.clock.advance(10);
  expect((await outcome).is).toBe("timedOut");
});

test("Requests of one kind of work that get no answer hold up no others, and each other until their time is over", async () => {
  world = await makeWorld({ outbound_networks_allowed: "127.0.0.0/8" });
  const listener = await listenOnLoopback(() => page("here"));
  const url = `http://127.0.0.1:${listener.port}/`;
  const jobOf = (name: string) => ({ ...world.operator, actor: { kind: "job", name } as const });
  const resolve = () => new Promise<string[]>(() => undefined);
  const webhooks = Array.from({ length: 16 }, () =>
    outboundRequest(jobOf("outgoing_webhook"), "http://slow.example.com/", { resolve }),
  );
  const another = outboundRequest(jobOf("outgoing_webhook"), url, { timeoutMilliseconds: 60_000 });
  expect(text(await outboundRequest(jobOf("deliver_to_subscription"), url))).toBe("200 here");
  expect(text(await request(url))).toBe("200 here");
  expect(Bun.peek.status(another)).toBe("pending");
  world.clock.advance(10);
  expect((await Promise.all(webhooks)).every(({ is }) => is === "timedOut")).toBe(true);
  expect(text(await another)).toBe("200 here");
  listener.close();
});

test("tasks of a key begin in the order of their calls, and a wait has an end", async () => {
  const clock = makeFakeClock();
  const limit = makeConcurrencyLimit(clock, 1);
  const first = await limit.acquire("one", 1000);
  const [second, third] = [limit.acquire("one", 1000), limit.acquire("one", 5000)];
  const other = await limit.acquire("two", 1000);
  expect(other).toBeDefined();
  clock.advance(2);
  expect(await second).toBeUndefined();
  first?.();
  const endThird = await third;
  expect(endThird).toBeDefined();
  const given = new AbortController();
  const fourth = limit.acquire("one", 5000, given.signal);
  given.abort(new Error("no longer wanted"));
  expect(await outcomeOf(fourth)).toThrow("no longer wanted");
  endThird?.();
  expect(await limit.acquire("one", 0)).toBeDefined();
});

test("G1, G2: what is not on the open internet", () => {
  const open = [
    "8.8.8.8",
    "1.1.1.1",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.0.1",
    "172.32.0.1",
    "2606:4700:4700::1111",
  ];
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([]);
  const closed = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:8.8.8.8",
    "::ffff:7f00:1",
    "::ffff:0:8.8.8.8",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
    "2002:808:808::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "2a00:1::5efe:7f00:1",
    "",
    "localhost",
    "127.0.0.1:80",
  ];
  expect(closed.filter(isPublicAddress)).toEqual([]);
});

/** A name server on loopback that knows these names, and a resolver that asks it over UDP. */
async function serveNames(names: Record<string, string[]>) {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, end } = readName(query);
    const isA = query.readUInt16BE(end) === 1;
    if (isA) asked.push(name);
    socket.send(
      nameAnswer(query.subarray(0, end + 4), isA ? (names[name] ?? []) : []),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolve: (name: string) => resolver.resolve4(name),
    asked: () => asked,
    close: () => void socket.close(),
  };
}

function readName(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 1 };
}

function nameAnswer(question: Buffer, addresses: string[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split(".").map(Number)]),
  );
  return Buffer.concat([head, ...records]);
}
