import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open as openFile, upload } from "../support/files";
import { type S3Server, startS3Server } from "../support/servers/s3-server";
import { chatd, clientOf, freshFolder, mustChatd, places, serve } from "./chatd";

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
}, 200_000);
afterAll(() => s3.stop());

/** Environment that configures the store, as an operator has it. */
const environment = (store: "s3" | "local") =>
  Object.fromEntries(
    Object.entries({ ...s3.flags, file_store: store }).map(([name, value]) => [
      `CHATD_${name.toUpperCase()}`,
      value,
    ]),
  );

describe.each(places)("chatd admin files move on $engine", ({ fresh, provisioned }) => {
  test("moves files between the data folder and an S3 store while the server goes on", async () => {
    const { place, credentials } = await provisioned();
    const before = await serve(place);
    const urls: string[] = [];
    for (const name of ["one.txt", "two.txt"]) {
      urls.push(await upload(clientOf(before.site, credentials, "alice"), name, `this is ${name}`));
    }
    await before.stop();
    const contents = async (site: string) => {
      const alice = clientOf(site, credentials, "alice");
      return Promise.all(urls.map(async (url) => (await openFile(alice, url)).text()));
    };
    for (const store of ["s3", "local"] as const) {
      const env = environment(store);
      const server = await serve(place, { env });
      const alice = clientOf(server.site, credentials, "alice");
      urls.push(await upload(alice, `${store}.txt`, `this is ${store}.txt`));
      const expected = urls.map((url) => `this is ${url.split("/").at(-1)}`);
      expect(await contents(server.site)).toEqual(expected);
      const moved = await mustChatd(["admin", "files", "move", "--to", store, "--json", ...place], {
        env,
      });
      expect(moved.json()).toMatchObject({
        result: "success",
        to: store,
        moved: store === "s3" ? 2 : 3,
      });
      expect(await contents(server.site)).toEqual(expected);
      expect((await s3.keys()).length).toBe(store === "s3" ? 3 : 0);
      const again = await mustChatd(["admin", "files", "move", "--to", store, "--json", ...place], {
        env,
      });
      expect(again.json()).toMatchObject({ moved: 0, bytes: 0 });
      if (store === "s3") {
        await backUpAndRestore(place, fresh, env, contents);
        await backUpWithoutStore(place);
      }
      await server.stop();
    }
  }, 120_000);

  /**
   * Files of a store are in the backup, and come back into a data folder: the command says how to
   * move them to the store from there.
   */
  async function backUpAndRestore(
    place: string[],
    freshPlace: typeof fresh,
    env: Record<string, string>,
    contents: (site: string) => Promise<string[]>,
  ) {
    const backup = join(freshFolder(), "backup.tar");
    const made = await mustChatd(["admin", "backup", backup, "--json", ...place], { env });
    expect(made.json().files).toBe(3);
    const elsewhere = await freshPlace();
    const without = await mustChatd(["admin", "restore", backup, ...elsewhere]);
    expect(without.stdout).not.toContain("files move");
    const again = ["admin", "restore", backup, "--force", ...elsewhere];
    const { stdout } = await mustChatd(again, { env });
    const data = elsewhere[elsewhere.indexOf("--data") + 1];
    expect(stdout).toContain(
      `The files are in ${data}, not in S3. Move them there: chatd admin files move --to s3\n`,
    );
    const there = await serve(elsewhere);
    expect(await contents(there.site)).toEqual([
      "this is one.txt",
      "this is two.txt",
      "this is s3.txt",
    ]);
    await there.stop();
  }

  /** A command that lacks the variables of the server finds no file, says so, and answers 1. */
  async function backUpWithoutStore(place: string[]) {
    const backup = join(freshFolder(), "backup.tar");
    const made = await chatd(["admin", "backup", backup, "--json", ...place]);
    expect([made.code, made.stderr]).toEqual([
      1,
      expect.stringContaining("3 files were not found and are missing in the backup"),
    ]);
    expect(made.json()).toMatchObject({ file: backup, files: 0, files_missing: 3 });
    expect(existsSync(backup)).toBe(true);
  }
});

test("a backup tells why the store does not give its files, and leaves nothing behind", async () => {
  const [place, folder] = [["--data", join(freshFolder(), "data")], freshFolder()];
  await mustChatd(["admin", "realm", "create", "--name", "X", "--host", "x.example.com", ...place]);
  const env = { ...environment("s3"), CHATD_S3_SECRET_ACCESS_KEY: "of-another-store" };
  const refused = await chatd(["admin", "backup", join(folder, "backup.tar"), ...place], { env });
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/SignatureDoesNotMatch[\s\S]*Files cannot be stored or read/),
  ]);
  expect(readdirSync(folder)).toEqual([]);
});

test("chatd admin files move refuses what would move files where nobody looks", async () => {
  const place = ["--data", join(freshFolder(), "data")];
  await mustChatd(["admin", "realm", "create", "--name", "X", "--host", "x.example.com", ...place]);
  const none = await chatd(["admin", "files", "move", "--to", "s3", ...place]);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("names no S3 store")]);
  const other = await chatd(["admin", "files", "move", "--to", "s3", ...place], {
    env: environment("local"),
  });
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('file_store = "s3"')]);
  const argument = await chatd([
    "admin",
    "files",
    "move",
    "--to",
    "s3",
    "--s3-secret-access-key",
    "x",
    ...place,
  ]);
  expect(argument.stderr).toContain("unknown option");
  const file = join(freshFolder(), "chatd.toml");
  writeFileSync(file, 's3_bucket = "files"\nfile_store = "s3"\n');
  const half = await chatd(["admin", "files", "move", "--to", "s3", "--config", file, ...place]);
  expect(half.stderr).toContain("lacks s3_endpoint, s3_access_key_id, s3_secret_access_key");
}, 60_000);
