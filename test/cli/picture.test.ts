import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { staticPng } from "../support/pictures";
import { chatd, freshFolder, mustChatd, places, sqlite } from "./chatd";

/** Path of a new file with a picture. */
function pictureFile(): string {
  const file = join(freshFolder(), "picture.png");
  writeFileSync(file, staticPng);
  return file;
}

describe.each(places)("chatd admin, pictures on $engine", ({ provisioned }) => {
  async function provision() {
    const { place } = await provisioned();
    const file = pictureFile();
    const admin = async (...args: string[]) =>
      (await mustChatd(["admin", ...args, "--json", ...place])).json();
    return { place, file, admin };
  }

  test("gives people and the organization pictures, and takes them away", async () => {
    const { place, file, admin } = await provision();
    const uploaded = { avatar_source: "U", avatar_version: 2 };
    expect((await admin("user", "avatar", "alice@example.com", file)).user).toMatchObject(uploaded);
    const removed = await mustChatd([
      "admin",
      "user",
      "avatar",
      "alice@example.com",
      "--remove",
      ...place,
    ]);
    expect(removed.stdout).toBe("alice@example.com has no picture of their own.\n");
    expect(await admin("realm", "icon", file)).toMatchObject({ picture: "icon", is_own: true });
    expect(await admin("realm", "logo", file)).toMatchObject({ picture: "logo", is_own: true });
    expect(await admin("realm", "logo", "--night", file)).toMatchObject({
      picture: "night_logo",
      is_own: true,
    });
    expect(await admin("realm", "icon", "--remove")).toMatchObject({
      picture: "icon",
      is_own: false,
    });
  });
});

test("the commands about pictures say what is wrong", async () => {
  const { place } = await sqlite.provisioned();
  const file = pictureFile();
  const text = join(freshFolder(), "note.txt");
  writeFileSync(text, "no picture");
  const refused = await chatd(["admin", "realm", "icon", text, ...place]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("no picture")]);
  const missing = await chatd([
    "admin",
    "realm",
    "icon",
    join(freshFolder(), "none.png"),
    ...place,
  ]);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("cannot be read")]);
  for (const args of [[], [file, "--remove"]]) {
    expect((await chatd(["admin", "realm", "logo", ...args, ...place])).code).toBe(2);
  }
});
