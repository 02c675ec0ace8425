import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { requireTool } from "../support/processes/tools";
import {
  findClient,
  runClient,
  serveOrganization,
  setupMilliseconds,
  writeZuliprc,
} from "./session";
import { preparePrograms } from "./setup";

/* The example scripts that come with the Python package zulip. */

const hasTools = requireTool("make") && requireTool("python3");
const programs = hasTools ? findClient("the Python package zulip", preparePrograms) : undefined;

let served: Awaited<ReturnType<typeof serveOrganization>>;
let scripts: string;
let zuliprc: string;

async function said(script: string, ...args: string[]): Promise<string> {
  const command = [join(programs ?? "", "python"), join(scripts, script), ...args];
  const { code, stdout, stderr } = await runClient(
    [...command, "--config-file", zuliprc],
    served.folder,
  );
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${stderr}${stdout}`);
  return stdout;
}

/** Text that a script prints which has been answered well. */
async function done(script: string, ...args: string[]): Promise<string> {
  const text = await said(script, ...args);
  expect(text).toContain("'result': 'success'");
  return text;
}

const idIn = (text: string) => text.match(/'id': (\d+)/)?.[1] ?? "";

describe.skipIf(programs === undefined)("example scripts of the Python package zulip", () => {
  beforeAll(async () => {
    served = await serveOrganization();
    zuliprc = writeZuliprc(served.folder, served.credentials, "", "olga@example.com");
    writeFileSync(join(served.folder, "note.txt"), "remember the milk");
    const where = "import os, zulip; print(os.path.dirname(zulip.__file__))";
    const command = [join(programs ?? "", "python"), "-c", where];
    const { stdout } = await runClient(command, served.folder);
    scripts = join(stdout.trim(), "examples");
  }, setupMilliseconds);
  afterAll(() => served?.server.stop());

  test("send, change, show and delete messages", async () => {
    const place = ["--type", "stream", "--subject", "soup"];
    const id = idIn(await done("send-message", "general", ...place, "--message", "leek"));
    await done("edit-message", "--message-id", id, "--content", "leek and potato");
    expect(await done("message-history", id)).toContain("'prev_content': 'leek'");
    expect(await done("get-raw-message", id)).toContain("'raw_content': 'leek and potato'");
    const around = ["--anchor", id, "--num-before", "5", "--num-after", "5"];
    expect(await done("get-messages", ...around)).toContain("leek and potato");
    await said("update-message-flags", "add", "starred", id);
    await done("send-message", "bob@example.com", "--message", "psst");
    await said("get-history", "--stream", "general", "--topic", "soup");
    await done("delete-message", id);
    expect(await done("get-messages", ...around)).not.toContain("leek and potato");
  });

  test("list and change channels, topics and subscriptions", async () => {
    await done("subscribe", "--streams", "garden cellar");
    const subscriptions = await done("get-subscriptions");
    expect(subscriptions).toContain("'name': 'garden'");
    const id = subscriptions.match(/'stream_id': (\d+), 'name': 'garden'/)?.[1] ?? "";
    // It sends all of its options, given or not, and texts with quotes around them.
    const name = '"allotment"';
    const changes = ["--new-name", "allotment", "--description", "Where it grows"];
    await done("edit-stream", "--stream-id", id, ...changes, "--history-public-to-subscribers");
    expect(await done("get-public-streams")).toContain("Where it grows");
    const place = ["--type", "stream", "--subject", "leeks", "--message", "they grow"];
    await done("send-message", name, ...place);
    expect(await done("get-stream-topics", "--stream-id", id)).toContain("'name': 'leeks'");
    await said("mute-topic", "mute", name, "leeks");
    await said("mute-topic", "unmute", name, "leeks");
    await done("unsubscribe", "--streams", "cellar");
    await done("delete-stream", id);
    expect(await done("get-public-streams")).not.toContain("allotment");
  });

  test("list and make people, alert words, emoji and files", async () => {
    expect(await said("list-users")).toContain("Greta Guest");
    const account = ["--new-email", "nina@example.com", "--new-password", "correct-horse-battery"];
    await done("create-user", ...account, "--new-full-name", "Nina", "--new-short-name", "nina");
    expect(await said("list-users")).toContain("Nina");
    const presence = ["get-user-presence", "--email", "olga@example.com"] as const;
    expect(await said(...presence)).toContain("No presence data for Olga Owner.");
    await said("alert-words", "add", "soup");
    expect(await said("alert-words", "get")).toContain("soup");
    await done("realm-emoji");
    expect(await said("upload-file", "--file-path", "note.txt")).toContain("/user_uploads/");
  });
});
