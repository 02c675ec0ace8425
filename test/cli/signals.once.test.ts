import { expect, test } from "bun:test";
import { spawn } from "bun";
import { root } from "../support/root";

/** A command whose work is ended by a signal, in order. */
const work = (signal: string) => `
const { reportError } = await import("./cli/output");
const { catchSignals } = await import("./cli/signals");
const check = catchSignals();
const arrived = new Promise((resolve) => process.once("${signal}", resolve));
process.kill(process.pid, "${signal}");
await arrived;
try {
  check();
} catch (error) {
  process.exitCode = reportError(error, { json: true });
}
process.exit();
`;

test.each([
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
])("a command that %s ends in order has the exit code of that signal, %i", async (signal, code) => {
  const command = [process.execPath, "-e", work(signal)];
  const child = spawn(command, { cwd: root, stderr: "pipe", stdout: "ignore" });
  const [said, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  expect([exitCode, JSON.parse(said)]).toEqual([
    code,
    { result: "error", code: "INTERRUPTED", msg: "Interrupted. Nothing was changed." },
  ]);
});
