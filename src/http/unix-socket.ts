import { chmodSync, lstatSync, renameSync, rmSync, type Stats } from "node:fs";
import { codeOf } from "../core/error-code";

/** Longest path of a socket, in bytes, that every system takes: macOS allows 103, Linux 107. */
const pathBytesMax = 103;

/** Milliseconds to wait for another server that may listen at a socket. */
const patienceMilliseconds = 2_000;

/** A Unix socket to listen on: its path, and who may connect to it as the mode of a file. */
export interface SocketPlace {
  path: string;
  mode: number;
}

/** A socket file of this process. */
interface OwnSocket {
  /** Removes the file, unless the name belongs to another file by now. */
  remove(): void;
}

/**
 * Prepares a path for a socket: an abandoned socket is removed. Refuses a path at which a server
 * listens, or at which there is another kind of file.
 */
export async function clearSocketPath(path: string): Promise<void> {
  if (Buffer.byteLength(path) > pathBytesMax)
    throw new Error(`${path} is too long for a socket: at most ${pathBytesMax} bytes.`);
  const left = statusOf(path);
  if (left === undefined) return;
  if (!left.isSocket())
    throw new Error(`${path} is not a socket. Move it away, or choose another path with --listen.`);
  if (await isListenedAt(path))
    throw new Error(
      `A server listens at ${path} already. Stop it, or choose another path with --listen.`,
    );
  removeLeft(path, left);
}

/**
 * Moves the socket aside before it is removed. If it turns out to belong to another server, which
 * has replaced the abandoned one in the meantime, it is moved back.
 */
function removeLeft(path: string, left: Stats) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  if (statusOf(aside)?.ino === left.ino) return rmSync(aside, { force: true });
  renameSync(aside, path);
  throw new Error(`Another server has just begun to listen at ${path}.`);
}

/** Gives a socket that has just been made its mode; until then nobody else can connect to it. */
export function ownSocket({ path, mode }: SocketPlace): OwnSocket {
  chmodSync(path, mode);
  const own = statusOf(path);
  return {
    remove() {
      if (own !== undefined && statusOf(path)?.ino === own.ino) rmSync(path, { force: true });
    },
  };
}

/**
 * Whether a server accepts connections there. A server that is too busy to accept this one counts
 * too.
 */
async function isListenedAt(path: string): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const { connect } = await import("node:net");
  const connection = connect(path);
  connection.setTimeout(patienceMilliseconds, () => resolve(true));
  connection.once("connect", () => resolve(true));
  connection.once("error", (error) => {
    const code = codeOf(error);
    if (code === "ECONNREFUSED" || code === "ENOENT") resolve(false);
    else if (code === "EAGAIN") resolve(true);
    else reject(error);
  });
  return promise.finally(() => connection.destroy());
}

const statusOf = (path: string) => lstatSync(path, { throwIfNoEntry: false });
