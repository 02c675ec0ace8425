import { readdirSync } from "node:fs";

/*
 * Several sockets that listen at one port share its new connections by chance. On Linux the last
 * one can get all of them. So a port can change its certificate without breaking a connection: the
 * former listener is closed long after its last new connection, because the kernel resets
 * connections that wait in a closed listener.
 */

const solSocket = 1;
const acceptsConnections = 30;
const attachReusePortProgram = 51;
/** An instruction of a classic BPF program: the answer is this number. */
const bpfReturn = 0x06;

/** The C libraries of the Linux systems that Bun runs on. */
const libraries = [
  "libc.so.6",
  `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`,
];

/** The calls of the C library; undefined on other systems. */
function openLibrary() {
  if (process.platform !== "linux") return undefined;
  const { dlopen, ptr }: typeof import("bun:ffi") = require("bun:ffi");
  for (const library of libraries) {
    try {
      const { symbols } = dlopen(library, {
        getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
        setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
      });
      return { ...symbols, ptr };
    } catch {
      // Another library may be the one of this system.
    }
  }
  return undefined;
}

/** The listeners of one port, in the order in which the kernel has them. */
export class ListenerGroup<Listener> {
  private readonly library = openLibrary();
  private readonly group: Listener[];
  /** Numbers of their open files, as far as they are known. */
  private readonly descriptors = new Map<Listener, number>();

  constructor(first: Listener) {
    this.group = [first];
  }

  /** Runs code that opens a further listener, which is added after the others. */
  async open(listen: () => Promise<Listener>): Promise<Listener> {
    const before = this.listening();
    const listener = await listen();
    const [descriptor, ...others] = this.listening().difference(before);
    this.group.push(listener);
    if (descriptor !== undefined && others.length === 0) this.descriptors.set(listener, descriptor);
    return listener;
  }

  /** Gives all new connections to one listener. Answers whether that is possible here. */
  giveAllTo(listener: Listener): boolean {
    const { library } = this;
    const descriptor = this.descriptors.get(listener);
    if (!library || descriptor === undefined) return false;
    const instruction = new Uint8Array(8);
    const words = new DataView(instruction.buffer);
    words.setUint16(0, bpfReturn, true);
    words.setUint32(4, this.group.indexOf(listener), true);
    const program = new Uint8Array(16);
    const fields = new DataView(program.buffer);
    fields.setUint16(0, 1, true);
    fields.setBigUint64(8, BigInt(library.ptr(instruction)), true);
    const at = library.ptr(program);
    return (
      library.setsockopt(descriptor, solSocket, attachReusePortProgram, at, program.length) === 0
    );
  }

  /** Notes that a listener is closed. The kernel moves the last one to its position. */
  closed(listener: Listener) {
    const index = this.group.indexOf(listener);
    const last = this.group.pop();
    if (last !== undefined && last !== listener) this.group[index] = last;
    this.descriptors.delete(listener);
  }

  /** The open files of this process that are listening sockets. */
  private listening(): Set<number> {
    const { library } = this;
    if (!library) return new Set();
    const [value, size] = [new Int32Array(1), new Uint32Array([4])];
    const isListening = (descriptor: number) =>
      library.getsockopt(
        descriptor,
        solSocket,
        acceptsConnections,
        library.ptr(value),
        library.ptr(size),
      ) === 0 && value[0] === 1;
    return new Set(readdirSync("/proc/self/fd").map(Number).filter(isListening));
  }
}
