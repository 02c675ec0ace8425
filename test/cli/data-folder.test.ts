import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { requireTool } from "../support/processes/tools";
import { signedByItself } from "../support/servers/certificates";
import { chatd, freshFolder, mustChatd, organizationFile, serve, waitFor } from "./chatd";

/** Paths below a folder that others have rights on, the folder itself included. */
function openPaths(folder: string): string[] {
  const paths = [
    folder,
    ...readdirSync(folder, { recursive: true }).map((one) => `${folder}/${one}`),
  ];
  return paths.filter((path) => (statSync(path).mode & 0o077) !== 0);
}

const eventsOf = (log: string, event: string) =>
  log
    .split("\n")
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line));

describe("the data folder", () => {
  test("that the doctor does not find is named, because its name may be mistyped", async () => {
    const data = join(freshFolder(), "mistyped");
    const { code, stdout, stderr } = await chatd(["admin", "doctor", "--offline", "--data", data]);
    expect([code, stdout]).toEqual([0, "Nothing was found.\n"]);
    expect(stderr).toContain(`There is no data in ${data} yet, so the doctor checked none.`);
  });

  test("is its owner's alone: what others had rights on is mended at the next start, and told", async () => {
    const data = join(freshFolder(), "data");
    const first = await serve(["--data", data], { umask: "000" });
    expect(openPaths(data)).toEqual([]);
    expect(await first.stop()).toBe(0);
    const deep = join(data, "files", "1", "ab");
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, "upload"), "private");
    for (const path of [data, join(data, "secret"), join(data, "chatd.db"), deep])
      chmodSync(path, 0o777);
    chmodSync(join(deep, "upload"), 0o644);
    const second = await serve(["--data", data]);
    const isClosed = () => openPaths(data).length === 0 || undefined;
    expect(await waitFor(isClosed, 10_000)).toBe(true);
    expect(await second.stop()).toBe(0);
    const [told, deeper] = eventsOf(second.stderr(), "data_closed_to_others");
    expect(told).toMatchObject({ count: 4, examples: expect.arrayContaining([data]) });
    expect(deeper).toMatchObject({
      examples: expect.arrayContaining([deep, join(deep, "upload")]),
    });
    const third = await serve(["--data", data]);
    expect(await third.stop()).toBe(0);
    expect(third.stderr()).not.toContain("data_closed_to_others");
  });

  test("that holds other things too keeps its rights, and only chatd's own are taken", async () => {
    const data = freshFolder();
    writeFileSync(join(data, "website.html"), "public");
    chmodSync(join(data, "website.html"), 0o644);
    chmodSync(data, 0o755);
    const server = await serve(["--data", data], { umask: "000" });
    expect(await server.stop()).toBe(0);
    expect(openPaths(data)).toEqual([data, join(data, "website.html")]);
    expect(eventsOf(server.stderr(), "data_open_to_others")).toMatchObject([
      { examples: [data], what_to_do: expect.stringContaining("a folder of its own with --data") },
    ]);
  });
});

/** Runs a command as on a file system without hard links, such as FAT and many shared folders. */
const withoutHardLinks =
  "strace -f -qq -o /dev/null --trace=link,linkat --inject=link,linkat:error=EPERM".split(" ");

