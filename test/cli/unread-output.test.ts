import { expect, test } from "bun:test";
import { constants, createReadStream, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "../support/processes/server-process";
import { command, freshFolder } from "./chatd";

/** A named pipe that takes nothing more, because nobody reads it. */
function fullPipe(): string {
  const path = join(freshFolder(), "pipe");
  Bun.spawnSync(["mkfifo", path]);
  const end = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  for (const size of [4_096, 1]) {
    try {
      while (true) writeSync(end, Buffer.alloc(size, " "));
    } catch {
      // It is full for pieces of this size.
    }
  }
  return path;
}

/** Reads a pipe until a text comes. */
async function readUntil(path: string, text: string) {
  let read = "";
  for await (const chunk of createReadStream(path, "utf8")) {
    read += chunk;
    if (read.includes(text)) return;
  }
}

const folder = freshFolder();
const serve = "serve --host 127.0.0.1 --port 0 --access-log true --data".split(" ");

/** A server with some of its output in a pipe. */
const serving = (redirection: string, pipe: string) =>
  startServer(
    ["sh", "-c", `exec "$@" ${redirection}"$0"`, pipe].concat(command, serve, join(folder, "data")),
  );

test("a server serves and stops although nobody reads its log, which keeps what can be read later", async () => {
  const pipe = fullPipe();
  const server = await serving("2>", pipe).ready();
  for (let round = 0; round < 10; round++)
    expect((await fetch(`${server.site}/api/v1/server_settings`)).status).toBe(200);
  await readUntil(pipe, '"event":"request"');
  expect(await server.stop()).toBe(0);
});

test("a server serves and stops although nobody reads that it is ready", async () => {
  const started = /"event":"started".*"address":"([^"]+)"/;
  const { site, stop } = await serving("2>&1 >", fullPipe()).ready(20_000, started);
  expect((await fetch(`${site}/api/v1/server_settings`)).status).toBe(200);
  expect(await stop()).toBe(0);
});

test("lines beyond a mebibyte are lost, and counted as soon as the reader has caught up", async () => {
  const pipe = fullPipe();
  const module = JSON.stringify(join(import.meta.dir, "../../cli/unwaited-lines.ts"));
  const writer = `import { unwaitedLines } from ${module};
    const write = unwaitedLines(process.stderr, (count) => write("lost " + count));
    for (let count = 0; count < 7; count++) write("x".repeat(1 << 18));
    console.log("written");`;
  const child = Bun.spawn(["sh", "-c", 'exec "$@" 2>"$0"', pipe, process.execPath, "-e", writer], {
    stdout: "pipe",
  });
  for await (const _ of child.stdout) break;
  await readUntil(pipe, "lost 3");
  expect(await child.exited).toBe(0);
});
