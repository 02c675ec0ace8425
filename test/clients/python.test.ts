import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "bun";
import { freshFolder, organizationFile, readCredentials } from "../cli/chatd";
import { startServer } from "../support/server-process";
import { lacking, requireTool } from "../support/tools";
import { buildBinary } from "./binary";
import { preparePython } from "./setup";

/** JSON from the wire: tests look into it freely. */
type Answers = ReturnType<typeof JSON.parse>;

const scriptMilliseconds = 60_000;
const setupMilliseconds = 90_000;

/** The interpreter that has the package; undefined when it cannot be had, which is said loudly. */
function findPython(): string | undefined {
  if (!requireTool("make") || !requireTool("python3")) return undefined;
  try {
    return preparePython();
  } catch (error) {
    lacking(`the Python package zulip cannot be had (${error})`);
    return undefined;
  }
}

const python = findPython();
let answers: Answers;

/** Runs the script against the executable, which knows nothing of this checkout, and answers what it printed. */
async function runScript(interpreter: string): Promise<Answers> {
  const folder = freshFolder();
  const credentials = join(folder, "credentials.json");
  const zuliprc = join(folder, "zuliprc");
  const serve = ["serve", "--ephemeral", "--host", "127.0.0.1", "--port", "0"];
  const flags = ["--apply", organizationFile, "--credentials", credentials];
  const server = await startServer([buildBinary(folder), ...serve, ...flags]).ready();
  writeZuliprc(zuliprc, credentials);
  const home = join(folder, "home");
  mkdirSync(home);
  const script = join(import.meta.dir, "zulip_client.py");
  const run = spawn([interpreter, script, zuliprc, credentials], {
    env: { PATH: process.env.PATH, HOME: home },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: scriptMilliseconds,
    killSignal: "SIGKILL",
  });
  const [output, complaints] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  if ((await run.exited) !== 0) throw new Error(`the script failed: ${complaints}\n${server.log()}`);
  expect(await server.stop()).toBe(0);
  return JSON.parse(output);
}

/** The file that people download for their client, as Alice has it. */
function writeZuliprc(path: string, credentialsFile: string) {
  const { site, users } = readCredentials(credentialsFile);
  const alice = users.find(({ email }) => email === "alice@example.com");
  writeFileSync(path, `[api]\nemail=${alice?.email}\nkey=${alice?.api_key}\nsite=${site}\n`);
}

const namesOf = (channels: { name: string }[]) => channels.map(({ name }) => name).sort();
const contentsOf = ({ messages }: Answers) => messages.map(({ content }: { content: string }) => content);

describe.skipIf(python === undefined)("the Python package zulip, unmodified,", () => {
  beforeAll(async () => {
    answers = await runScript(python ?? "");
  }, setupMilliseconds);

  test("is the pinned version, and each of its calls succeeds but those that have to be refused", () => {
    expect(answers.version).toBe("0.9.1");
    const failed = Object.keys(answers).filter((name) => answers[name]?.result && answers[name].result !== "success");
    expect(failed).toEqual(["send_to_nobody", "get_events_after"]);
    expect(answers.send_to_nobody).toMatchObject({ code: "BAD_REQUEST", msg: expect.stringContaining("nobody@") });
    expect(answers.get_events_after).toMatchObject({ code: "BAD_EVENT_QUEUE_ID" });
  });

  test("signs in with a zuliprc and learns who it is and what the server speaks", () => {
    expect(answers.get_profile).toMatchObject({ email: "alice@example.com", full_name: "Alice", is_bot: false });
    expect(answers.get_server_settings).toMatchObject({ zulip_feature_level: 481, realm_name: "Acme" });
  });

  test("reads people and bots, by id and by e-mail too", () => {
    const emails = answers.get_members.members.map(({ email }: { email: string }) => email);
    expect(emails).toContain("robot-bot@example.com");
    expect(answers.get_users.members.length).toBe(emails.length);
    expect(answers.get_user_by_id.user).toMatchObject({ email: "bob@example.com", full_name: "Bob" });
    expect(answers.get_user_by_email.user.user_id).toBe(answers.get_user_by_id.user.user_id);
  });

  test("reads channels, subscribes somebody to a new one and unsubscribes", () => {
    const alice = answers.get_profile.user_id;
    const bob = answers.get_user_by_id.user.user_id;
    expect(namesOf(answers.get_streams.streams)).toEqual(["core", "general", "random"]);
    expect(namesOf(answers.get_subscriptions.subscriptions)).toEqual(["core", "general", "random"]);
    expect(answers.get_stream_id.stream_id).toBeInteger();
    expect(answers.add_subscriptions.subscribed).toEqual({ [alice]: ["tea & cake"] });
    expect(answers.add_subscriptions_again.subscribed).toEqual({ [bob]: ["tea & cake"] });
    expect(answers.get_new_stream_id.stream_id).toBeGreaterThan(answers.get_stream_id.stream_id);
    expect(answers.remove_subscriptions).toMatchObject({ removed: ["tea & cake"], not_removed: [] });
    expect(namesOf(answers.get_subscriptions_after.subscriptions)).toEqual(["core", "general", "random"]);
  });

  test("sends to a channel by name and to people by e-mail and by id, and reads it with narrows in both formats", () => {
    expect(contentsOf(answers.get_messages)).toEqual(["**Soup** today", "I _am_ coming"]);
    expect(contentsOf(answers.get_messages_by_pairs)[0]).toBe("<p><strong>Soup</strong> today</p>");
    expect(contentsOf(answers.get_direct_messages).slice(0, 2)).toEqual(["<p>Soup?</p>", "<p>With bread?</p>"]);
    expect(answers.get_stream_topics.topics).toEqual([{ name: "lunch", max_id: answers.send_to_listener.id }]);
  });

  test("stars a message and marks one as read", () => {
    const { id } = answers.send_to_channel;
    expect(answers.get_starred.messages).toMatchObject([{ id, flags: expect.arrayContaining(["starred"]) }]);
    expect(answers.mark_read.messages).toEqual([answers.send_to_email.id]);
    const isRead = ({ flags }: { flags: string[] }) => flags.includes("read");
    expect(answers.get_direct_messages.messages.slice(0, 2).map(isRead)).toEqual([true, false]);
  });

  test("hears in a thread what somebody else sends, reacts and types, in order", () => {
    const message = { id: answers.send_to_listener.id, sender_email: "bob@example.com", subject: "lunch" };
    expect(answers.heard_message.message).toMatchObject({ ...message, type: "stream", content: "I _am_ coming" });
    const reaction = { message_id: answers.send_to_channel.id, emoji_name: "heart", emoji_code: "2764" };
    expect(answers.heard_reaction).toMatchObject({ ...reaction, op: "add" });
    expect(answers.heard_no_reaction).toMatchObject({ ...reaction, op: "remove" });
    expect(answers.heard_typing).toMatchObject({ op: "start", sender: { email: "bob@example.com" } });
    expect(answers.heard_ids).toEqual([...new Set<number>(answers.heard_ids)].sort((one, other) => one - other));
  });

  test("registers, polls for what its narrow lets through, and ends its queue", () => {
    expect(answers.get_events.events).toMatchObject([{ type: "message", message: { content: "<p>polled</p>" } }]);
    expect(answers.register_for_everything.realm_users.length).toBe(answers.get_members.members.length);
  });
});
