import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { staticPng } from "../support/pictures";
import { chatd, freshFolder, mustChatd, places, serve, sqlite } from "./chatd";

describe.each(places)("admin realm dump on $engine", ({ fresh, provisioned }) => {
  test("writes a file that makes the organization anew on another server", async () => {
    const [{ place }, other, folder] = [await provisioned(), await fresh(), freshFolder()];
    const icon = join(folder, "icon.png");
    writeFileSync(icon, staticPng);
    await mustChatd(["admin", "realm", "icon", icon, ...place]);
    const [first, second] = [join(folder, "acme.yaml"), join(folder, "second.yaml")];
    const { stdout } = await mustChatd(["admin", "realm", "dump", first, ...place]);
    expect(stdout).toBe(`Wrote ${first}, with 1 pictures next to it.\n`);
    expect(statSync(first).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, "acme-pictures"))).toEqual(["icon.png"]);
    await mustChatd(["admin", "apply", first, ...other]);
    const same = await mustChatd(["admin", "apply", first, "--diff", ...place]);
    expect(same.stdout).toBe("Nothing to change.\n");
    await mustChatd(["admin", "realm", "dump", second, ...other]);
    const renamed = readFileSync(first, "utf8").replace("acme-pictures", "second-pictures");
    expect(readFileSync(second, "utf8")).toBe(renamed);
  });
});

describe.each(places)("admin apply --prune on $engine", ({ provisioned }) => {
  test("asks a script for --yes, and then ends what is not in the file", async () => {
    const [{ place }, path] = [await provisioned(), join(freshFolder(), "acme.yaml")];
    writeFileSync(
      path,
      "realm: {name: Acme, host: localhost}\nusers: [{email: olga@example.com, name: Olga, role: owner}]\n",
    );
    const refused = await chatd(["admin", "apply", path, "--prune", ...place]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("See what would happen with --diff, then do it with --yes."),
    ]);
    const diff = await chatd(["admin", "apply", path, "--diff", ...place]);
    expect([diff.code, diff.stdout]).toEqual([
      3,
      expect.stringMatching(/\? users not declared: .*alice@example\.com/),
    ]);
    const pruned = await mustChatd(["admin", "apply", path, "--prune", "--yes", ...place]);
    expect(pruned.stdout).toContain("- user alice@example.com: not declared, deactivated\n");
    const left = await chatd(["admin", "apply", path, "--prune", "--diff", ...place]);
    expect([left.code, left.stdout]).toEqual([0, expect.stringMatching(/^Nothing to change\.\n/)]);
    expect(left.stdout).not.toContain("users not declared");
  });
});

describe.each(places)("admin apply --login-links on $engine", ({ fresh }) => {
  test("lets everybody in who is declared without a password, and has yet to come", async () => {
    const [place, folder] = [await fresh(), freshFolder()];
    const [file, links] = [join(folder, "acme.yaml"), join(folder, "links.json")];
    writeFileSync(
      file,
      `realm: {name: Acme, host: localhost}
users:
  - {email: olga@example.com, name: Olga, role: owner, password: correct-horse-battery}
  - {email: alice@example.com, name: Alice}
  - {email: bob@example.com, name: Bob}
`,
    );
    const { stderr } = await mustChatd(["admin", "apply", file, "--login-links", links, ...place]);
    expect(stderr).toContain("Wrote 2 login links.");
    expect(statSync(links).mode & 0o777).toBe(0o600);
    const { people } = JSON.parse(readFileSync(links, "utf8"));
    expect(people).toMatchObject([{ email: "alice@example.com" }, { email: "bob@example.com" }]);
    const server = await serve(place);
    const { pathname, search } = new URL(people[0].url);
    const opened = await fetch(`${server.site}${pathname}${search}`, {
      headers: { host: "localhost" },
    });
    expect(opened.status).toBe(200);
  });
});

test("admin realm dump leaves no file without its pictures", async () => {
  const [{ place }, folder] = [await sqlite.provisioned(), freshFolder()];
  const icon = join(folder, "icon.png");
  writeFileSync(icon, staticPng);
  await mustChatd(["admin", "realm", "icon", icon, ...place]);
  writeFileSync(join(folder, "acme-pictures"), "mine");
  const refused = await chatd(["admin", "realm", "dump", join(folder, "acme.yaml"), ...place]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("acme-pictures");
  expect(readdirSync(folder).sort()).toEqual(["acme-pictures", "icon.png"]);
});

test("admin realm dump replaces no file, and without one prints the text", async () => {
  const [{ place }, folder] = [await sqlite.provisioned(), freshFolder()];
  const path = join(folder, "acme.yaml");
  writeFileSync(path, "mine");
  const refused = await chatd(["admin", "realm", "dump", path, ...place]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`${path} cannot be written`);
  expect(readFileSync(path, "utf8")).toBe("mine");
  for (const none of [[], ["-"]]) {
    const words = ["admin", "realm", "dump", ...none, ...place];
    const printed = await mustChatd(words, { cwd: folder });
    expect(printed.stdout).toContain("\n  - { email: olga@example.com, name: ");
  }
  expect(readdirSync(folder)).toEqual(["acme.yaml"]);
});
