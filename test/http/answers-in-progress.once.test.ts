import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { write } from "../../src/core/write";
import type { Queue } from "../support/client";
import { until } from "../support/polls";
import { makeWorld, type Person, type World, worldHost } from "../support/world";

/** More than what a connection holds whose client does not read. */
const longBytes = 6_000_000;
/** Three such answers at a time, and one of each person. */
const inProgressMax = 20 * 1024 * 1024;

let world: World;
let sockets: Socket[] = [];
beforeEach(async () => {
  world = await makeWorld({ answers_in_progress_bytes_max: String(inProgressMax) });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await world?.close();
});

/**
 * Somebody's queues: one that is asked and whose answer is not read, and one that tells how they
 * are answered meanwhile.
 */
interface Queues {
  unread: Queue;
  other: Queue;
}

/**
 * An event that makes each poll of some people's queues a long answer, with letters of two and of
 * four bytes in it.
 */
async function happen(...people: Person[]): Promise<Queues[]> {
  const queues: Queues[] = [];
  const wanted = { event_types: ["numbered"] };
  for (const person of people) {
    queues.push({ unread: await person.register(wanted), other: await person.register(wanted) });
  }
  const text = "ä😀xyz".repeat(longBytes / 9);
  await write(world.operator, (tx) => tx.emit({ to: "realm" }, { type: "numbered", text }));
  return queues;
}

/** Asks for a queue's events and reads nothing of the answer. */
async function askAndWait(person: Person, { unread: { id } }: Queues): Promise<Socket> {
  const { email, apiKey } = person.credentials ?? { email: "", apiKey: "" };
  const socket = connect(Number(new URL(world.site).port), "127.0.0.1");
  sockets.push(socket);
  socket.pause();
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  const head = `Host: ${worldHost}\r\nAuthorization: ${authorization}\r\nConnection: close`;
  const path = `/api/v1/events?queue_id=${encodeURIComponent(id)}&last_event_id=-1&dont_block=true`;
  await new Promise<void>((resolve) =>
    socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`, () => resolve()),
  );
  return socket;
}

/** Asks for a queue's events and reads nothing of the answer, which has begun to come. */
async function beginToRead(person: Person, queues: Queues): Promise<Socket> {
  const socket = await askAndWait(person, queues);
  await new Promise<void>((resolve) => socket.once("readable", resolve));
  return socket;
}

const statusOf = async ({ other }: Queues) => (await other.poll({ dont_block: true })).status;
const isRefused = async (queues: Queues) => (await statusOf(queues)) === 503;
const isAnswered = async (queues: Queues) => (await statusOf(queues)) === 200;

/** Everything that comes until the connection ends. */
async function readAll(socket: Socket): Promise<Buffer> {
  const pieces: Buffer[] = [];
  socket.on("data", (piece: Buffer) => pieces.push(piece));
  const ended = new Promise((resolve) => socket.once("close", resolve));
  socket.resume();
  await ended;
  return Buffer.concat(pieces);
}

/** The JSON of an answer that came in chunks (RFC 9112, 7.1). */
function bodyOf(answer: Buffer) {
  const chunks: Buffer[] = [];
  for (let at = answer.indexOf("\r\n\r\n") + 4; ; ) {
    const end = answer.indexOf("\r\n", at);
    const size = Number.parseInt(answer.toString("latin1", at, end), 16);
    if (size === 0) return JSON.parse(Buffer.concat(chunks).toString());
    chunks.push(answer.subarray(end + 2, end + 2 + size));
    at = end + 4 + size;
  }
}

describe("Who does not read a long answer", () => {
  test("gets no second one meanwhile, in words and with the time to wait; all others do", async () => {
    const { alice, bob } = world;
    const [own, others] = (await happen(alice, bob)) as [Queues, Queues];
    await beginToRead(alice, own);
    await until(() => isRefused(own));
    const { body, headers } = await own.other.poll({ dont_block: true });
    expect(body).toMatchObject({ result: "error", code: "SERVER_BUSY", "retry-after": 1 });
    expect(headers.get("retry-after")).toBe("1");
    expect(await isAnswered(others)).toBe(true);
    expect((await alice.get("/users/me")).status).toBe(200);
  });

  test("gets all of it when they read, whole, and then the next", async () => {
    const { alice } = world;
    const [own] = (await happen(alice)) as [Queues];
    const socket = await beginToRead(alice, own);
    await until(() => isRefused(own));
    const { events } = bodyOf(await readAll(socket));
    expect(events[0].text).toBe("ä😀xyz".repeat(longBytes / 9));
    await until(() => isAnswered(own));
  });

  test("polls other queues of theirs: that one poll's answer was long says nothing of the others", async () => {
    const { alice, bob } = world;
    const waiting = await alice.register({ event_types: ["message"] });
    const [own, others] = (await happen(alice, bob)) as [Queues, Queues];
    expect(await isAnswered(others)).toBe(true);
    await beginToRead(alice, own);
    await until(() => isRefused(own));
    expect((await waiting.poll({ dont_block: true })).status).toBe(200);
  });

  test("gives it back when they are gone, however often", async () => {
    const { alice } = world;
    const [own] = (await happen(alice)) as [Queues];
    for (let turn = 0; turn < 5; turn++) {
      const socket = await beginToRead(alice, own);
      await until(() => isRefused(own));
      socket.destroy();
      await until(() => isAnswered(own));
    }
    for (let turn = 0; turn < 20; turn++) (await askAndWait(alice, own)).destroy();
    await until(() => isAnswered(own));
  });
});

describe("Answers that many do not read", () => {
  test("take no more than a node has for them; short ones and polls that wait cost nothing", async () => {
    const { alice, bob, carol, olga } = world;
    const people = [alice, bob, carol] as const;
    const queues = await happen(...people, olga);
    const [last] = queues.slice(-1) as [Queues];
    const waiting = await olga.register({ event_types: ["message"] });
    const held = waiting.next();
    for (const [index, person] of people.entries()) {
      const queue = queues[index] as Queues;
      await beginToRead(person, queue);
      await until(() => isRefused(queue));
    }
    expect(await isRefused(last)).toBe(true);
    const id = await olga.say("general", "t", "short");
    expect((await held)[0].message.id).toBe(id);
    sockets[0]?.destroy();
    await until(() => isAnswered(last));
  });
});
