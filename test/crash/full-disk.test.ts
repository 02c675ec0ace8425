import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { appendFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "bun";
import {
  chatd,
  clientOf,
  freshFolder,
  organizationFile,
  readCredentials,
  serveCommand,
  sqlite,
} from "../cli/chatd";
import type { Client } from "../support/client";
import { formOf } from "../support/files";
import { type ServerProcess, startServer } from "../support/processes/server-process";
import { lacking, requireTool } from "../support/processes/tools";

/** `CHATD_FULL_DISKS=20 make test ARGS="full-disk"` for the figure that we publish. */
const rounds = Number(process.env.CHATD_FULL_DISKS ?? 2);
const roundMilliseconds = 20_000;
const senderCount = 4;
const diskMib = 12;
const kibibyte = 1_024;

const mounting = (folder: string) => [
  "unshare",
  "-rm",
  "sh",
  "-c",
  `mount -t tmpfs -o size=${diskMib}m none '${folder}' && exec "$@"`,
  "sh",
];

const canMount = () =>
  requireTool("unshare") &&
  (spawnSync([...mounting("/mnt"), "true"]).exitCode === 0 ||
    lacking("a disk of a test's own cannot be mounted here"));

const unlimited = ["user", "key", "address"].flatMap((whose) => [
  `--requests-per-minute-per-${whose}`,
  "0",
]);

interface Disk {
  server: ServerProcess;
  alice: Client;
  /** The disk's folder as the server sees it. */
  folder: string;
  fill(): void;
  makeRoom(): void;
}

async function startOnSmallDisk(): Promise<Disk> {
  const scratch = freshFolder();
  const [mount, credentials] = [join(scratch, "disk"), join(scratch, "credentials.json")];
  mkdirSync(mount);
  const flags = [
    "--data",
    join(mount, "data"),
    "--apply",
    organizationFile,
    "--credentials",
    credentials,
  ];
  const server = await startServer([
    ...mounting(mount),
    ...serveCommand,
    ...unlimited,
    ...flags,
  ]).ready();
  const folder = `/proc/${server.pid}/root${mount}`;
  const filler = join(folder, "filler");
  return {
    server,
    folder,
    alice: clientOf(server.site, readCredentials(credentials), "alice"),
    fill() {
      for (let bytes = kibibyte * kibibyte; bytes >= 1; bytes = Math.floor(bytes / 4)) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(bytes));
        } catch {
          // No room for so much.
        }
      }
    },
    makeRoom: () => rmSync(filler, { force: true }),
  };
}

interface Journal {
  acknowledged: Set<string>;
  refusals: { status: number; code: string; retryAfter: string | null }[];
}

async function send(client: Client, content: string, { acknowledged, refusals }: Journal) {
  const answer = await client.post("/messages", {
    type: "channel",
    to: "core",
    topic: "disk",
    content,
  });
  if (answer.status === 200) acknowledged.add(content);
  else
    refusals.push({
      status: answer.status,
      code: answer.body.code,
      retryAfter: answer.headers.get("retry-after"),
    });
  return answer.status;
}

/** Several people send until one of them is refused. */
async function sendUntilFull(alice: Client, journal: Journal, round: number) {
  const before = journal.refusals.length;
  const keepSending = async (sender: number) => {
    for (let number = 0; journal.refusals.length === before; number += 1) {
      await send(
        alice,
        `${round}, ${sender} says ${number} ${"at length ".repeat(400)}`.trim(),
        journal,
      );
    }
  };
  await Promise.all(Array.from({ length: senderCount }, (_, sender) => keepSending(sender)));
}

async function readAll(alice: Client): Promise<string[]> {
  const contents: string[] = [];
  for (let anchor: number | string = "oldest"; ; ) {
    const range = {
      anchor,
      include_anchor: contents.length === 0,
      num_before: 0,
      num_after: 500,
      apply_markdown: false,
    };
    const { status, body } = await alice.get("/messages", range);
    expect(status).toBe(200);
    for (const { content } of body.messages) contents.push(content);
    if (body.found_newest) return contents;
    anchor = body.messages.at(-1).id;
  }
}

