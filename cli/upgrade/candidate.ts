import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { spawnSync } from "bun";
import { badRequest } from "../../src/core/errors";

const runMilliseconds = 30_000;
const headBytes = 64;

/** An executable of chatd, as it describes itself. */
export interface Candidate {
  path: string;
  version: string;
  /** Its whole line of `--version`. */
  line: string;
  /** Schema version to which it migrates data. */
  schema: number;
}

/**
 * Runs an executable with `--version`. Refuses (BAD_REQUEST) a file that does not run, or is not
 * chatd.
 */
export function inspect(path: string, name = path): Candidate {
  const line = printedVersion(path, name);
  const [, version] = /^chatd (\S+) \(/.exec(line) ?? [];
  const [, schema] = /\bschema (\d+)\)$/.exec(line) ?? [];
  if (version === undefined || schema === undefined)
    throw badRequest(
      `${name} is not a chatd to which you can upgrade: it does not print its version.`,
    );
  return { path, version, line, schema: Number(schema) };
}

function printedVersion(path: string, name: string): string {
  const why = (text: string) => badRequest(`${name} does not run on this machine: ${text}`);
  try {
    const { exitCode, stdout, stderr } = spawnSync([path, "--version"], {
      timeout: runMilliseconds,
      killSignal: "SIGKILL",
    });
    if (exitCode === 0) return stdout.toString().trim();
    throw why(stderr.toString().trim() || `it ended with ${exitCode ?? "a signal"}`);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code !== "BAD_REQUEST")
      throw why(error.message);
    throw error;
  }
}

/**
 * Refuses an executable for another kind of machine than `own`. Its head shows this before it is
 * run.
 */
export function requireSameMachine(path: string, own: string, name: string) {
  const [theirs, ours] = [machineOf(path), machineOf(own)];
  if (theirs !== undefined && theirs === ours) return;
  throw badRequest(
    theirs === undefined
      ? `${name} is not an executable. Name the file chatd, or its archive chatd-….tar.gz.`
      : `${name} is for another kind of machine (${theirs}) than this one (${ours}).`,
  );
}

const elfMachines: Record<number, string> = { 62: "x64", 183: "arm64" };
const machMachines: Record<number, string> = { 16777223: "x64", 16777228: "arm64" };

/** System and processor of an executable, from its head (elf(5), mach-o/loader.h). */
function machineOf(path: string): string | undefined {
  const head = headOf(path);
  if (head.subarray(0, 4).toString("latin1") === "\u007fELF") {
    const machine = head.readUInt16LE(18);
    return `Linux ${elfMachines[machine] ?? machine}`;
  }
  if (head.readUInt32LE(0) !== 0xfeedfacf) return undefined;
  const machine = head.readUInt32LE(4);
  return `macOS ${machMachines[machine] ?? machine}`;
}

/** First bytes of a file, with zeros after its end. */
export function headOf(path: string): Buffer {
  const head = Buffer.alloc(headBytes);
  const file = openSync(path, "r");
  try {
    readSync(file, head, 0, headBytes, 0);
    return head;
  } finally {
    closeSync(file);
  }
}

/**
 * Compares a file with its checksum, if there is one beside it: in `FILE.sha256` or in
 * `SHA256SUMS`. Answers the name of the file with the checksum, undefined if there is none.
 */
export async function compareChecksum(path: string): Promise<string | undefined> {
  for (const list of [`${path}.sha256`, join(dirname(path), "SHA256SUMS")]) {
    const expected = checksumIn(list, basename(path));
    if (expected === undefined) continue;
    const hash = new Bun.CryptoHasher("sha256");
    for await (const chunk of Bun.file(path).stream()) hash.update(chunk);
    if (hash.digest("hex") === expected) return list;
    throw badRequest(
      `${path} is not the file that ${list} names: its checksum differs. Download it again.`,
    );
  }
  return undefined;
}

/**
 * The checksum of a name in a list as sha256sum writes it; a file with a single checksum needs no
 * name.
 */
function checksumIn(list: string, name: string): string | undefined {
  if (!statSync(list, { throwIfNoEntry: false })?.isFile()) return undefined;
  const lines = readFileSync(list, "utf8").trim().split("\n");
  const pairs = lines.map((line) => /^([0-9a-f]{64})(?: [ *](.+))?$/i.exec(line.trim()) ?? []);
  const found = pairs.find(
    ([, sum, its]) =>
      sum !== undefined && (its === name || (its === undefined && lines.length === 1)),
  );
  return found?.[1]?.toLowerCase();
}
