import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Subprocess, spawn } from "bun";
import { readCredentials, waitFor } from "../cli/chatd";
import { Client } from "../support/client";
import { requireTool } from "../support/processes/tools";
import { findClient, serveOrganization, setupMilliseconds, writeZuliprc } from "./session";
import { preparePrograms } from "./setup";

const hasTools = requireTool("make") && requireTool("python3");
const programs = hasTools
  ? findClient("the Python package zulip_bots", preparePrograms)
  : undefined;

const patienceMilliseconds = 20_000;

let served: Awaited<ReturnType<typeof serveOrganization>>;
let bob: Client;
let robot: Client;
let robotId: number;
let child: Subprocess | undefined;

/** Runs a bot of the package as Robot, until another one is run; it has a queue when this ends. */
async function runBot(name: string) {
  await endBot();
  const before = queuesOfRobot();
  const folder = programs ?? "";
  const zuliprc = writeZuliprc(served.folder, served.credentials, "", "robot-bot@example.com");
  const command = [join(folder, "python"), join(folder, "zulip-run-bot"), name];
  child = spawn([...command, "--config-file", zuliprc], {
    env: { PATH: process.env.PATH, HOME: served.folder },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  await waitFor(() => queuesOfRobot() > before || undefined, patienceMilliseconds);
}

async function endBot() {
  child?.kill("SIGKILL");
  await child?.exited;
}

/** Number of queues that it has registered, by the log of requests. */
const queuesOfRobot = () =>
  served.server
    .log()
    .split("\n")
    .filter((line) => line.includes('"/api/v1/register"') && line.includes(`"userId":${robotId}`))
    .length;

/** Next message of Robot's that Bob hears of. */
async function answerTo(say: () => Promise<unknown>) {
  const queue = await bob.register({ event_types: ["message"], apply_markdown: false });
  await say();
  for (;;) {
    for (const { message } of await queue.next()) {
      if (message?.sender_id === robotId) return message;
    }
  }
}

describe.skipIf(programs === undefined)("zulip-run-bot, unmodified, runs a bot that", () => {
  beforeAll(async () => {
    served = await serveOrganization(["--access-log", "true"]);
    const { users } = readCredentials(served.credentials);
    const of = (email: string) => users.find((user) => user.email === email);
    const signIn = (email: string) =>
      new Client(served.server.site, "localhost", { email, apiKey: of(email)?.api_key ?? "" });
    [bob, robot] = [signIn("bob@example.com"), signIn("robot-bot@example.com")];
    robotId = of("robot-bot@example.com")?.user_id ?? 0;
  }, setupMilliseconds);

  afterAll(async () => {
    await endBot();
    await served?.server.stop();
  });

  test("answers direct messages and mentions, and reacts (helloworld)", async () => {
    await runBot("helloworld");
    const direct = await answerTo(() =>
      bob.post("/messages", { type: "direct", to: [robotId], content: "are you there?" }),
    );
    expect(direct.content).toBe("beep boop");
    const place = { type: "channel", to: "random", topic: "robots" };
    const sent: { id?: number } = {};
    const answer = await answerTo(async () => {
      const { body } = await bob.post("/messages", { ...place, content: "@**Robot** and here?" });
      sent.id = body.id;
    });
    expect(answer).toMatchObject({ content: "beep boop", subject: "robots" });
    await waitFor(async () => {
      const { body } = await bob.get(`/messages/${sent.id}`);
      return body.message.reactions[0]?.emoji_name === "wave" || undefined;
    }, patienceMilliseconds);
  });

  test("keeps what it needs in the storage of bots (virtual_fs)", async () => {
    const write = (content: string) => () =>
      bob.post("/messages", { type: "direct", to: [robotId], content });
    await runBot("virtual_fs");
    const written = await answerTo(write("write soup leek and potato"));
    expect(written.content).toContain("file written");
    expect((await answerTo(write("read soup"))).content).toContain("leek and potato");
    const { body } = await robot.get("/bot_storage");
    expect(JSON.stringify(body.storage)).toContain("leek and potato");
  });
});
