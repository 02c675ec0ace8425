import { expect, test } from "bun:test";
import { listen } from "../src/http/listener";

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
