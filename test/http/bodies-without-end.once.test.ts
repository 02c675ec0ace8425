import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { listenForRedirects } from "../../src/http/redirect-port";
import { filesOf, headersOf } from "../support/files";
import { makeWorld, type World, worldHost } from "../support/world";

/*
 * Bodies that are sent for as long as somebody takes them in. The server hangs up, because no limit
 * counts what comes after an answer.
 */

let world: World;
beforeAll(async () => {
  world = await makeWorld({ max_file_upload_size_mib: "1" });
});
afterAll(() => world.close());

const mib = 1_048_576;
/** More than all buffers between two programs of one machine hold. */
const enoughBytes = 256 * mib;
const form = "application/x-www-form-urlencoded";
const parts = "multipart/form-data; boundary=x";

interface Sent {
  /** Whether the server hung up before `enoughBytes` were sent. */
  isHungUpOn: boolean;
}

/** Sends a request whose body begins with a text and does not end. */
function sendWithoutEnd(
  port: string | number,
  request: string,
  headers: Record<string, string>,
  begin = "",
): Promise<Sent> {
  const { promise, resolve } = Promise.withResolvers<Sent>();
  const all = { host: worldHost, "transfer-encoding": "chunked", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const chunkOf = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
  const more = chunkOf(Buffer.alloc(65_536, "a"));
  let sentBytes = 0;
  const socket = connect(Number(port), "127.0.0.1", () => {
    socket.write(`${request} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    if (begin !== "") socket.write(chunkOf(Buffer.from(begin)));
    goOn();
  });
  const goOn = () => {
    if (socket.destroyed) return;
    if (sentBytes >= enoughBytes) return void socket.destroy();
    sentBytes += more.length;
    if (socket.write(more)) setImmediate(goOn);
    else socket.once("drain", goOn);
  };
  socket.on("data", () => undefined);
  socket.on("error", () => undefined);
  socket.on("close", () => resolve({ isHungUpOn: sentBytes < enoughBytes }));
  return promise;
}

const sendToWorld = (request: string, headers: Record<string, string>, begin?: string) =>
  sendWithoutEnd(new URL(world.site).port, request, headers, begin);

const fileBegin = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n';

test.each([
  ["POST /api/v1/fetch_api_key", form, "anonymous"],
  ["POST /login", parts, "anonymous"],
  ["POST /api/v1/messages", form, "alice"],
  ["POST /api/v1/user_uploads", parts, "alice"],
  ["POST /api/v1/users/me/avatar", parts, "alice"],
] as const)(
  "H6: a body that is refused in its middle is not taken in for ever: %s, %s, of %s",
  async (request, type, who) => {
    const headers = { "content-type": type, ...headersOf(world[who]) };
    expect((await sendToWorld(request, headers, fileBegin)).isHungUpOn).toBe(true);
  },
);

test("H6: nothing is taken in for ever behind a file that has come", async () => {
  const headers = { "content-type": parts, ...headersOf(world.alice) };
  const whole = `${fileBegin}hello\r\n--x--\r\n`;
  expect((await sendToWorld("POST /api/v1/user_uploads", headers, whole)).isHungUpOn).toBe(true);
  expect((await filesOf(world.alice)).attachments).toEqual([]);
});

test.each(["/healthz", "/readyz", "/connect", "/api", "/static/style.css", "/nothing"])(
  "H6: a body that nobody reads is not taken in: of %s",
  async (path) => {
    expect((await sendToWorld(`GET ${path}`, {})).isHungUpOn).toBe(true);
    const answer = await fetch(`${world.site}${path}`, { headers: { host: worldHost } });
    expect(answer.headers.get("connection")).toBeNull();
  },
);

test("H6: nor is one of a request that is led to https", async () => {
  const redirects = await listenForRedirects("127.0.0.1", 0, { httpsPort: 443, hosts: [] });
  for (const request of ["GET /", "POST /login"])
    expect((await sendWithoutEnd(redirects.port, request, {})).isHungUpOn).toBe(true);
  await redirects.close();
});

test("Who looks at an answer only when all is sent is told that a file is too large, and may go on", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const file = `${fileBegin}${"a".repeat(20 * mib)}\r\n--x--\r\n`;
  const sent = { "content-type": parts, "content-length": String(file.length) };
  const headers = { ...headersOf(world.alice), ...sent };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  let heard = "";
  const socket = connect(Number(new URL(world.site).port), "127.0.0.1", () => {
    socket.pause();
    socket.write(`POST /api/v1/user_uploads HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    socket.write(file, () => void socket.resume());
  });
  socket.on("data", (data) => {
    if (heard === "")
      socket.write(`GET /healthz HTTP/1.1\r\nhost: ${worldHost}\r\nconnection: close\r\n\r\n`);
    heard += data;
  });
  socket.on("close", () => resolve(heard));
  expect(await promise).toMatch(/^HTTP\/1\.1 400 .+at most 1 MiB.+HTTP\/1\.1 200 .+alive/s);
});