test.skipIf(!requireTool("strace"))(
  "a data folder on a file system without hard links gets its secret and its database",
  async () => {
    const data = join(freshFolder(), "data");
    const flags = ["--host", "localhost", "--data", data];
    const through = withoutHardLinks;
    await mustChatd(["admin", "realm", "create", "--name", "Acme", ...flags], { through });
    expect(readFileSync(join(data, "secret"), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
    expect(statSync(join(data, "secret")).mode & 0o777).toBe(0o600);
    const names = readdirSync(data).filter((name) => !/^chatd\.db(?:-wal|-shm)?$/.test(name));
    expect(names).toEqual(["secret"]);
    await mustChatd(["admin", "check", "--data", data]);
  },
);

test.skipIf(!requireTool("strace"))(
  "backups are made and restored on a file system that cannot sync folders, such as many shared ones",
  async () => {
    const [data, out] = [join(freshFolder(), "data"), freshFolder()];
    const through =
      `strace -f -qq -o /dev/null --trace=fsync -P ${data} -P ${out} --inject=fsync:error=EINVAL`.split(
        " ",
      );
    const place = ["--data", data];
    const realm = ["--name", "Acme", "--host", "localhost"];
    await mustChatd(["admin", "realm", "create", ...realm, ...place], { through });
    const backup = join(out, "chatd.tar");
    await mustChatd(["admin", "backup", backup, ...place], { through });
    await mustChatd(["admin", "restore", backup, "--force", ...place], { through });
    await mustChatd(["admin", "check", ...place]);
  },
);

const madeOnFailingDisk = [
  ["the secret", {}],
  ["the database", { CHATD_SECRET: "0123456789abcdef".repeat(4) }],
] as const;

test.skipIf(!requireTool("strace")).each(madeOnFailingDisk)(
  "a disk that fails when %s gets its name is reported",
  async (_, env) => {
    const data = join(freshFolder(), "data");
    const through =
      `strace -f -qq -o /dev/null --trace=fsync -P ${data} --inject=fsync:error=EIO:when=1`.split(
        " ",
      );
    const realm = ["--name", "Acme", "--host", "localhost", "--data", data];
    const { code, stderr } = await chatd(["admin", "realm", "create", ...realm], { through, env });
    expect(code).toBe(1);
    expect(stderr).toContain("EIO");
  },
);

test("a database file that is empty, as after a copy that failed, is refused instead of begun anew", async () => {
  const data = join(freshFolder(), "data");
  const server = await serve(["--data", data]);
  const backup = join(freshFolder(), "chatd.tar");
  await mustChatd(["admin", "backup", backup, "--data", data]);
  expect(await server.stop()).toBe(0);
  truncateSync(join(data, "chatd.db"));
  const start = ["serve", "--host", "127.0.0.1", "--port", "0"];
  for (const command of [start, ["admin", "check"]]) {
    const { code, stderr } = await chatd([...command, "--data", data]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `${join(data, "chatd.db")} is empty, as after a copy that failed: restore a backup, or remove the file to begin anew.`,
    );
  }
  await mustChatd(["admin", "restore", backup, "--force", "--data", data]);
  const restored = await serve(["--data", data]);
  expect(await restored.stop()).toBe(0);
});

test("a database whose secret is missing is refused with what to do, and gets no other secret", async () => {
  const data = join(freshFolder(), "data");
  const [secret, aside] = [join(data, "secret"), join(freshFolder(), "secret")];
  const flags = ["--host", "localhost", "--data", data];
  await mustChatd(["admin", "realm", "create", "--name", "Acme", ...flags]);
  renameSync(secret, aside);
  for (const words of [
    ["admin", "user", "list"],
    ["admin", "config", "check"],
    ["serve", "--port", "0"],
  ]) {
    const { code, stderr } = await chatd([...words, "--data", data]);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(`${secret} is missing, and ${join(data, "chatd.db")} can be used`);
    expect(readdirSync(data)).not.toContain("secret");
  }
  const env = { CHATD_SECRET: readFileSync(aside, "utf8").trim() };
  await mustChatd(["admin", "user", "list", "--data", data], { env });
  renameSync(aside, secret);
  await mustChatd(["admin", "user", "list", "--data", data]);
});

const isRoot = process.getuid?.() === 0;
const account = 4_711;

describe.skipIf(!isRoot)("data of another account", () => {
  /** A data folder of an account that is not root's. */
  async function dataOfAccount() {
    const folder = freshFolder();
    chmodSync(folder, 0o755);
    const data = join(folder, "data");
    const args = ["--name", "Acme", "--host", "localhost", "--data", data];
    await mustChatd(["admin", "realm", "create", ...args]);
    for (const path of [data, ...readdirSync(data).map((name) => join(data, name))])
      chownSync(path, account, account);
    return data;
  }

  const ownersOf = (folder: string) =>
    new Set([
      statSync(folder).uid,
      ...readdirSync(folder, { recursive: true }).map((one) => statSync(`${folder}/${one}`).uid),
    ]);

  test("stays that account's when root runs a command: it works as that account", async () => {
    const data = await dataOfAccount();
    const picture = join(import.meta.dir, "../../docs/web/pictures/phone.jpg");
    await mustChatd(["admin", "realm", "icon", picture, "--data", data]);
    await mustChatd(["admin", "user", "list", "--data", data]);
    expect(readdirSync(data)).toContain("files");
    expect(ownersOf(data)).toEqual(new Set([account]));
  });

  test("takes a secret from a file that root alone may read, when root runs a command", async () => {
    const data = await dataOfAccount();
    const secret = join(freshFolder(), "secret");
    copyFileSync(join(data, "secret"), secret);
    chmodSync(secret, 0o600);
    const env = { CHATD_SECRET_FILE: secret };
    const { code, stderr } = await chatd(["admin", "user", "list", "--data", data], { env });
    expect([code, stderr]).toEqual([0, ""]);
    expect(ownersOf(data)).toEqual(new Set([account]));
  });

  test("stays that account's when root starts the server: it works as that account, and says so", async () => {
    const data = await dataOfAccount();
    const server = await serve(["--data", data]);
    expect(await server.stop()).toBe(0);
    expect(ownersOf(data)).toEqual(new Set([account]));
    expect(eventsOf(server.stderr(), "works_as_owner")).toMatchObject([{ account, data }]);
  });

  test("is not for a server of root that speaks https, which could not change its certificate later", async () => {
    const data = await dataOfAccount();
    const { certificate, key } = signedByItself("one", ["localhost"]);
    const pair = ["--tls-certificate", certificate, "--tls-key", key];
    const { code, stderr } = await chatd(["serve", "--port", "0", "--data", data, ...pair]);
    expect(code).toBe(1);
    expect(stderr).toContain(`The data in ${data} belongs to the account '#${account}'`);
    expect(stderr).toContain(`Run: sudo -u '#${account}' chatd serve --port 0 `);
  });

  test("has no keys issued when the file for them cannot be written by that account", async () => {
    const data = await dataOfAccount();
    const folder = freshFolder();
    chmodSync(folder, 0o700);
    const credentials = join(folder, "credentials.json");
    const call = ["admin", "apply", organizationFile, "--data", data];
    const { code, stderr } = await chatd([...call, "--credentials", credentials]);
    expect([code, readdirSync(folder)]).toEqual([1, []]);
    expect(stderr).toContain(`${credentials} cannot be written: the account that chatd works as`);
    expect(
      (await mustChatd(["admin", "user", "list", "--json", "--data", data])).stdout,
    ).not.toContain("alice@example.com");
  });

  test("is refused to other accounts, with the command to type", async () => {
    const data = await dataOfAccount();
    const through = ["setpriv", "--reuid", "4712", "--regid", "4712", "--clear-groups"];
    const before = readFileSync(join(data, "chatd.db"));
    for (const words of [
      ["user", "list"],
      ["realm", "update", "description=It's new"],
    ]) {
      const { code, stderr } = await chatd(["admin", ...words, "--data", data], { through });
      expect(code).toBe(1);
      expect(stderr).toContain(`The data in ${data} belongs to the account '#4711'`);
      expect(stderr).toContain("Run: sudo -u '#4711' chatd admin ");
      expect(stderr).not.toContain("EACCES");
    }
    expect(readFileSync(join(data, "chatd.db"))).toEqual(before);
  });
});

describe.skipIf(!isRoot)("files that an account has no right to", () => {
  const through = ["setpriv", "--reuid", "4712", "--regid", "4712", "--clear-groups"];

  test("are named with what to do, never with a code of the system", async () => {
    const folder = freshFolder();
    chmodSync(folder, 0o755);
    const data = join(folder, "data");
    mkdirSync(data);
    chownSync(data, 4_712, 4_712);
    const closed = join(folder, "closed");
    writeFileSync(closed, "private", { mode: 0o600 });
    const made = ["--name", "Acme", "--host", "localhost"];
    await mustChatd(["admin", "realm", "create", ...made, "--data", data], { through });
    const outside = join(folder, "new");
    const calls: [string[], string][] = [
      [["apply", closed], `${closed} cannot be read: the account that chatd works as`],
      [["import", closed, "--host", "x.example.com"], `${closed} cannot be read: the account`],
      [["restore", closed, "--force"], `${closed} cannot be read: the account`],
      [["export", outside], `${outside} cannot be written: the account`],
      [["backup", outside], `${outside} cannot be written: the account`],
      [["backup", `${folder}/none/x`], `the folder ${folder}/none does not exist. Make it first`],
      [["realm", "icon", folder], `${folder} is not a regular file`],
      [["realm", "list", "--config", closed], "may not be read by the account that runs"],
    ];
    const outcomes = await Promise.all(
      calls.map(([args]) => chatd(["admin", ...args, "--data", data], { through })),
    );
    for (const [index, [args, why]] of calls.entries()) {
      const { code, stderr } = outcomes[index] ?? { code: 0, stderr: "" };
      expect({ args, isRefused: code > 0, stderr }).toEqual({
        args,
        isRefused: true,
        stderr: expect.stringContaining(why),
      });
      expect(stderr).not.toMatch(/\bE[A-Z]{4,}\b/);
    }
  });
});
