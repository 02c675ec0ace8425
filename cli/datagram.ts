import { dlopen, FFIType, ptr } from "bun:ffi";

/* Datagrams to a Unix socket, which neither Bun nor its modules of Node can send. */

const afUnix = 1;
const sockDatagram = 2;
const closeOnExec = 0o2000000;

const { symbols: libc } = dlopen("libc.so.6", {
  socket: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  sendto: {
    args: [FFIType.i32, FFIType.ptr, FFIType.u64, FFIType.i32, FFIType.ptr, FFIType.u32],
    returns: FFIType.i64,
  },
  close: { args: [FFIType.i32], returns: FFIType.i32 },
});

/**
 * Sends a text to a Unix socket: a path, or an abstract name that begins with `@`. Answers whether the
 * system has taken it.
 */
export function sendDatagram(socket: string, text: string): boolean {
  const [address, message] = [addressOf(socket), Buffer.from(text)];
  const handle = libc.socket(afUnix, sockDatagram | closeOnExec, 0);
  if (handle < 0) return false;
  const sent = libc.sendto(handle, ptr(message), message.length, 0, ptr(address), address.length);
  libc.close(handle);
  return Number(sent) === message.length;
}

/** A `sockaddr_un` (unix(7)): the family, and the path with a NUL at its end or, for `@`, at its beginning. */
function addressOf(socket: string): Buffer {
  const name = socket.startsWith("@") ? `\0${socket.slice(1)}` : `${socket}\0`;
  const family = Buffer.alloc(2);
  new Uint16Array(family.buffer, family.byteOffset, 1)[0] = afUnix;
  return Buffer.concat([family, Buffer.from(name)]);
}
