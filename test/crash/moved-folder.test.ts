import { expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  clientOf,
  freshFolder,
  organizationFile,
  readCredentials,
  serveCommand,
  waitFor,
} from "../cli/chatd";
import { startServer } from "../support/processes/server-process";

const senderCount = 8;
const unlimited = ["user", "key", "address"].flatMap((whose) => [
  `--requests-per-minute-per-${whose}`,
  "0",
]);

test.each([
  ["renamed", (folder: string) => renameSync(folder, `${folder}-away`)],
  ["removed", (folder: string) => rmSync(folder, { recursive: true })],
])(
  "a server whose data folder is %s while people send acknowledges nothing more and ends with an error",
  async (_what, move) => {
    const folder = freshFolder();
    const [data, credentials] = [join(folder, "data"), join(folder, "credentials.json")];
    const flags = ["--data", data, "--apply", organizationFile, "--credentials", credentials];
    const server = await startServer([...serveCommand, ...unlimited, ...flags]).ready();
    const alice = clientOf(server.site, readCredentials(credentials), "alice");
    const acknowledged = { before: 0, after: 0 };
    let isMoved = false;
    const keepSending = async (sender: number) => {
      for (let number = 0; ; number += 1) {
        const moment = isMoved ? "after" : "before";
        const message = {
          type: "channel",
          to: "core",
          topic: "disk",
          content: `${sender} says ${number}`,
        };
        const answer = await alice.post("/messages", message).catch(() => undefined);
        if (!answer) return;
        if (answer.status === 200) acknowledged[moment] += 1;
      }
    };
    const senders = Array.from({ length: senderCount }, (_, sender) => keepSending(sender));
    await waitFor(() => (acknowledged.before > senderCount ? true : undefined), 10_000);
    move(data);
    isMoved = true;
    await Promise.all(senders);
    expect(acknowledged.after).toBe(0);
    expect(await server.ended).toBe(74);
    const told = server
      .log()
      .split("\n")
      .filter((line) => line.includes("storage_failed"));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("chatd.db is not there any more, or is another file");
  },
);
