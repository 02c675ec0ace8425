import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const memoryFolder = "/dev/shm";
const memoryBytesMin = 2 * 1024 ** 3;

/**
 * Where the data of tests go: a folder that the run of the suite removes at its end, else in memory
 * where there is room for it, where nothing waits for a disk.
 */
export function scratchFolder(): string {
  const ofSuite = process.env["CHATD_TEST_SCRATCH"];
  if (ofSuite !== undefined) return ofSuite;
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize >= memoryBytesMin ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}
