import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCredentials } from "../cli/chatd";
import { requireTool } from "../support/processes/tools";
import {
  findClient,
  runClient,
  serveOrganization,
  setupMilliseconds,
  writeZuliprc,
} from "./session";
import { preparePrograms } from "./setup";

/*
 * Programs that people run in a terminal or from other programs, unmodified, one after the other.
 */

const hasTools = requireTool("make") && requireTool("python3");
const programs = hasTools
  ? findClient("the programs of Python packages", preparePrograms)
  : undefined;

let served: Awaited<ReturnType<typeof serveOrganization>>;
let zuliprc: string;
let ownerZuliprc: string;

/** Text that a program prints, which has to end well. */
async function said(program: string, ...args: string[]): Promise<string> {
  const folder = programs ?? "";
  // Their first lines name an interpreter in the folder that they were installed in at first.
  const command = [join(folder, "python"), join(folder, program), ...args];
  const { code, stdout, stderr } = await runClient(command, served.folder);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${stderr}${stdout}`);
  return stdout + stderr;
}

function alice() {
  const { site, users } = readCredentials(served.credentials);
  return { site, key: users.find(({ email }) => email === "alice@example.com")?.api_key ?? "" };
}

describe.skipIf(programs === undefined)("programs, unmodified:", () => {
  beforeAll(async () => {
    served = await serveOrganization();
    zuliprc = writeZuliprc(served.folder, served.credentials);
    ownerZuliprc = writeZuliprc(served.folder, served.credentials, "", "olga@example.com");
    writeFileSync(join(served.folder, "note.txt"), "remember the milk");
  }, setupMilliseconds);
  afterAll(() => served?.server.stop());

  test("zulip-send sends to a channel's topic and to a person", async () => {
    const send = ["--config-file", zuliprc, "--message"];
    await said("zulip-send", ...send, "from zulip-send", "--stream", "general", "--subject", "hi");
    await said("zulip-send", ...send, "between us", "bob@example.com");
    const messages = await said("zulipcli", "--zuliprc", zuliprc, "read", "general", "hi");
    expect(messages).toContain("Alice\thi\nfrom zulip-send\n");
    expect(await said("zulipcli", "--zuliprc", zuliprc, "dm", "bob@example.com")).toContain(
      "between us",
    );
  });

  test("zulipcli lists channels, topics and people, searches, and sends", async () => {
    const ask = (...args: string[]) => said("zulipcli", "--zuliprc", zuliprc, ...args);
    expect((await ask("streams")).split("\n").filter(Boolean)).toEqual([
      "core",
      "general",
      "random",
    ]);
    await ask("send", "--stream", "general", "--topic", "hi", "an uncommon pangolin");
    expect(await ask("topics", "general")).toBe("hi\n");
    expect(await ask("search", "pangolin")).toContain("#general>hi");
    expect(await ask("users", "list")).toContain("Greta Guest\tgreta@example.com");
  });

  test("zlp reads, writes, changes and deletes, uploads, and keeps an archive", async () => {
    const ask = (...args: string[]) => said("zlp", "--config", zuliprc, ...args);
    expect(await ask("whoami")).toBe(`${alice().site} alice@example.com Alice\n`);
    expect((await ask("streams")).split("\n").filter(Boolean)).toEqual([
      "core",
      "general",
      "random",
    ]);
    const place = ["--stream", "general", "--topic", "zlp"];
    const idOf = (text: string) => text.match(/^ok id=(\d+)/)?.[1] ?? text;
    const first = idOf(await ask("send", ...place, "--msg", "first"));
    const second = idOf(await ask("send", ...place, "--msg", "second"));
    await ask("upload", "--file", "note.txt", ...place);
    await ask("edit", "--id", first, "--msg", "first, changed");
    await ask("dm", "--to", "bob@example.com", "--msg", "psst");
    const found = JSON.parse(await ask("search", "--query", "changed", "--format", "json"));
    expect(found.map(({ id }: { id: number }) => String(id))).toEqual([first]);
    await said("zlp", "--config", ownerZuliprc, "delete", "--id", second);
    const archive = join(served.folder, "archive");
    await said(
      "zlp",
      "--config",
      zuliprc,
      "--archive-root",
      archive,
      "pull",
      ...place,
      "--import-history",
    );
    const kept = readdirSync(archive, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
      .join("\n");
    expect(kept).toContain("first, changed");
    expect(kept).toContain("remember the milk");
    expect(kept).not.toContain("second");
  });

  test("perceval fetches the messages of a channel, two at a time", async () => {
    const access = ["--api-token", alice().key, "--email", "alice@example.com"];
    const items = await said(
      "perceval",
      "zulip",
      "--json-line",
      ...access,
      served.server.site,
      "general",
    );
    const contents = items
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line).data.content);
    expect(contents.slice(0, 2)).toEqual(["from zulip-send", "an uncommon pangolin"]);
    expect(contents).toContain("first, changed");
  });

  test("zulip-api sends, reacts, changes, shows a history and lists subscriptions", async () => {
    // It knows no other place for its file.
    writeFileSync(join(served.folder, "home/zuliprc"), readFileSync(zuliprc), { mode: 0o600 });
    const ask = async (...args: string[]) => {
      const answer = await said("zulip-api", ...args);
      expect(answer).toContain("'result': 'success'");
      return answer;
    };
    const sent = await ask("send-message", "-s", "general", "-S", "api", "-m", "hello");
    const id = sent.match(/'id': (\d+)/)?.[1] ?? "";
    await ask("add-reaction", id, "octopus");
    await ask("remove-reaction", id, "octopus");
    await ask("update-message", id, "-m", "hello again");
    expect(await ask("get-message-history", id)).toContain("'prev_content': 'hello'");
    expect(await ask("get-subscriptions")).toContain("'name': 'general'");
    await ask("mark-all-as-read");
  });
});
