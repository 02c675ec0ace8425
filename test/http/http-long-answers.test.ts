import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { makeWorld, type World, worldHost } from "../support/world";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const open = () => connect(Number(new URL(world.site).port), "127.0.0.1").setEncoding("latin1");

const authorization = () => {
  const { email, apiKey } = world.alice.credentials ?? { email: "", apiKey: "" };
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
};

const register = () =>
  `POST /api/v1/register HTTP/1.1\r\nHost: ${worldHost}\r\nAuthorization: ${authorization()}\r\nContent-Length: 0\r\n\r\n`;

/** The pieces in which the next answer comes. */
function nextAnswer(socket: Socket): Promise<{ pieces: string[]; head: string; body: string }> {
  const pieces: string[] = [];
  return new Promise((resolve, reject) => {
    socket.once("close", () =>
      reject(new Error(`The connection was closed after ${JSON.stringify(pieces)}.`)),
    );
    socket.on("data", (piece: string) => {
      pieces.push(piece);
      const answer = pieces.join("");
      const [head = "", body = ""] = answer.split(/\r\n\r\n(.*)/s);
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
      if (body.length < length || !answer.includes("\r\n\r\n")) return;
      socket.removeAllListeners();
      resolve({ pieces, head, body });
    });
  });
}

describe("A long answer that had to wait for a write", () => {
  test("begins with all of its headers, tells its length, and leaves the connection to the next", async () => {
    const socket = open();
    for (let turn = 0; turn < 3; turn++) {
      const answer = nextAnswer(socket);
      socket.write(register());
      const { pieces, head, body } = await answer;
      expect(body.length).toBeGreaterThan(20_000);
      expect(JSON.parse(body)).toMatchObject({ result: "success", queue_id: expect.any(String) });
      expect(head.toLowerCase()).not.toContain("transfer-encoding");
      expect(pieces[0]?.startsWith(`${head}\r\n\r\n`)).toBe(true);
    }
    socket.destroy();
  });

  test("waits for a client that reads it late", async () => {
    const socket = open();
    socket.pause();
    socket.write(register());
    // The answer to another is there only after this one's has been given away.
    expect((await world.bob.post("/register", {})).body).toMatchObject({ result: "success" });
    const answer = nextAnswer(socket);
    socket.resume();
    expect(JSON.parse((await answer).body)).toMatchObject({ queue_id: expect.any(String) });
    socket.destroy();
  });

  test("costs nothing where its client has gone", async () => {
    for (let turn = 0; turn < 20; turn++) {
      const socket = open();
      await new Promise<void>((resolve) => socket.write(register(), () => resolve()));
      socket.destroy();
    }
    expect((await world.alice.get("/users/me")).status).toBe(200);
  });
});
