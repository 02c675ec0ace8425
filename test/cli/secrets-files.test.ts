import { expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { mayMount, withMounts } from "../support/processes/own-mounts";
import { chatd, freshFolder, mustChatd, organizationFile, readCredentials, sqlite } from "./chatd";

/* Files of API keys and of login links, which `chatd admin apply` and `chatd serve` write. */

test("replace nothing but an earlier file of secrets: a slip destroys no other file", async () => {
  const [folder, place] = [freshFolder(), await sqlite.fresh()];
  const [organization, notes] = [join(folder, "org.yaml"), join(folder, "notes")];
  copyFileSync(organizationFile, organization);
  writeFileSync(notes, "mine");
  symlinkSync("/dev/zero", join(folder, "device"));
  const apply = ["admin", "apply", organization, ...place];
  for (const name of ["org.yaml", "notes", "device"])
    for (const flag of ["--credentials", "--login-links"]) {
      const path = join(folder, name);
      const { code, stderr } = await chatd([...apply, flag, path]);
      expect([code, stderr.trim()]).toEqual([
        1,
        `chatd: ${path} already exists, and chatd has not written it, so it is not replaced. Choose another name.`,
      ]);
    }
  const both = ["--credentials", join(folder, "keys.json"), "--login-links", notes];
  expect((await chatd([...apply, ...both])).code).toBe(1);
  expect(readFileSync(organization)).toEqual(readFileSync(organizationFile));
  expect(readFileSync(notes, "utf8")).toBe("mine");
  expect(readdirSync(folder).sort()).toEqual(["device", "notes", "org.yaml"]);
});

test("replace an earlier file of secrets, and an empty one as of mktemp", async () => {
  const [place, path] = [await sqlite.fresh(), join(freshFolder(), "keys.json")];
  writeFileSync(path, "");
  for (let round = 0; round < 2; round++) {
    await mustChatd(["admin", "apply", organizationFile, "--credentials", path, ...place]);
    expect(readCredentials(path).users.length).toBeGreaterThan(10);
  }
});

test("are two files: one path for keys and links is refused", async () => {
  const [place, path] = [await sqlite.fresh(), join(freshFolder(), "secrets.json")];
  const files = ["--credentials", path, "--login-links", path];
  const { code, stderr } = await chatd(["admin", "apply", organizationFile, ...files, ...place]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("need a file each")]);
});

test.skipIf(!mayMount())(
  "are refused before anything changes on a disk without room for them",
  async () => {
    const [folder, small] = [freshFolder(), freshFolder()];
    const people = Array.from({ length: 60 }, (_, at) => `p${at}@example.com`);
    const users = people.map((email) => `  - {email: ${email}, name: P, role: owner}\n`).join("");
    const organization = join(folder, "org.yaml");
    writeFileSync(organization, `realm: {name: Acme, host: localhost}\nusers:\n${users}`);
    const credentials = ["--credentials", join(small, "keys.json")];
    const { code, stdout, stderr } = await chatd(
      ["admin", "apply", organization, ...credentials, "--data", join(folder, "data")],
      {
        through: [
          ...withMounts(`mount -t tmpfs -o size=4k none ${small}`),
          "sh",
          "-c",
          `"$@"; code=$?; ls ${small}; exit $code`,
          "sh",
        ],
      },
    );
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("keys.json cannot be written: its disk is full");
    expect(existsSync(join(folder, "data", "chatd.db"))).toBe(false);
  },
);
