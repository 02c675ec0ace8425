import { describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { write } from "../../src/core/write";
import { setPassword } from "../../src/management/accounts/update";
import { Browser } from "../support/browser";
import { until } from "../support/polls";
import { worldPerTest } from "../support/shared-world";
import { makeWorld, type World, worldHost } from "../support/world";

const password = "correct-horse-battery";
const inProgressMax = 20 * 1024 * 1024;

let world: World;
let browser: Browser;
let sockets: Socket[] = [];
const oneWorldForGroup = worldPerTest(
  async () => {
    world = await makeWorld({ answers_in_progress_bytes_max: String(inProgressMax) });
    await setPassword(world.operator, world.alice.id, password);
    browser = new Browser(world.site, worldHost);
    const sent = await browser.submit("/login", { email: world.alice.email, password });
    expect(sent.status).toBe(303);
  },
  async () => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    await world.close();
  },
);

const everything = "br, gzip, deflate";
const unpack = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes: Buffer) => bytes,
};

/** An answer of the API in the session, as it comes over the network. */
async function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  const answer = await browser.open(`/api/v1${path}`, {
    method,
    headers: { "accept-encoding": everything, ...headers },
    decompress: false,
  });
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
}

const encodingOf = ({ answer }: { answer: Response }) => answer.headers.get("content-encoding");

/** An event whose text is the answer to a poll; answers the poll's path. */
async function happen(text: string): Promise<string> {
  const { status, body } = await browser.api(
    "POST",
    "/register",
    { event_types: ["numbered"] },
    await browser.proof(),
  );
  expect(status).toBe(200);
  await write(world.operator, (tx) => tx.emit({ to: "realm" }, { type: "numbered", text }));
  return `/events?queue_id=${encodeURIComponent(body.queue_id)}&last_event_id=-1&dont_block=true`;
}

describe("a refusal of a request in a session", () => {
  const refused = async () => {
    const empty = { type: "direct", to: [world.bob.id], content: " " };
    const { status, body } = await browser.api("POST", "/messages", empty, await browser.proof());
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    return body.msg;
  };

  test("is in the person's language, where it has a text in it; programs get it in English", async () => {
    expect(await refused()).toBe("Message must not be empty.");
    await world.alice.patch("/settings", { default_language: "de" });
    expect(await refused()).toBe("Die Nachricht ist leer.");
    const unknown = await browser.api("GET", "/streams/4000000000/members");
    expect(unknown.body).toMatchObject({
      code: "BAD_REQUEST",
      msg: "Diesen Kanal gibt es nicht, oder du siehst ihn nicht.",
    });
    const rare = await browser.api("GET", "/messages", { anchor: "soup", num_before: 1 });
    expect(rare.body.msg).toMatch(/anchor|num_after/);
    const byKey = { type: "direct", to: [world.bob.id], content: " " };
    const { body } = await world.alice.post("/messages", byKey);
    expect(body.msg).toBe("Message must not be empty.");
  });

  test("names the channel in which they may no longer post, also when they edit", async () => {
    const { alice, olga, channels } = world;
    await alice.patch("/settings", { default_language: "de" });
    const id = await alice.say("general", "lunch", "1");
    const can_send_message_group = { new: { direct_members: [olga.id], direct_subgroups: [] } };
    await olga.patch(`/streams/${channels.general}`, { can_send_message_group });
    const edit = { content: "2" };
    const { body } = await browser.api("PATCH", `/messages/${id}`, edit, await browser.proof());
    expect([body.code, body.msg]).toEqual([
      "BAD_REQUEST",
      "Im Kanal „general“ darfst du nicht schreiben.",
    ]);
  });
});

