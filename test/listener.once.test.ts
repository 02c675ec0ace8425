import { describe, expect, test } from "bun:test";
import { askRarely } from "../src/http/health";
import { listen } from "../src/http/listener";
import { makeFakeClock } from "./support/fake-clock";

const answers = {
  api: () => new Response("api"),
  description: () => new Response("description"),
  others: () => new Response("others"),
};

test("what is asked before a server can answer waits for it, what is asked later goes the same way", async () => {
  const listener = await listen({ host: "127.0.0.1", port: 0 });
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${listener.port}${path}`)).text();
  const askAll = () => Promise.all(["/api/v1/messages", "/api/v1/openapi.json", "/login"].map(ask));
  try {
    const early = askAll();
    const isOver = await Promise.race([early, new Promise((resolve) => setTimeout(() => resolve("waiting"), 50))]);
    expect(isOver).toBe("waiting");
    listener.answer(answers);
    expect(await early).toEqual(["api", "description", "others"]);
    expect(await askAll()).toEqual(["api", "description", "others"]);
  } finally {
    await listener.stop();
  }
});

test("a port that is taken is refused", async () => {
  const listener = await listen({ host: "127.0.0.1", port: 0 });
  try {
    await expect(listen({ host: "127.0.0.1", port: listener.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  } finally {
    await listener.stop();
  }
});

describe("a load balancer", () => {
  const askAt = (port: number) => async (path: string, method?: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, method === undefined ? {} : { method });
    return [answer.status, await answer.json().catch(() => undefined)];
  };

  test("is told that a server is alive from the start, and ready once it answers", async () => {
    const listener = await listen({ host: "127.0.0.1", port: 0 });
    const ask = askAt(listener.port);
    try {
      expect(await ask("/healthz")).toEqual([200, { status: "alive" }]);
      expect(await ask("/readyz")).toEqual([503, { status: "starting" }]);
      listener.answer(answers);
      expect(await ask("/readyz")).toEqual([200, { status: "ready" }]);
      listener.drain();
      expect(await ask("/readyz")).toEqual([503, { status: "stopping" }]);
      expect(await ask("/healthz")).toEqual([200, { status: "alive" }]);
    } finally {
      await listener.stop();
    }
  });

  test("is told that the database does not answer, which is asked once in a second", async () => {
    const listener = await listen({ host: "127.0.0.1", port: 0 });
    const ask = askAt(listener.port);
    const clock = makeFakeClock();
    let asked = 0;
    const check = async () => {
      asked += 1;
      return asked === 1 ? "The database does not answer." : undefined;
    };
    listener.answer({ ...answers, checkStorage: askRarely(check, clock.nowMilliseconds) });
    try {
      const unavailable = [503, { status: "storage_unavailable", reason: "The database does not answer." }];
      for (let i = 0; i < 20; i++) expect(await ask("/readyz")).toEqual(unavailable);
      expect(asked).toBe(1);
      clock.advance(1);
      expect(await ask("/readyz")).toEqual([200, { status: "ready" }]);
    } finally {
      await listener.stop();
    }
  });
});

test("a server that stops ends each kept connection with its next answer, and still takes requests", async () => {
  const listener = await listen({ host: "127.0.0.1", port: 0 });
  listener.answer(answers);
  const ask = async () => (await fetch(`http://127.0.0.1:${listener.port}/api/v1/messages`)).headers.get("connection");
  expect(await ask()).not.toBe("close");
  listener.drain();
  expect([await ask(), await ask()]).toEqual(["close", "close"]);
  await listener.stop();
  await expect(ask()).rejects.toThrow();
});

test("what is asked right before the end is answered after nothing more can be asked", async () => {
  const listener = await listen({ host: "127.0.0.1", port: 0 });
  let asked = 0;
  const began = Promise.withResolvers<void>();
  const api = async () => {
    asked += 1;
    began.resolve();
    return new Response(`answer ${asked}`);
  };
  listener.answer({ ...answers, api });
  listener.drain();
  const stopped = listener.stop();
  const answer = fetch(`http://127.0.0.1:${listener.port}/api/v1/messages`);
  await began.promise;
  expect(await (await answer).text()).toBe("answer 1");
  await expect(fetch(`http://127.0.0.1:${listener.port}/api/v1/messages`)).rejects.toThrow();
  await stopped;
});
