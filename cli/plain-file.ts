import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { ApiError, badRequest } from "../src/core/errors";
import { whyNotRead } from "../src/core/storage/file-failure";

const mebibyte = 1_048_576;

/** Neither waits for a writer of a pipe, nor follows a link that was created meanwhile. */
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * The content of a regular file. Refuses (BAD_REQUEST) pipes, devices, sockets, folders, files of
 * more than `bytesMax` bytes and unreadable files. `name` is the name that the person has given.
 */
export function readPlainFile(name: string, path: string, bytesMax: number): Buffer {
  return attempt(name, () => readOpened(name, realpathSync(path), bytesMax));
}

/**
 * The content of a regular file that a file in `folder` names, below that folder. Refuses
 * (BAD_REQUEST) like `readPlainFile`, and every path that leaves the folder, directly or through a
 * link.
 */
export function readFileBelow(folder: string, name: string, bytesMax: number): Buffer {
  return attempt(name, () => {
    requireBelow(name, resolve(folder), resolve(folder, name));
    const path = realpathSync(resolve(folder, name));
    requireBelow(name, realpathSync(folder), path);
    return readOpened(name, path, bytesMax);
  });
}

function attempt(name: string, read: () => Buffer): Buffer {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw badRequest(whyNotRead(name, error));
  }
}

function requireBelow(name: string, folder: string, path: string) {
  const way = relative(folder, path);
  if (way === ".." || way.startsWith(`..${sep}`) || resolve(way) === way) {
    throw badRequest(`${name} is not below the folder of the organization's file: put it there.`);
  }
}

function readOpened(name: string, path: string, bytesMax: number): Buffer {
  const file = openSync(path, openFlags);
  try {
    if (!fstatSync(file).isFile())
      throw badRequest(`${name} is not a regular file (pipes and devices are not read).`);
    return readBounded(name, file, bytesMax);
  } finally {
    closeSync(file);
  }
}

/**
 * The reported size of a file is not trusted, because the file may grow, and some system files
 * report none.
 */
function readBounded(name: string, file: number, bytesMax: number): Buffer {
  const chunks: Buffer[] = [];
  for (let size = 0; ; ) {
    const chunk = Buffer.allocUnsafe(Math.min(mebibyte, bytesMax + 1 - size));
    const read = readSync(file, chunk);
    if (read === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, read));
    size += read;
    if (size > bytesMax)
      throw badRequest(`${name} is too large: at most ${bytesMax / mebibyte} MiB.`);
  }
}
