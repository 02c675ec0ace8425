import { describe, expect, test } from "bun:test";
import { atTerminal } from "./at-terminal";
import { chatd, mustChatd, places, sqlite } from "./chatd";

const email = "alice@example.com";

describe.each(places)("what is hard to take back, on $engine", ({ provisioned }) => {
  const provision = async () => {
    const { place } = await provisioned();
    const people = () => mustChatd(["admin", "user", "list", "--json", ...place]);
    return { place, people: async () => (await people()).stdout };
  };

  test("is refused to a script without --yes, counted with --dry-run, and done with --yes", async () => {
    const { place, people } = await provision();
    const before = await people();
    const call = ["admin", "realm", "deactivate", ...place];
    const unsure = await chatd(call, { stdin: "localhost\n" });
    expect([unsure.code, unsure.stdout]).toEqual([2, ""]);
    expect(unsure.stderr).toContain("See what would happen with --dry-run, then do it with --yes.");
    const dry = await mustChatd([...call, "--dry-run", "--yes"]);
    expect(dry.stdout).toStartWith("This would deactivate the organization Acme (localhost).\n");
    expect(dry.stdout).toMatch(/^ {2}\d+ people cannot use it any more$/m);
    expect(dry.stdout).toEndWith("Nothing was changed.\n");
    const { is_dry_run, messages, files } = (
      await mustChatd([...call, "--dry-run", "--json"])
    ).json();
    expect([is_dry_run, messages, files]).toEqual([true, expect.any(Number), 0]);
    expect(await people()).toBe(before);
    const done = await mustChatd([...call, "--yes"]);
    expect(done.stdout).toStartWith("Deactivated Acme (localhost).");
    const again = await chatd([...call, "--dry-run"]);
    expect([again.code, again.stderr]).toEqual([1, "chatd: Acme is already deactivated.\n"]);
  });
});

describe.each(places)("what is there already, on $engine", ({ provisioned }) => {
  test("is named by add and create, which change nothing and exit with 0 by --if-missing", async () => {
    const { place } = await provisioned();
    const calls: [string[], RegExp][] = [
      [
        ["realm", "create", "--name", "New", "--host", "LOCALHOST"],
        /an organization at localhost already: Acme \(active\)/,
      ],
      [
        ["user", "add", "Alice@Example.com", "--name", "A", "--role", "guest"],
        /alice@example\.com already exists: Alice \(ID \d+, \w+\)/,
      ],
      [["channel", "create", "General"], /a channel general already \(ID \d+, public\)/],
      [["domain", "add", "Example.org"], /The domain example\.org already exists/],
      [["folder", "create", "PROJECTS"], /a channel folder Projects already \(ID \d+\)/],
      [["group", "create", "nights"], /a user group nights already \(ID \d+, 0 members\)/],
      [["linkifier", "add", "#(?P<id>[0-9]+)", "https://x.example/{id}"], /a linkifier for #/],
      [["playground", "add", "P", "Rust", "https://x.example/{code}"], /a playground P for Rust/],
      [["profile-field", "add", "short_text", "--name", "Team"], /a profile field Team already/],
      [
        ["bot", "add", "hal", "--name", "Hal", "--owner", email],
        /hal-bot@\S+ already exists: Hal \(ID \d+, of alice@example\.com\)/,
      ],
    ];
    const made = [
      ["domain", "add", "example.org"],
      ["folder", "create", "Projects"],
      ...calls.slice(5).map(([args]) => args),
    ];
    for (const args of made) await mustChatd(["admin", ...args, ...place]);
    const acts = () => mustChatd(["admin", "audit", "list", "--json", ...place]);
    const before = (await acts()).stdout;
    for (const [args, sentence] of calls) {
      const refused = await chatd(["admin", ...args, ...place]);
      expect([refused.code, refused.stdout]).toEqual([1, ""]);
      expect(refused.stderr).toMatch(sentence);
      const passed = await mustChatd(["admin", ...args, "--if-missing", ...place]);
      expect(passed.stdout + passed.stderr).toMatch(sentence);
    }
    expect((await acts()).stdout).toBe(before);
    const fresher = ["admin", "user", "add", "new@example.com", "--name", "N", "--role", "member"];
    const added = await mustChatd([...fresher, "--if-missing", "--json", ...place]);
    expect(added.json()).toMatchObject({ was_there: false, user: { email: "new@example.com" } });
    const members = ["admin", "group", "members", "add", "nights", email, ...place];
    await mustChatd(members);
    expect((await chatd(members)).code).toBe(1);
    await mustChatd([...members, "--if-missing"]);
  });
});

test("somebody is deactivated at a terminal when their name is typed, and not when another is", async () => {
  const { place } = await sqlite.provisioned();
  const people = async () =>
    (await mustChatd(["admin", "user", "list", "--json", ...place])).stdout;
  const call = ["admin", "user", "deactivate", email, ...place];
  const before = await people();
  const wrong = await atTerminal(call, { answers: [["to continue: ", "alice\n"]] });
  expect(wrong.code).toBe(1);
  expect(wrong.seen).toContain(`This will deactivate Alice (${email}).`);
  expect(wrong.seen).toContain("The name does not match. Nothing was changed.");
  const interrupted = await atTerminal(call, { answers: [["to continue: ", "\u0003"]] });
  expect(interrupted.code).toBe(130);
  expect(await people()).toBe(before);
  const right = await atTerminal(call, { answers: [["to continue: ", `${email}\n`]] });
  expect([right.code, right.seen]).toEqual([0, expect.stringContaining(`Deactivated ${email}.`)]);
});
