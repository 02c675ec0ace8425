import { afterEach, beforeEach, expect, test } from "bun:test";
import { connect } from "node:net";
import { Type } from "@sinclair/typebox";
import { endpoint, noFields } from "../../src/core/endpoint";
import { type HttpServer, serveHttp } from "../../src/http/serve";
import { endpoints } from "../../src/server";
import { makeWorld, type Person, type World, worldHost } from "../support/world";

/**
 * Long enough for a request to be answered on a machine with other work to do; Bun counts in steps
 * of 4 s.
 */
const silenceSeconds = 12;

let world: World;
let server: HttpServer;
let endWork: () => void;
beforeEach(async () => {
  world = await makeWorld();
  const work = Promise.withResolvers<undefined>();
  endWork = () => work.resolve(undefined);
  const input = Type.Object({});
  const longWork = endpoint({
    method: "POST",
    path: "/work",
    audit: { actions: [], reason: "it changes nothing" },
    summary: "",
    who: "user",
    input,
    output: noFields,
    verb: () => work.promise,
  });
  server = await serveHttp(
    world.app,
    { endpoints: [...endpoints, longWork] },
    {
      idleTimeoutSeconds: silenceSeconds,
    },
  );
});
afterEach(async () => {
  await world.close();
  await server.stop();
});

const signed = ({ credentials }: Person) =>
  `Authorization: Basic ${Buffer.from(`${credentials?.email}:${credentials?.apiKey}`).toString("base64")}`;

/** Sends a request as it is written and then nothing more. */
function speak(start: string, headers: readonly string[], body = "") {
  const socket = connect(server.port, "127.0.0.1");
  const answered = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<void>();
  socket.on("data", (data) => answered.resolve(data.toString().slice(9, 12)));
  socket.on("close", () => {
    answered.reject(new Error(`${start} was not answered before the connection was closed`));
    closed.resolve();
  });
  socket.on("error", () => undefined);
  socket.write([`${start} HTTP/1.1`, `Host: ${worldHost}`, ...headers, "", body].join("\r\n"));
  return { socket, answered: answered.promise, closed: closed.promise };
}

test("a connection is closed when it stays silent, whatever it was kept open for, but not while it waits for an answer", async () => {
  const { alice, bob, channels } = world;
  const queue = await alice.register({ event_types: ["message"] });
  const poll = `GET /api/v1/events?queue_id=${queue.id}&last_event_id=${queue.lastEventId}`;
  const form = [signed(alice), "Content-Type: multipart/form-data; boundary=x"];
  const file =
    '--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n';
  const upload = (length: number, body: string) =>
    speak("POST /api/v1/user_uploads", [...form, `Content-Length: ${length}`], body);
  const spoken = [
    speak("GET /api/v1/users/me", [signed(alice)]),
    upload(file.length, file),
    upload(1_000_000, "--x does not go on like this"),
  ];
  const held = speak(poll, [signed(alice)]);
  const worked = speak("POST /api/v1/work", [signed(alice), "Content-Length: 0"]);
  expect(await Promise.all(spoken.map(({ answered }) => answered))).toEqual(["200", "200", "400"]);
  await Promise.all(spoken.map(({ closed }) => closed));
  endWork();
  expect(await worked.answered).toBe("200");
  await bob.post("/messages", { type: "channel", to: channels.general, topic: "t", content: "hi" });
  expect(await held.answered).toBe("200");
  await Promise.all([held.closed, worked.closed]);
}, 120_000);

test("a client that asks for the end of its connection is told of it, so that it sends nothing more there", async () => {
  const asksFor = (value: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(server.port, "127.0.0.1");
      let text = "";
      socket.on("data", (data) => {
        text += data.toString();
        const end = text.indexOf("\r\n\r\n");
        if (end < 0) return;
        socket.destroy();
        resolve(text.slice(0, end).toLowerCase());
      });
      socket.on("error", reject);
      const head = ["GET /api/v1/users/me HTTP/1.1", `Host: ${worldHost}`, `Connection: ${value}`];
      socket.write([...head, signed(world.alice), "", ""].join("\r\n"));
    });
  expect(await asksFor("close")).toContain("\r\nconnection: close");
  expect(await asksFor("TE, Close")).toContain("\r\nconnection: close");
  expect(await asksFor("keep-alive")).not.toContain("connection: close");
});
