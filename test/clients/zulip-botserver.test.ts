import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Subprocess, spawn } from "bun";
import { readCredentials } from "../cli/chatd";
import { Client } from "../support/client";
import { freePort } from "../support/processes/free-port";
import { requireTool } from "../support/processes/tools";
import { findClient, serveOrganization, setupMilliseconds } from "./session";
import { prepareBotserver } from "./setup";

const hasTools = requireTool("make") && requireTool("python3");
/** The interpreter that has the package. */
const python = hasTools
  ? findClient("the Python package zulip_botserver", prepareBotserver)
  : undefined;
/** Bots that come with the package, by the names under which it runs them. */
const names = ["converter", "incrementor"];

let alice: Client;
let bob: Client;
let child: Subprocess | undefined;
let stopServer: () => Promise<unknown> = async () => undefined;
const ids = new Map<string, number>();

async function makeBot(site: string, name: string, port: number): Promise<string> {
  const url = JSON.stringify(`http://127.0.0.1:${port}/`);
  const made = await alice.post("/bots", {
    full_name: name,
    short_name: name,
    bot_type: 3,
    payload_url: url,
  });
  expect(made.status).toBe(200);
  ids.set(name, made.body.user_id);
  const { state } = await alice.register();
  const { services } = state.realm_bots.find(
    ({ user_id }: { user_id: number }) => user_id === made.body.user_id,
  );
  const { email } = (await alice.get(`/users/${made.body.user_id}`)).body.user;
  return `[${name}]\nemail=${email}\nkey=${made.body.api_key}\nsite=${site}\ntoken=${services[0].token}\n`;
}

/** Waits for the sentence with which it says that it serves. */
async function isServing(output: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("Running on http://127.0.0.1")) return;
  }
  throw new Error(`zulip-botserver did not start: ${text}`);
}

describe.skipIf(python === undefined)("zulip_botserver, unmodified,", () => {
  beforeAll(async () => {
    const { folder, credentials, server } = await serveOrganization([
      "--outbound-networks-allowed",
      "127.0.0.1",
    ]);
    stopServer = server.stop;
    const { users } = readCredentials(credentials);
    const signIn = (email: string) =>
      new Client(server.site, "localhost", {
        email,
        apiKey: users.find((one) => one.email === email)?.api_key ?? "",
      });
    [alice, bob] = [signIn("alice@example.com"), signIn("bob@example.com")];
    const port = freePort();
    const sections: string[] = [];
    for (const name of names) sections.push(await makeBot(server.site, name, port));
    const file = join(folder, "botserverrc");
    writeFileSync(file, sections.join("\n"), { mode: 0o600 });
    const run = [python ?? "", "-m", "zulip_botserver.server"];
    const command = [
      ...run,
      "--config-file",
      file,
      "--hostname",
      "127.0.0.1",
      "--port",
      String(port),
    ];
    const botserverChild = spawn(command, {
      env: { PATH: process.env.PATH, HOME: folder, PYTHONUNBUFFERED: "1" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    child = botserverChild;
    await isServing(botserverChild.stderr);
  }, setupMilliseconds);

  afterAll(async () => {
    child?.kill("SIGKILL");
    await child?.exited;
    await stopServer();
  });

  /** Next answer of a bot, to somebody who listens. */
  async function nextAnswer(
    listener: Client,
    bot: string,
    say: () => Promise<unknown>,
  ): Promise<string> {
    const queue = await listener.register({ event_types: ["message"], apply_markdown: false });
    await say();
    for (;;) {
      for (const { message } of await queue.next())
        if (message?.sender_id === ids.get(bot)) return message.content;
    }
  }

  test("answers a mention in its topic", async () => {
    const converter = ids.get("converter");
    await alice.post("/users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
      principals: [converter],
    });
    const content = "@**converter** 2 meter yard";
    const answer = await nextAnswer(bob, "converter", () =>
      bob.post("/messages", { type: "channel", to: "general", topic: "lengths", content }),
    );
    expect(answer).toBe("2 meter = 2.1872266 yard");
  });

  test("answers direct messages, edits what it has said, and keeps what it needs in the bot's storage", async () => {
    const to = [ids.get("incrementor")];
    const say = () => bob.post("/messages", { type: "direct", to, content: "one more" });
    expect(await nextAnswer(bob, "incrementor", say)).toBe("1");
    // The second time it edits what it has said.
    const queue = await bob.register({ event_types: ["update_message"], apply_markdown: false });
    await say();
    expect(await queue.next()).toMatchObject([
      { type: "update_message", content: "2", orig_content: "1" },
    ]);
  });
});
