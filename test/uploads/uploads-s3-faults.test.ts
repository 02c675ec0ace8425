import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tidyStray } from "../../src/files/stray";
import { filesOf, formOf, open, send, storedRows } from "../support/files";
import { outcomeOf } from "../support/outcome";
import { type S3Server, startS3Server } from "../support/servers/s3-server";
import { bytesOf } from "../support/tus";
import { makeWorld, type World } from "../support/world";

const mib = 1_048_576;
const faults = ["403", "500", "cut"] as const;
/** `silence`: the request is taken and never answered; each costs as long as a server waits. */
type Fault = (typeof faults)[number] | "silence";

let s3: S3Server;
const proxy = createServer((request, answer) => void pass(request, answer));
let world: World;
/** Fault that a request from now on meets, with all requests behind it. */
let faulty: { after: number; fault: Fault; method?: string } | undefined;

beforeAll(async () => {
  s3 = await startS3Server();
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
}, 200_000);
afterAll(async () => {
  proxy.close();
  proxy.closeAllConnections();
  await s3.stop();
});
beforeEach(async () => {
  for (const key of await s3.keys()) await s3.client.delete(key);
  world = await makeWorld({
    ...s3.flags,
    s3_endpoint: addressOf(proxy),
    max_file_upload_size_mib: "64",
  });
});
afterEach(async () => {
  faulty = undefined;
  await world.close();
});

function addressOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

/** A network and a store that fail when they are told to. */
async function pass(request: IncomingMessage, answer: ServerResponse) {
  const body = Buffer.concat(await Array.fromAsync<Buffer>(request));
  const { method = "GET", url = "/" } = request;
  const isMeant = faulty !== undefined && (faulty.method === undefined || faulty.method === method);
  if (faulty && isMeant && faulty.after-- <= 0) return fail(answer, faulty.fault);
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const hasBody = method !== "GET" && method !== "HEAD";
  const asked = { method, headers, ...(hasBody ? { body } : {}) };
  const real = await fetch(`${s3.endpoint}${url}`, {
    ...asked,
    redirect: "manual",
    decompress: false,
  });
  answer.writeHead(real.status, Object.fromEntries(real.headers));
  answer.end(method === "HEAD" ? undefined : new Uint8Array(await real.arrayBuffer()));
}

function fail(answer: ServerResponse, fault: Fault) {
  if (fault === "silence") world.clock.advance(15);
  else if (fault !== "cut") answer.writeHead(Number(fault)).end("<Error><Code>No</Code></Error>");
  else {
    answer.writeHead(200, { "content-length": "1000000" });
    answer.write("0123456789", () => answer.destroy());
  }
}

describe.each(faults.map((fault) => [fault] as const))("a store that answers with %s", (fault) => {
  test.each([0, 1, 3])(
    "from request %d of an upload on leaves nothing half done",
    async (after) => {
      const { alice, app, clock } = world;
      faulty = { after, fault };
      const refused = await send(alice, formOf("large.bin", bytesOf(9 * mib)));
      faulty = undefined;
      expect([refused.status, refused.body.code]).toEqual([503, "INTERNAL_SERVER_ERROR"]);
      expect((await storedRows(world)).files).toEqual([]);
      expect((await filesOf(alice)).upload_space_used).toBe(0);
      clock.advance(3_700);
      await tidyStray(app);
      expect(await s3.keys()).toEqual([]);
      expect((await send(alice, formOf("small.txt", "hello"))).status).toBe(200);
    },
  );

  test("while a file is read does not make a part of it look like the whole", async () => {
    const { alice } = world;
    const content = bytesOf(13 * mib);
    const { body } = await send(alice, formOf("large.bin", content));
    faulty = { after: 2, fault, method: "GET" };
    const read = open(alice, body.url).then((answer) => answer.arrayBuffer());
    expect(await outcomeOf(read)).toThrow();
    faulty = undefined;
    const rest = await open(alice, body.url, { headers: { range: `bytes=${8 * mib}-` } });
    expect(Bun.hash(await rest.arrayBuffer())).toBe(Bun.hash(content.slice(8 * mib)));
  });
});

describe("a store that takes requests and never answers them", () => {
  const silent = (method?: string) => {
    faulty = { after: 0, fault: "silence", ...(method === undefined ? {} : { method }) };
  };

  test("lets a download wait less than a minute", async () => {
    const { alice } = world;
    const { body } = await send(alice, formOf("small.txt", "hello"));
    const begun = world.clock.now();
    silent();
    expect((await open(alice, body.url)).status).toBe(503);
    expect(world.clock.now() - begun).toBe(45);
  });

  test("lets an upload wait less than a minute, and it leaves nothing half done", async () => {
    const { alice } = world;
    const begun = world.clock.now();
    silent();
    expect((await send(alice, formOf("small.txt", "hello"))).status).toBe(503);
    expect(world.clock.now() - begun).toBe(45);
    faulty = undefined;
    expect((await storedRows(world)).files).toEqual([]);
    expect(await s3.keys()).toEqual([]);
  });

  test("that answers again meanwhile gives the file", async () => {
    const { alice } = world;
    const { body } = await send(alice, formOf("small.txt", "hello"));
    silent("HEAD");
    const { advance } = world.clock;
    world.clock.advance = (seconds) => {
      faulty = undefined;
      advance(seconds);
    };
    expect(await (await open(alice, body.url)).text()).toBe("hello");
  });
});
