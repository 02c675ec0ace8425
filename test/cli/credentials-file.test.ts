import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { spawn } from "bun";
import { openPrivateFile } from "../../cli/credentials-file";
import { root } from "../support/source-tree";
import { freshFolder } from "./chatd";

/** Begins a file as `chatd admin apply` does, in a process that is killed before it has written. */
async function beginAndDie(path: string) {
  const script = `
    const { openPrivateFile } = await import("./cli/credentials-file");
    openPrivateFile(${JSON.stringify(path)});
    process.kill(process.pid, "SIGKILL");
  `;
  await spawn([process.execPath, "-e", script], { cwd: root, stderr: "inherit" }).exited;
}

test("the draft of a killed command goes with the next one for that file, the draft of a running one stays", async () => {
  const path = join(freshFolder(), "credentials.json");
  const running = openPrivateFile(path);
  await beginAndDie(path);
  await beginAndDie(`${path}.other`);
  const namesThere = () => readdirSync(dirname(path)).sort();
  expect(namesThere()).toHaveLength(3);
  const next = openPrivateFile(path);
  next.write({ realm: "Acme" });
  expect(namesThere()).toEqual([
    "credentials.json",
    expect.stringMatching(/^credentials\.json\.draft-/),
    expect.stringMatching(/^credentials\.json\.other\.draft-/),
  ]);
  running.write({ realm: "Bcme" });
  expect(namesThere()).toHaveLength(2);
});
