import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { flagNames, flagOf } from "../../cli/flags";
import { escapeJson, formatTable, printable } from "../../cli/output";
import { chatd, freshFolder, organizationFile } from "./chatd";

describe("the command line", () => {
  test("answers --version and --help on stdout, with exit code 0", async () => {
    const [version, help, about] = await Promise.all([
      chatd(["--version"]),
      chatd(["--help"]),
      chatd(["admin", "user", "add", "--help"]),
    ]);
    expect([version.code, help.code, about.code]).toEqual([0, 0, 0]);
    expect(version.stdout).toMatch(/^chatd \d+\.\d+\.\d+\S* \(.*\)\n$/);
    expect(help.stdout).toContain("serve");
    expect(about.stdout).toContain("--role <role>");
    expect(help.stderr).toBe("");
  });

  test("serve --help shows the usual options by subject, --help-all every option", async () => {
    const [short, long] = await Promise.all([
      chatd(["serve", "--help"]),
      chatd(["serve", "--help-all"]),
    ]);
    expect([short.code, long.code, short.stderr, long.stderr]).toEqual([0, 0, "", ""]);
    const flags = flagNames.map((name) => `--${flagOf(name)} <`);
    expect(flags.filter((flag) => !long.stdout.includes(flag))).toEqual([]);
    const usual = flags.filter((flag) => short.stdout.includes(flag));
    expect(usual).toContain("--smtp-relay-host <");
    expect(usual).not.toContain("--queues-per-user-max <");
    expect(usual.length).toBeLessThan(20);
    expect(short.stdout).toMatch(/^Address and data:\n +--host [^-]*\n +--port /m);
    expect(short.stdout).toContain("--help-all");
    expect(
      ["access-log", "drain-seconds", "port", "url", "tls-key", "data", "file-store"].flatMap(
        (name) => new RegExp(`--${name} <[^>]*>`).exec(long.stdout) ?? [],
      ),
    ).toEqual([
      "--access-log <true|false>",
      "--drain-seconds <seconds>",
      "--port <port>",
      "--url <url>",
      "--tls-key <file>",
      "--data <folder>",
      "--file-store <local|s3>",
    ]);
  });

  test.each([
    [["serve", "--prot", "80"], "unknown option '--prot'"],
    [["serve", "--port", "99999"], "--port must be a whole number"],
    [["serve", "--log-level", "loud"], "--log-level must be one of"],
    [["serve", "--ephemeral", "--data", "x"], "leave out --data"],
    [["serve", "--credentials", "x"], "--credentials needs --apply"],
    [["admin", "user", "add", "eve@example.com", "--role", "member"], "--name <name>"],
    [
      ["admin", "user", "role", "eve@example.com", "boss"],
      "owner, administrator, moderator, member, guest",
    ],
    [["admin", "api-key", "revoke", "seven"], "'seven' is no ID"],
    [["admin", "topic", "delete", "general", "--yes"], "missing required argument 'topic'"],
    [["admin"], "Name a command"],
    [["amdin"], "unknown command 'amdin'"],
    [["config", "check"], "Try: chatd admin config --help"],
  ])("refuses %p with exit code 2 and says why on stderr", async (args, why) => {
    const { code, stdout, stderr } = await chatd(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(why);
  });

  test("tells programs of wrong usage and of refusals in JSON on stderr", async () => {
    const folder = join(freshFolder(), "data");
    const usage = await chatd(["admin", "user", "add", "--json"]);
    const refusal = await chatd(["admin", "user", "list", "--json", "--data", folder]);
    expect([usage.code, refusal.code]).toEqual([2, 1]);
    expect(JSON.parse(usage.stderr)).toMatchObject({ result: "error", code: "WRONG_USAGE" });
    expect(JSON.parse(refusal.stderr)).toMatchObject({ result: "error", code: "BAD_REQUEST" });
    expect(usage.stdout + refusal.stdout).toBe("");
  });

  test("makes no data folder where a name was mistyped", async () => {
    const folder = join(freshFolder(), "data");
    const commands = [
      ["user", "list"],
      ["realm", "list"],
      ["api-key", "list", "a@example.com"],
    ];
    for (const words of commands) {
      const { code, stderr } = await chatd(["admin", ...words, "--data", folder]);
      expect(code).toBe(1);
      expect(stderr).toContain(`There is no data in ${folder}`);
    }
    expect(existsSync(folder)).toBe(false);
  });

  test("makes no ./data in a wrong folder, whatever the command: only serve does", async () => {
    const cwd = freshFolder();
    const commands = [
      ["realm", "create", "--name", "Acme", "--host", "localhost"],
      ["apply", organizationFile],
      ["import", organizationFile, "--host", "localhost"],
      ["restore", organizationFile],
    ];
    const outcomes = await Promise.all(
      commands.map((words) => chatd(["admin", ...words], { cwd })),
    );
    for (const { code, stderr } of outcomes) {
      expect(code).toBe(1);
      expect(stderr).toContain(
        "There is no data in ./data yet. To make it there, add: --data ./data",
      );
      expect(stderr).not.toContain("chatd serve");
    }
    const listed = await chatd(["admin", "user", "list"], { cwd });
    expect(listed.stderr).toContain("There is no data in ./data. Choose its folder with --data");
    const env = { CHATD_DATABASE: "postgres://me@127.0.0.1:1/none" };
    const { stderr } = await chatd(["admin", "user", "list"], { cwd, env });
    expect(stderr).toContain("There is no data in ./data, not even the server's secret.");
    expect(readdirSync(cwd)).toEqual([]);
  });
});

describe("what is printed of stored texts", () => {
  test("F10: has neither control characters nor escape sequences", () => {
    expect(printable("\u001b[31mred\u001b[0m")).toBe("red");
    expect(printable("\u001b]0;title\u0007bell\u0007 \u009b2J\u007f")).not.toMatch(/\p{Cc}/u);
    expect(printable("line\r\nnext\u2028last")).toBe("linenextlast");
    expect(printable("evil\u202egnp.exe")).toBe("evilgnp.exe");
    expect(printable("Zoë 😀 日本")).toBe("Zoë 😀 日本");
  });

  test("F10: is escaped in JSON, so that programs get it as it is", () => {
    const name = "a\u001b[2J\u009b\u007f\u202eb";
    const line = escapeJson(JSON.stringify({ name }));
    expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(JSON.parse(line)).toEqual({ name });
  });

  test("stands in columns, whatever its width", () => {
    expect(
      formatTable(
        ["A", "B"],
        [
          ["日本", "x"],
          ["a", "y"],
        ],
      ),
    ).toEqual(["A     B", "日本  x", "a     y"]);
  });
});
