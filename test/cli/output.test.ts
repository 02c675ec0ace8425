import { expect, test } from "bun:test";
import { chatd, mustChatd, sqlite } from "./chatd";

const onFullDisk = ["sh", "-c", 'exec "$@" >/dev/full', "sh"];
/** A pipe whose reader has ended, as that of `| head` after its lines. */
const unread = ["bash", "-c", 'exec 3> >(exec true); wait $!; exec "$@" >&3', "bash"];

const withData = [
  ["realm", "dump"],
  ["user", "list"],
  ["user", "list", "--json"],
  ["audit", "list"],
  ["audit", "export"],
  ["config", "print"],
  ["stats"],
].map((words) => ["admin", ...words]);
const withoutData = [["--version"], ["--help"], ["admin", "user", "--help"], ["man"]];
const others = [...withoutData, ["completion", "bash"]];

test("a command whose output is lost fails, and says in one line why", async () => {
  const { place } = await sqlite.provisioned();
  for (const words of [...withData.map((each) => [...each, ...place]), ...others]) {
    const { code, stderr } = await chatd(words, { through: onFullDisk });
    expect(code, words.join(" ")).toBe(1);
    expect(stderr.trim().split("\n"), words.join(" ")).toEqual([
      expect.stringContaining("The output cannot be written: its disk is full."),
    ]);
  }
});

test("a command whose reader has ended ends without a word, as Unix tools do", async () => {
  const { place } = await sqlite.provisioned();
  for (const words of [...withData.map((each) => [...each, ...place]), ...others]) {
    const { code, stderr } = await chatd(words, { through: unread });
    expect({ code, stderr }, words.join(" ")).toEqual({ code: 141, stderr: "" });
  }
});

test("a change whose report is lost is made, and the error says so", async () => {
  const { place } = await sqlite.provisioned();
  const add = ["admin", "user", "add", "zoe@example.com", "--name", "Zoe", ...place];
  const { code, stderr } = await chatd([...add, "--role", "member"], { through: onFullDisk });
  expect(code).toBe(1);
  expect(stderr).toContain("If the command changes something, it has done so.");
  expect((await mustChatd(["admin", "user", "list", ...place])).stdout).toContain("zoe@example");
});

test("a backup that nobody reads to its end fails, and says that it is not whole", async () => {
  const { place } = await sqlite.provisioned();
  const { code, stderr } = await chatd(["admin", "backup", "-", ...place], { through: unread });
  expect(code).toBe(1);
  expect(stderr.trim()).toBe(
    "chatd: The program that reads the backup has ended before it had all of it. What was written is no whole backup: remove it.",
  );
  const full = await chatd(["admin", "backup", "-", ...place], { through: onFullDisk });
  expect(full.code).toBe(1);
  expect(full.stderr).toStartWith("chatd: The backup cannot be written: its disk is full.");
});

test("the whole output arrives in a pipe that is read slowly", async () => {
  const { stdout } = await mustChatd(["completion", "bash"], {
    through: ["bash", "-c", '"$@" | { read -r first; echo "$first"; cat; }', "bash"],
  });
  expect(stdout).toBe((await mustChatd(["completion", "bash"])).stdout);
});
