import { spawnSync } from "bun";
import { lacking, requireTool } from "../support/processes/tools";
import type { PageCache } from "./page-cache";

/** strace is there, and this machine lets it trace. */
export const canTrace = () =>
  requireTool("strace") &&
  (spawnSync(["strace", "-o", "/dev/null", "true"]).exitCode === 0 ||
    lacking("strace may not trace here"));

/**
 * Runs a command with all that it writes and syncs recorded in a file; `failing`: its so-manieth
 * sync ends with EIO.
 */
export const tracer = (traceFile: string, failing?: number): string[] => [
  "strace",
  "-f",
  "-y",
  "-xx",
  "-s",
  "2000000",
  "-o",
  traceFile,
  "-e",
  "trace=openat,unlink,pwrite64,write,ftruncate,fsync,fdatasync",
  ...(failing === undefined ? [] : ["-e", `inject=fsync,fdatasync:error=EIO:when=${failing}`]),
];

/** One system call, with the names and bytes in it decoded. */
interface Call {
  name: string;
  /** The file behind a descriptor, or the one that is named. */
  path: string;
  bytes: Buffer;
  /** The last number before the closing bracket: a position or a size. */
  number: number;
  flags: string;
  hasFailed: boolean;
}

const form = /^\d+ +(\w+)\((?:\d+<([^>]*)>|AT_FDCWD<[^>]*>, "([^"]*)"|"([^"]*)")?(.*)\) += (-?\d+)/;
const unhex = (text: string) => Buffer.from(text.replaceAll("\\x", ""), "hex");

function readCall(line: string): Call | undefined {
  const [, name, behind, opened, named, rest = "", result] = form.exec(line) ?? [];
  if (name === undefined) return undefined;
  const quote = /"([^"]*)"/.exec(rest)?.[1] ?? "";
  return {
    name,
    path: unhex(behind ?? opened ?? named ?? "").toString(),
    bytes: unhex(quote),
    number: Number(/(\d+)$/.exec(rest)?.[1] ?? 0),
    flags: rest,
    hasFailed: Number(result) < 0,
  };
}

/** The system calls of a trace, in order. */
export const readTrace = (trace: string): Call[] =>
  trace.split("\n").flatMap((line) => readCall(line) ?? []);

/** The files that a model is made of. */
export const names = ["chatd.db", "chatd.db-wal"];

/** Does to a model of files of a folder what a process has done to them. */
export function replay(cache: PageCache, folder: string, call: Call): void {
  if (call.path === folder && call.name.includes("sync") && !call.hasFailed) cache.syncFolder();
  const name = names.find((one) => call.path === `${folder}/${one}`);
  if (name === undefined) return;
  if (call.name === "fsync" || call.name === "fdatasync") {
    if (call.hasFailed) cache.failSync(name);
    else cache.sync(name);
  } else if (call.hasFailed) return;
  else if (call.name === "openat" && call.flags.includes("O_CREAT")) cache.create(name);
  else if (call.name === "unlink") cache.unlink(name);
  else if (call.name === "pwrite64") cache.write(name, call.bytes, call.number);
  else if (call.name === "ftruncate") cache.truncate(name, call.number);
}
