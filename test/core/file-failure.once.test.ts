import { expect, test } from "bun:test";
import { mkdirSync, openSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { whyNotRead, whyNotUsed, whyNotWritten } from "../../src/core/storage/file-failure";
import { scratchFolder } from "../support/scratch-folder";

const folder = join(scratchFolder(), `file-failure-${crypto.randomUUID()}`);
mkdirSync(folder);

/** The error of the system that an attempt ends with. */
function errorOf(attempt: () => unknown): unknown {
  try {
    attempt();
  } catch (error) {
    return error;
  }
  throw new Error("It worked.");
}

test("errors of the system are told as what to do, without their codes", () => {
  const loop = join(folder, "loop");
  symlinkSync(loop, loop);
  const missing = join(folder, "none", "file");
  const read = (path: string) =>
    whyNotRead(
      path,
      errorOf(() => readFileSync(path)),
    );
  expect(read(missing)).toBe(`${missing} cannot be read: it does not exist. Check its name.`);
  expect(read(folder)).toContain("it is a folder. Name a file in it.");
  expect(read(loop)).toContain("its links lead in a circle");
  expect(read(join(folder, "x".repeat(300)))).toContain("Choose a shorter one.");
  const write = (path: string) =>
    whyNotWritten(
      path,
      errorOf(() => openSync(path, "wx")),
    );
  expect(write(missing)).toContain(`Make it first: mkdir -p ${join(folder, "none")}`);
  expect(write(loop)).toContain("it already exists");
  const refused = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
  for (const why of [whyNotRead, whyNotWritten, whyNotUsed]) {
    expect(why("/etc/shadow", refused)).toContain("the account that chatd works as");
    expect(why("/etc/shadow", refused)).not.toContain("EACCES");
  }
  const strange = new Error("The moon is full.");
  expect(whyNotRead("a", strange)).toBe("a cannot be read: The moon is full.");
});
