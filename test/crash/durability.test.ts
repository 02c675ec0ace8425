import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  clientOf,
  freshFolder,
  organizationFile,
  readCredentials,
  serveCommand,
} from "../cli/chatd";
import { startServer } from "../support/processes/server-process";
import { canTrace } from "./traced-writes";

const sendCount = 40;

/** System calls by what they mean here; `-y` shows the file behind a descriptor. */
const calls = [
  { what: "written", pattern: /\b(write|writev|pwrite64|pwritev)\(\d+<[^>]*chatd\.db-wal>/ },
  { what: "synced", pattern: /\b(fsync|fdatasync)\(\d+<[^>]*chatd\.db-wal>/ },
  { what: "acknowledged", pattern: /\b(write|writev|sendto|sendmsg)\(\d+<.*"HTTP\/1\.1 200 OK/ },
];

const tracer = [
  "strace",
  "-D",
  "-f",
  "-y",
  "-s",
  "32",
  "-e",
  "trace=fsync,fdatasync,write,writev,pwrite64,pwritev,sendto,sendmsg",
  "-o",
];

/** Events of the write-ahead log and of answers, in order, without repetitions. */
function storyOf(trace: string): string[] {
  const steps = trace
    .split("\n")
    .flatMap((line) => calls.find(({ pattern }) => pattern.test(line))?.what ?? []);
  return steps.filter((step, index) => step === "acknowledged" || step !== steps[index - 1]);
}

/**
 * A kill with -9 cannot show this: data that the operating system still holds survives it, but no
 * power cut. So this looks at the order of system calls: what a send writes to the log is synced
 * before its answer goes out.
 */
test.skipIf(!canTrace())(
  "a message is acknowledged when it is on the disk, and not before",
  async () => {
    const folder = freshFolder();
    const [credentials, traceFile] = [join(folder, "credentials.json"), join(folder, "trace")];
    const flags = [
      "--data",
      join(folder, "data"),
      "--apply",
      organizationFile,
      "--credentials",
      credentials,
    ];
    const server = await startServer([...tracer, traceFile, ...serveCommand, ...flags]).ready();
    const alice = clientOf(server.site, readCredentials(credentials), "alice");
    for (let number = 1; number <= sendCount; number++) {
      const answer = await alice.post("/messages", {
        type: "channel",
        to: "core",
        topic: "disk",
        content: `${number}`,
      });
      expect(answer.status).toBe(200);
    }
    await server.stop();
    const story = storyOf(readFileSync(traceFile, "utf8"));
    const before = story.flatMap((step, index) =>
      step === "acknowledged" ? [story[index - 1]] : [],
    );
    expect(before.slice(-sendCount)).toEqual(Array(sendCount).fill("synced"));
  },
  60_000,
);
