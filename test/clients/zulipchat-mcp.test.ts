import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Subprocess, spawn } from "bun";
import { requireTool } from "../support/processes/tools";
import { findClient, serveOrganization, setupMilliseconds, writeZuliprc } from "./session";
import { prepareMcpServer } from "./setup";

/* A server of the Model Context Protocol, by which assistants read and write as Alice. */

type Json = ReturnType<typeof JSON.parse>;

const hasTools = requireTool("make") && requireTool("python3");
const programs = hasTools
  ? findClient("the Python package zulipchat-mcp", prepareMcpServer)
  : undefined;

let served: Awaited<ReturnType<typeof serveOrganization>>;
let child: Subprocess<"pipe", "pipe", "ignore">;
let answers: AsyncGenerator<Json>;
let asked = 0;

/** Messages of JSON-RPC, one a line. */
async function* messagesIn(output: ReadableStream<Uint8Array>): AsyncGenerator<Json> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of output) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield JSON.parse(line);
  }
}

function write(message: object) {
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  child.stdin.flush();
}

async function ask(method: string, params: object): Promise<Json> {
  const id = ++asked;
  write({ id, method, params });
  for (;;) {
    const { value, done } = await answers.next();
    if (done) throw new Error("it has ended");
    if (value.id === id) return value.result ?? value;
  }
}

async function call(name: string, given: object = {}): Promise<Json> {
  const { isError, structuredContent, content } = await ask("tools/call", {
    name,
    arguments: given,
  });
  if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
  expect(structuredContent.status).toBe("success");
  return structuredContent;
}

describe.skipIf(programs === undefined)("zulipchat-mcp, unmodified,", () => {
  beforeAll(async () => {
    served = await serveOrganization();
    const zuliprc = writeZuliprc(served.folder, served.credentials);
    const folder = programs ?? "";
    const command = [join(folder, "python"), join(folder, "zulipchat-mcp")];
    child = spawn([...command, "--zulip-config-file", zuliprc], {
      cwd: served.folder,
      env: { PATH: process.env.PATH, HOME: served.folder },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    answers = messagesIn(child.stdout);
    const clientInfo = { name: "test", version: "1" };
    await ask("initialize", { protocolVersion: "2025-03-26", capabilities: {}, clientInfo });
    write({ method: "notifications/initialized" });
  }, setupMilliseconds);

  afterAll(async () => {
    child?.kill("SIGKILL");
    await child?.exited;
    await served?.server.stop();
  });

  test("knows whom it speaks for, the people and the channels", async () => {
    expect(await call("get_own_user")).toMatchObject({ user: { email: "alice@example.com" } });
    const { streams } = await call("get_streams");
    expect(streams.map(({ name }: Json) => name).sort()).toEqual(["core", "general", "random"]);
    const { users } = await call("get_users");
    expect(users.map(({ full_name }: Json) => full_name)).toContain("Greta Guest");
    expect(JSON.stringify(await call("resolve_user", { name: "Bob" }))).toContain(
      "bob@example.com",
    );
  });

  test("sends, reacts, changes, searches and marks as read", async () => {
    const place = { type: "stream", to: "general", topic: "soup" };
    const { message_id } = await call("send_message", { ...place, content: "leek" });
    await call("add_reaction", { message_id, emoji_name: "rocket" });
    await call("edit_message", { message_id, content: "leek and potato" });
    const { message } = await call("get_message", { message_id });
    expect(message).toMatchObject({ id: message_id, reactions: [{ emoji_name: "rocket" }] });
    const { messages } = await call("search_messages", { query: "potato", stream: "general" });
    expect(messages.map(({ id }: Json) => id)).toEqual([message_id]);
    const topics = await call("get_stream_topics", { stream_id: message.stream_id ?? 1 });
    expect(JSON.stringify(topics)).toContain("soup");
    await call("manage_message_flags", { flag: "read", action: "add", scope: "all" });
  });
});
