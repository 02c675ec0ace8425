import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { open as openFile, upload } from "../support/files";
import { chatd, clientOf, command, freshFolder, mustChatd, places, serve, sqlite } from "./chatd";

const folderOf = (place: string[]) => place[place.indexOf("--data") + 1] ?? "";

/** Files and folders that are not 0600 and 0700, with their modes. Sockets are no files. */
function openToOthers(folder: string): string[] {
  const paths = [
    folder,
    ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))),
  ];
  return paths.flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() && !stats?.isDirectory()) return [];
    const mode = stats.mode & 0o777;
    return mode === (stats.isDirectory() ? 0o700 : 0o600) ? [] : [`${mode.toString(8)} ${path}`];
  });
}

describe.each(places)(
  "chatd admin backup and restore on $engine",
  ({ engine, fresh, provisioned }) => {
    async function provision() {
      const [{ place, credentials }, folder] = [await provisioned(), freshFolder()];
      return { place, folder, backup: join(folder, "backup.tar"), credentials };
    }

    test("move a server with its people, messages and files, while it goes on", async () => {
      const { place, backup, credentials } = await provision();
      const server = await serve(place);
      const alice = clientOf(server.site, credentials, "alice");
      const queue = await alice.register();
      const url = await upload(alice, "note.txt", "what the file says");
      const message = {
        type: "channel",
        to: "general",
        topic: "hello",
        content: `**Hi**, see [note](${url})`,
      };
      const { id } = (await alice.post("/messages", message)).body;
      const answer = (await mustChatd(["admin", "backup", backup, "--json", ...place])).json();
      expect(answer).toMatchObject({ result: "success", file: backup, files: 1 });
      expect(statSync(backup).mode & 0o777).toBe(0o600);
      expect((await alice.post("/messages", message)).status).toBe(200);

      const elsewhere = await fresh();
      const restored = await mustChatd(["admin", "restore", backup, ...elsewhere]);
      expect(restored.stdout).toMatch(
        /^Restored \d+ rows and 1 files, as they were at \d{4}-\S+Z\.\n/,
      );
      const other = await serve(elsewhere);
      const there = clientOf(other.site, credentials, "alice");
      const { messages } = (
        await there.get("/messages", { anchor: "newest", num_before: 10, num_after: 0 })
      ).body;
      expect(
        messages.filter(({ subject }: { subject: string }) => subject === "hello"),
      ).toMatchObject([{ id }]);
      expect(await (await openFile(there, url)).text()).toBe("what the file says");
      const old = await there.get("/events", {
        queue_id: queue.id,
        last_event_id: -1,
        dont_block: true,
      });
      expect(old.body.code).toBe("BAD_EVENT_QUEUE_ID");
      await Promise.all([server.kill(), other.kill()]);
    });

    // Files beside the database are made alike on both engines, so PostgreSQL has one umask only.
    test.each(engine === "sqlite" ? ["000", "022", "177"] : ["000"])(
      "leave files to their owner alone under a umask of %s",
      async (umask) => {
        const { place, folder, backup, credentials } = await provision();
        const server = await serve(place, { umask });
        await upload(clientOf(server.site, credentials, "alice"), "note.txt", "what the file says");
        expect(openToOthers(folderOf(place))).toEqual([]);
        const archive = join(folder, "realm.tar");
        await mustChatd(["admin", "export", archive, ...place], { umask });
        await mustChatd(["admin", "backup", backup, ...place], { umask });
        const elsewhere = await fresh();
        mkdirSync(folderOf(elsewhere));
        chmodSync(folderOf(elsewhere), 0o777);
        await mustChatd(["admin", "restore", backup, ...elsewhere], { umask });
        expect(existsSync(join(folderOf(elsewhere), "files"))).toBe(true);
        expect(openToOthers(folderOf(elsewhere))).toEqual([]);
        const other = await serve(elsewhere, { umask });
        await mustChatd(["admin", "import", archive, "--host", "copy.example.org", ...elsewhere], {
          umask,
        });
        expect(openToOthers(folderOf(elsewhere))).toEqual([]);
        expect([archive, backup].filter((file) => (statSync(file).mode & 0o777) !== 0o600)).toEqual(
          [],
        );
        await Promise.all([server.stop(), other.stop()]);
      },
    );

    test("go through a pipe", async () => {
      const { place } = await provision();
      const [flags, other] = [await fresh(), place].map((one) => one.join(" "));
      const folder = freshFolder();
      const both = `admin backup - ${other} > ${folder}/piped && cat ${folder}/piped | chatd admin restore - ${flags}`;
      const script = join(folder, "both.sh");
      writeFileSync(script, `set -e\nchatd() { ${command.join(" ")} "$@"; }\nchatd ${both}\n`);
      const child = Bun.spawn(["sh", script], { stdout: "pipe", stderr: "pipe" });
      const [stdout, stderr] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      expect([await child.exited, stdout]).toEqual([0, expect.stringContaining("Restored")]);
      expect(stderr).toContain("Backed up");
    });

    test("replace nothing without a word, and put aside what is replaced", async () => {
      const { place, folder, backup } = await provision();
      await mustChatd(["admin", "backup", backup, ...place]);
      const taken = await chatd(["admin", "backup", backup, ...place]);
      expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining("already exists")]);
      await mustChatd([
        "admin",
        "user",
        "add",
        "late@example.com",
        "--name",
        "Late",
        "--role",
        "member",
        ...place,
      ]);
      const refused = await chatd(["admin", "restore", backup, ...place]);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("With --force")]);

      const server = await serve(place);
      const busy = await chatd(["admin", "restore", backup, "--force", ...place]);
      expect([busy.code, busy.stderr]).toEqual([1, expect.stringContaining("Stop it first")]);
      await server.stop();

      const { aside } = (
        await mustChatd(["admin", "restore", backup, "--force", "--json", ...place])
      ).json();
      expect(existsSync(join(aside, "secret"))).toBe(true);
      const { stdout } = await mustChatd(["admin", "user", "list", ...place]);
      expect(stdout).toContain("alice@example.com");
      expect(stdout).not.toContain("late@example.com");
      expect(readdirSync(folder).sort()).toEqual(["backup.tar"]);
    });

    test("say what is wrong, and leave nothing behind", async () => {
      const { place, folder, backup } = await provision();
      const empty = await fresh();
      const nowhere = await chatd([
        "admin",
        "backup",
        join(folder, "none", "backup.tar"),
        ...place,
      ]);
      expect([nowhere.code, nowhere.stderr]).toEqual([
        1,
        expect.stringContaining("cannot be written"),
      ]);
      const nothing = await chatd(["admin", "backup", backup, ...empty]);
      expect([nothing.code, nothing.stderr]).toEqual([
        1,
        expect.stringMatching(/There is no data/),
      ]);
      const missing = await chatd(["admin", "restore", backup, ...empty]);
      expect([missing.code, missing.stderr]).toEqual([
        1,
        expect.stringContaining("cannot be read"),
      ]);
      await mustChatd(["admin", "backup", backup, ...place]);
      writeFileSync(backup, readFileSync(backup).subarray(0, 5_000));
      const broken = await chatd(["admin", "restore", backup, ...empty]);
      expect([broken.code, broken.stderr]).toEqual([
        1,
        expect.stringContaining("This is no whole backup: it is cut off."),
      ]);
      expect(readdirSync(folder).sort()).toEqual(["backup.tar"]);
    });
  },
);

