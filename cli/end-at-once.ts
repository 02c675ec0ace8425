/** Paths of the C library, on the systems that Bun runs on. */
const libraries = [
  "libc.so.6",
  `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`,
  "libSystem.B.dylib",
];

/**
 * Ends the process as a power cut would. An ordinary exit closes the database, which writes its log
 * back and removes it: on a disk that has failed, or in a folder that has been replaced, that would
 * do harm.
 */
export function endAtOnce(code: number): never {
  const { dlopen }: typeof import("bun:ffi") = require("bun:ffi");
  for (const library of libraries) {
    try {
      dlopen(library, { _exit: { args: ["int"], returns: "void" } }).symbols._exit(code);
    } catch {
      // Another library may be the one of this system.
    }
  }
  process.kill(process.pid, "SIGKILL");
  process.abort();
}
