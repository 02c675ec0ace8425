/**
 * Is loaded into a server that the bench watches (`BUN_OPTIONS=--preload`): after SIGUSR2 it
 * collects garbage and writes what is left on the heap, in bytes, to the file that
 * `BENCH_HEAP_FILE` names.
 */
import { heapStats } from "bun:jsc";
import { renameSync, writeFileSync } from "node:fs";

const file = process.env["BENCH_HEAP_FILE"] ?? "";

process.on("SIGUSR2", () => {
  // Each collection frees objects that held others, so several follow each other.
  for (let round = 0; round < 3; round++) Bun.gc(true);
  writeFileSync(`${file}.new`, String(heapStats().heapSize));
  renameSync(`${file}.new`, file);
});
