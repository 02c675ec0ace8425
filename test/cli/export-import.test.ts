import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeReferenceExport } from "../support/archives/reference-export";
import { writeSlackExport } from "../support/archives/slack-export";
import { chatd, clientOf, command, freshFolder, mustChatd, places, serve } from "./chatd";

describe.each(places)("chatd admin export and import on $engine", ({ provisioned }) => {
  test("move an organization to another server, while both go on", async () => {
    const { place, credentials } = await provisioned();
    const [{ place: other }, file] = [await provisioned(), join(freshFolder(), "acme.tar")];
    const server = await serve(place);
    const alice = clientOf(server.site, credentials, "alice");
    await alice.post("/messages", {
      type: "channel",
      to: "general",
      topic: "hello",
      content: "**soup**",
    });
    const exported = await mustChatd(["admin", "export", file, ...place]);
    expect(exported.stdout).toMatch(
      /^Exported the organization at \S+: \d+ messages, \d+ files\.\n/,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await chatd(["admin", "export", file, ...place])).stderr).toContain("already exists");

    const there = ["--host", "copy.example.org", "--name", "Copy"];
    const running = await serve(other);
    const dry = await mustChatd([
      "admin",
      "import",
      file,
      "--dry-run",
      "--json",
      ...there,
      ...other,
    ]);
    expect(dry.json()).toMatchObject({
      result: "success",
      is_dry_run: true,
      realm: null,
      skipped: {},
    });
    const imported = await mustChatd(["admin", "import", file, ...there, ...other]);
    expect(imported.stdout).toContain("Imported the organization at copy.example.org.");
    const again = await mustChatd(["admin", "import", file, ...there, ...other]);
    expect(again.stdout).toContain("has already been imported completely");
    const realm = ["--realm", "copy.example.org"];
    const acts = ["admin", "audit", "list", "--type", "realm.import", "--json"];
    expect((await mustChatd([...acts, ...realm, ...other])).json().audit_log).toMatchObject([
      { actor: { kind: "operator" }, after: { from: "localhost", messages: expect.any(Number) } },
    ]);
    const issued = await mustChatd([
      "admin",
      "api-key",
      "issue",
      alice.credentials?.email ?? "",
      ...realm,
      "--json",
      ...other,
    ]);
    const headers = {
      host: "copy.example.org",
      authorization: `Basic ${btoa(`${alice.credentials?.email}:${issued.json().api_key}`)}`,
    };
    const page = "anchor=newest&num_before=10&num_after=0&narrow=[]";
    const read = await fetch(`${running.site}/api/v1/messages?${page}`, { headers });
    expect(JSON.stringify(await read.json())).toContain("<strong>soup</strong>");
    await Promise.all([server.kill(), running.kill()]);
  }, 60_000);

  test("an import that is killed goes on where it was, beside a server where others write", async () => {
    const { place, credentials } = await provisioned();
    const file = join(freshFolder(), "acme.tar");
    const unlimited = ["--requests-per-minute-per-user", "0", "--requests-per-minute-per-key", "0"];
    const server = await serve([...place, ...unlimited]);
    const alice = clientOf(server.site, credentials, "alice");
    const say = (content: string) =>
      alice.post("/messages", { type: "channel", to: "general", topic: "x", content });
    for (let batch = 0; batch < 30; batch++)
      await Promise.all(Array.from({ length: 50 }, (_, i) => say(`${batch} ${i}`)));
    await mustChatd(["admin", "export", file, ...place]);
    const wanted = ["admin", "import", file, "--host", "copy.example.org", ...place];
    const listed = async () =>
      (await mustChatd(["admin", "realm", "list", "--json", ...place])).stdout;
    const killed = Bun.spawn([...command, ...wanted], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    let written = 0;
    for (let isBegun = false; !isBegun && killed.exitCode === null; written++) {
      expect((await say(`beside it ${written}`)).status).toBe(200);
      isBegun = (await listed()).includes("copy.example.org");
    }
    killed.kill("SIGKILL");
    await killed.exited;
    expect([killed.signalCode, killed.exitCode].some((end) => end === "SIGKILL" || end === 0)).toBe(
      true,
    );
    const done = await mustChatd([...wanted, "--json"]);
    const again = await mustChatd([...wanted, "--json"]);
    expect(again.json()).toMatchObject({ was_there: true, rows: done.json().rows });
    const there = ["--realm", "copy.example.org", ...place];
    const email = alice.credentials?.email ?? "";
    const issued = await mustChatd(["admin", "api-key", "issue", email, "--json", ...there]);
    const headers = {
      host: "copy.example.org",
      authorization: `Basic ${btoa(`${email}:${issued.json().api_key}`)}`,
    };
    const page = "anchor=oldest&num_before=0&num_after=5000&narrow=[]&apply_markdown=false";
    const read = await fetch(`${server.site}/api/v1/messages?${page}`, { headers });
    const { messages } = (await read.json()) as {
      messages: { content: string; subject: string }[];
    };
    const copied = messages.filter(({ subject }) => subject === "x").map(({ content }) => content);
    expect([copied.length, new Set(copied).size]).toEqual([1_500, 1_500]);
    await server.kill();
  }, 90_000);

  test("take in what others have exported, and note what is left out", async () => {
    const [{ place }, folder] = [await provisioned(), freshFolder()];
    const [slack, reference, notes] = ["slack.zip", "reference.tar.gz", "skipped.jsonl"].map(
      (name) => join(folder, name),
    );
    writeSlackExport(slack ?? "");
    writeReferenceExport(reference ?? "");
    const host = (name: string) => ["--host", `${name}.example.org`];
    const first = await mustChatd([
      "admin",
      "import",
      slack ?? "",
      "--from",
      "slack",
      ...host("slack"),
      "--skipped",
      notes ?? "",
      ...place,
    ]);
    expect(first.stdout).toContain("LEFT OUT");
    const lines = readFileSync(notes ?? "", "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual({ what: "messages", which: "general never", why: "have no time" });
    const second = await mustChatd([
      "admin",
      "import",
      reference ?? "",
      "--from",
      "zulip",
      ...host("there"),
      ...place,
    ]);
    expect(second.stdout).toContain("Imported the organization at there.example.org.");
    const listed = await mustChatd(["admin", "realm", "list", ...place]);
    expect(listed.stdout).toContain("There");
    const wrong = await chatd(["admin", "import", slack ?? "", ...host("wrong"), ...place]);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("--from slack")]);
    const other = await chatd([
      "admin",
      "import",
      slack ?? "",
      "--from",
      "zulip",
      ...host("wrong"),
      ...place,
    ]);
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("--from slack")]);
    const packed = await chatd(["admin", "import", reference ?? "", ...host("wrong"), ...place]);
    expect([packed.code, packed.stderr]).toEqual([1, expect.stringContaining("--from zulip")]);
    const none = await chatd(["admin", "import", folder, ...host("wrong"), ...place]);
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining("This file cannot be read"),
    ]);
  }, 60_000);
});

