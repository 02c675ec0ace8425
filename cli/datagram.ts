import { dlopen, FFIType, ptr } from "bun:ffi";

/*
 * Messages to a service manager, which neither Bun nor its Node modules can send: datagrams to a
 * Unix socket, and the time of the clock that systemd compares.
 */

const afUnix = 1;
const sockDatagram = 2;
const closeOnExec = 0o2000000;
const clockMonotonic = 1;

const { symbols: libc } = dlopen("libc.so.6", {
  socket: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  sendto: {
    args: [FFIType.i32, FFIType.ptr, FFIType.u64, FFIType.i32, FFIType.ptr, FFIType.u32],
    returns: FFIType.i64,
  },
  close: { args: [FFIType.i32], returns: FFIType.i32 },
  clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
});

/**
 * Microseconds of CLOCK_MONOTONIC, which counts from the start of the machine. Bun's own clock
 * counts from the start of the process.
 */
export function monotonicMicroseconds(): bigint {
  const time = new BigInt64Array(2);
  libc.clock_gettime(clockMonotonic, ptr(time));
  const [seconds = 0n, nanoseconds = 0n] = time;
  return seconds * 1_000_000n + nanoseconds / 1_000n;
}

/**
 * Sends a text to a Unix socket: a path, or an abstract name that begins with `@`. Answers whether
 * the system has accepted it.
 */
export function sendDatagram(socket: string, text: string): boolean {
  const [address, message] = [addressOf(socket), Buffer.from(text)];
  const handle = libc.socket(afUnix, sockDatagram | closeOnExec, 0);
  if (handle < 0) return false;
  const sent = libc.sendto(handle, ptr(message), message.length, 0, ptr(address), address.length);
  libc.close(handle);
  return Number(sent) === message.length;
}

/**
 * A `sockaddr_un` (unix(7)): the family, and the path with a NUL at its end or, for `@`, at its
 * beginning.
 */
function addressOf(socket: string): Buffer {
  const name = socket.startsWith("@") ? `\0${socket.slice(1)}` : `${socket}\0`;
  const family = Buffer.alloc(2);
  new Uint16Array(family.buffer, family.byteOffset, 1)[0] = afUnix;
  return Buffer.concat([family, Buffer.from(name)]);
}