const linesOf = (log: string, event: string) =>
  log.split("\n").filter((line) => line.includes(`"event":"${event}"`));

test.skipIf(!canMount())(
  `a disk that is full ${rounds} times is told as that, reading goes on, and so does sending when there is room`,
  async () => {
    const { server, alice, folder, fill, makeRoom } = await startOnSmallDisk();
    const journal: Journal = { acknowledged: new Set(), refusals: [] };
    for (let round = 1; round <= rounds; round += 1) {
      expect(await send(alice, `round ${round}`, journal)).toBe(200);
      fill();
      await sendUntilFull(alice, journal, round);
      const upload = await alice.ask(
        "POST",
        "/user_uploads",
        {},
        { body: formOf("notes.txt", "x".repeat(64 * kibibyte)) },
      );
      expect([upload.status, upload.body.code, upload.headers.get("retry-after")]).toEqual([
        507,
        "INSUFFICIENT_STORAGE",
        "30",
      ]);
      const stored = await readAll(alice);
      expect([...journal.acknowledged].filter((content) => !stored.includes(content))).toEqual([]);
      makeRoom();
      expect(await send(alice, `room in round ${round}`, journal)).toBe(200);
    }
    const told = { status: 507, code: "INSUFFICIENT_STORAGE", retryAfter: "30" };
    expect(journal.refusals).toEqual(journal.refusals.map(() => told));
    expect(journal.refusals.length).toBeGreaterThanOrEqual(rounds);
    const stored = await readAll(alice);
    expect(stored.filter((content) => /says|round/.test(content)).sort()).toEqual(
      [...journal.acknowledged].sort(),
    );
    const [database, ...others] = linesOf(server.log(), "disk_full").filter((line) =>
      line.includes("chatd.db"),
    );
    expect([database?.includes("Make room"), others]).toEqual([true, []]);
    expect(linesOf(server.log(), "request_failed")).toEqual([]);
    const copy = freshFolder();
    for (const name of ["chatd.db", "chatd.db-wal"])
      cpSync(join(folder, "data", name), join(copy, name));
    const file = new Database(join(copy, "chatd.db"));
    expect(file.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
    file.close();
    expect(await server.stop()).toBe(0);
  },
  60_000 + rounds * roundMilliseconds,
);

test.skipIf(!canMount())(
  "a disk that lets nobody write is not reported as damaged data",
  async () => {
    const { place } = await sqlite.provisioned();
    const disk = join(freshFolder(), "disk");
    mkdirSync(disk);
    const close = `cp -r "$0" '${disk}/data'; mount -o remount,ro '${disk}'; exec "$@"`;
    const through = [...mounting(disk), "sh", "-c", close, String(place[1])];
    for (const words of [["check"], ["user", "list"], ["backup", "-"]]) {
      const command = ["admin", ...words, "--data", join(disk, "data")];
      const { code, stdout, stderr } = await chatd(command, { through });
      expect([code, stdout], words.join(" ")).toEqual([1, ""]);
      expect(stderr, words.join(" ")).toContain(
        "cannot be opened: its disk is read-only, and SQLite must write even to read.",
      );
    }
  },
);

test.skipIf(!canMount())("a disk without any room is not reported as damaged data", async () => {
  const { place } = await sqlite.provisioned();
  const disk = join(freshFolder(), "disk");
  mkdirSync(disk);
  const fill = `cp -r "$0" '${disk}/data'; dd if=/dev/zero of='${disk}/filler' bs=1k; exec "$@"`;
  const through = [...mounting(disk), "sh", "-c", fill, String(place[1])];
  for (const words of [["check"], ["user", "list"]]) {
    const command = ["admin", ...words, "--data", join(disk, "data")];
    const { code, stdout, stderr } = await chatd(command, { through });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("chatd: The disk is full (");
  }
});