const [, ...others] = places;

test.each(others)("a backup moves a server from SQLite to $engine, and back", async (postgres) => {
  const [{ place: from, credentials }, folder] = [await sqlite.provisioned(), freshFolder()];
  const readIn = async (place: string[], content: string): Promise<string[]> => {
    const server = await serve(place);
    const alice = clientOf(server.site, credentials, "alice");
    const message = { type: "channel", to: "general", topic: "hello", content };
    expect((await alice.post("/messages", message)).status).toBe(200);
    const narrow = [{ operator: "search", operand: "word" }];
    const found = await alice.get("/messages", {
      anchor: "newest",
      num_before: 10,
      num_after: 0,
      narrow,
    });
    await server.stop();
    return found.body.messages.map((one: { content: string }) =>
      Bun.stripANSI(one.content).replace(/<[^>]+>/g, ""),
    );
  };
  expect(await readIn(from, "a word on SQLite")).toEqual(["a word on SQLite"]);
  const move = async (source: string[], target: string[], name: string) => {
    await mustChatd(["admin", "backup", join(folder, name), ...source]);
    await mustChatd(["admin", "restore", join(folder, name), ...target]);
  };
  const [there, back] = [await postgres.fresh(), await sqlite.fresh()];
  await move(from, there, "one.tar");
  expect(await readIn(there, "a word on PostgreSQL")).toEqual([
    "a word on SQLite",
    "a word on PostgreSQL",
  ]);
  await move(there, back, "two.tar");
  expect((await readIn(back, "a last word")).length).toBe(3);
});