describe("answers to requests in a session", () => {
  oneWorldForGroup();

  test("are compressed in the best way that the browser accepts, and are the same in each", async () => {
    const plain = await ask("/users", { "accept-encoding": "identity" });
    expect(plain.bytes.length).toBeGreaterThan(2_048);
    for (const [accepted, encoding] of [
      [everything, "br"],
      ["gzip, deflate", "gzip"],
      ["br;q=0, gzip", "gzip"],
      ["identity", "identity"],
      ["zstd", "identity"],
    ] as const) {
      const { answer, bytes } = await ask("/users", { "accept-encoding": accepted });
      const { headers } = answer;
      expect([accepted, headers.get("content-encoding") ?? "identity"]).toEqual([
        accepted,
        encoding,
      ]);
      expect(unpack[encoding](bytes).equals(plain.bytes)).toBe(true);
      expect(headers.get("vary")).toContain("Accept-Encoding");
      expect(headers.get("content-length")).toBe(String(bytes.length));
      if (encoding !== "identity") expect(bytes.length * 3).toBeLessThan(plain.bytes.length);
    }
  });

  test("are as they are where they are short, refused, or asked for with a key", async () => {
    expect(encodingOf(await ask("/users/me"))).toBe(null);
    expect(encodingOf(await ask("/streams/4000000000/members"))).toBe(null);
    const { email, apiKey } = world.alice.credentials ?? { email: "", apiKey: "" };
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
    const byKey = await ask("/users", { authorization });
    expect([byKey.answer.status, encodingOf(byKey), byKey.answer.headers.get("vary")]).toEqual([
      200,
      null,
      null,
    ]);
  });

  test("are compressed for our own pages alone: their length tells other sites nothing (BREACH)", async () => {
    const asked = async (site: string) =>
      encodingOf(await ask("/users", { "sec-fetch-site": site }));
    for (const site of ["same-origin", "none"]) expect(await asked(site)).toBe("br");
    for (const site of ["cross-site", "same-site"]) expect(await asked(site)).toBe(null);
  });

  test("have the same head when only that is asked for", async () => {
    const whole = await ask("/users");
    const head = await ask("/users", {}, "HEAD");
    const told = ({ answer: { headers } }: typeof head) =>
      ["content-encoding", "content-length", "content-type", "vary"].map((name) =>
        headers.get(name),
      );
    expect(told(head)).toEqual(told(whole));
    expect(head.bytes.length).toBe(0);
  });

  test.each(["br", "gzip"] as const)(
    "are whole where they are millions of bytes long, as %s",
    async (encoding) => {
      const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString("hex");
      const text = `${noise}${"ä😀xyz".repeat(300_000)}`;
      const path = await happen(text);
      const { answer, bytes } = await ask(path, { "accept-encoding": encoding });
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      const { events } = JSON.parse(unpack[encoding](bytes).toString());
      expect(events[0].text === text).toBe(true);
    },
  );

  test("count as long as they are on the way: a reader who waits holds compressed bytes alone", async () => {
    const text = "ä😀xyz".repeat(600_000);
    const path = await happen(text);
    const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    const asksAndWaits = async (accepted: string) => {
      const socket = connect(Number(new URL(world.site).port), "127.0.0.1");
      sockets.push(socket);
      socket.pause();
      const head = `Host: ${worldHost}\r\nX-Forwarded-Proto: https\r\nCookie: ${cookie}\r\nAccept-Encoding: ${accepted}`;
      await new Promise<void>((resolve) =>
        socket.write(`GET /api/v1${path} HTTP/1.1\r\n${head}\r\n\r\n`, () => resolve()),
      );
    };
    await asksAndWaits("br");
    const isAnswered = async () => (await ask(path)).answer.status === 200;
    // Its text counts until it is compressed.
    await until(isAnswered);
    for (let turn = 0; turn < 6; turn++) expect(await isAnswered()).toBe(true);
    await until(async () => {
      await asksAndWaits("identity");
      return !(await isAnswered());
    });
    for (const socket of sockets) socket.destroy();
    await until(isAnswered);
  });

  test("tell which web client the server has, refusals too; those to keys do not", async () => {
    const page = await (await browser.open("/")).text();
    const build = /<meta name="build" content="(\w+)">/.exec(page)?.[1];
    expect(build).toBeDefined();
    for (const path of ["/users/me", "/users", "/streams/4000000000/members"])
      expect([path, (await ask(path)).answer.headers.get("x-chatd-build")]).toEqual([
        path,
        build ?? "",
      ]);
    const { headers } = await world.alice.get("/users/me");
    expect(headers.get("x-chatd-build")).toBe(null);
  });
});
