import { afterEach, expect, test } from "bun:test";
import { connect } from "node:net";
import {
  listenForRedirects,
  type RedirectPolicy,
  type RedirectPort,
} from "../../src/http/redirect-port";

let redirects: RedirectPort | undefined;
afterEach(() => redirects?.close());

const host = "chat.example.com";

async function open(policy: Partial<RedirectPolicy> = {}) {
  redirects = await listenForRedirects("127.0.0.1", 0, { httpsPort: 443, hosts: [], ...policy });
  return redirects.port;
}

/** Status, place and body of the answer to a request, sent as it is written here. */
function ask(port: number, request: string): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string[]>();
  let text = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(request.replaceAll("\n", "\r\n")));
  socket.on("data", (chunk) => (text += chunk));
  socket.on("close", () => {
    const [head = "", body = ""] = text.split("\r\n\r\n");
    const [, status = ""] = /^HTTP\/1\.1 (\d+)/.exec(head) ?? [];
    const [, location = ""] = /^location: (.*)$/im.exec(head) ?? [];
    resolve([status, location.trim(), body.trim()]);
  });
  return promise;
}

const get = (path: string, at: string, method = "GET") =>
  `${method} ${path} HTTP/1.1\nHost: ${at}\nConnection: close\n\n`;

test("requests are led to their host by https: reading ones by 301, others by 308, with path and query", async () => {
  const port = await open({ httpsPort: 8443 });
  const led = `https://${host}:8443/a%20b?c=%2F&d`;
  expect(await ask(port, get("/a%20b?c=%2F&d", `${host}:80`))).toEqual(["301", led, ""]);
  expect(await ask(port, get("/a%20b?c=%2F&d", host, "HEAD"))).toEqual(["301", led, ""]);
  expect(await ask(port, get("/a%20b?c=%2F&d", host, "DELETE"))).toEqual(["308", led, ""]);
});

test("where the hosts of the server are known, no request is led elsewhere", async () => {
  const port = await open({ hosts: [host, "other.example.com"] });
  const placeFor = async (at: string, path = "/") => (await ask(port, get(path, at)))[1];
  expect(await placeFor("OTHER.example.com")).toBe("https://other.example.com/");
  expect(await placeFor("evil.example")).toBe(`https://${host}/`);
  expect(await placeFor(host, "//evil.example/x")).toBe(`https://${host}//evil.example/x`);
});

test("a host that is none is refused, and a path cannot lead to another one", async () => {
  const port = await open();
  for (const at of ["", "a b", "evil.example/", "user@evil.example", "[::1"])
    expect((await ask(port, get("/", at)))[1]).toBe("");
  const [, location = ""] = await ask(port, get("http://evil.example/x", host));
  expect(URL.parse(location)?.host).toBe(host);
});

test("the authority gets its answer also while there is no certificate, and everybody else the reason", async () => {
  const port = await open({
    hosts: [host],
    challengeAnswer: (token) => (token === "t0ken" ? "t0ken.print" : undefined),
    whyNotYet: () => "No certificate yet.",
  });
  const challenge = "/.well-known/acme-challenge/";
  expect(await ask(port, get(`${challenge}t0ken`, host))).toEqual(["200", "", "t0ken.print"]);
  expect(await ask(port, get(`${challenge}other`, host))).toEqual([
    "503",
    "",
    "No certificate yet.",
  ]);
  expect(await ask(port, get("/login", host, "POST"))).toEqual(["503", "", "No certificate yet."]);
});