describe.each(places)("admin export --as on $engine", ({ fresh, provisioned }) => {
  test("writes a folder to read, and refuses options of other exports", async () => {
    const [{ place }, folder] = [await provisioned(), freshFolder()];
    const path = join(folder, "acme");
    const wrong = await chatd(["admin", "export", path, "--as", "html", "--public", ...place]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("With --as")]);
    const { stdout } = await mustChatd(["admin", "export", path, "--as", "html", ...place]);
    expect(stdout).toMatch(/^Exported the organization at localhost to be read: \d+ messages/);
    expect(readdirSync(path)).toContain("index.html");
    const again = await chatd(["admin", "export", path, "--as", "jsonl", ...place]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("already exists")]);
  });

  test("an export that is refused for its name is no act of the audit log", async () => {
    const [{ place }, folder] = [await provisioned(), freshFolder()];
    const taken = join(folder, "taken");
    writeFileSync(taken, "");
    const acts = ["admin", "audit", "list", "--type", "export.request", "--json", ...place];
    for (const form of [[], ["--as", "html"], ["--as", "zulip"], ["--as", "reference"]]) {
      const refused = await chatd(["admin", "export", taken, ...form, ...place]);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining("already exists"),
      ]);
    }
    expect((await mustChatd(acts)).json().audit_log).toEqual([]);
    await mustChatd(["admin", "export", join(folder, "acme.tar"), ...place]);
    expect((await mustChatd(acts)).json().audit_log).toHaveLength(1);
  });

  test("writes an archive for Zulip, which comes in elsewhere, and says what it lacks", async () => {
    const [{ place }, other, folder] = [await provisioned(), await fresh(), freshFolder()];
    const path = join(folder, "acme.tar.gz");
    const { stdout } = await mustChatd(["admin", "export", path, "--as", "zulip", ...place]);
    expect(stdout).toMatch(/^Exported the organization at localhost for Zulip 12\.0: \d+ messages/);
    expect(stdout).toContain("LEFT OUT");
    const there = ["--from", "reference", "--host", "copy.example.org"];
    const imported = await mustChatd(["admin", "import", path, ...there, ...other]);
    expect(imported.stdout).toContain("Imported the organization at copy.example.org.");
  });
});
