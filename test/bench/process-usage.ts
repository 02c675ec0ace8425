import { existsSync, readFileSync } from "node:fs";

/**
 * Memory of a process in KiB: its proportional share (PSS) where Linux tells it, else the resident size from `ps`
 * (macOS), which counts shared pages in full.
 */
export function memoryKiB(pid: number): number {
  const rollup = `/proc/${pid}/smaps_rollup`;
  if (existsSync(rollup)) return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(rollup, "utf8"))?.[1] ?? Number.NaN);
  const listing = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]);
  return Number(listing.stdout.toString().trim());
}

/** CPU time a process has used in milliseconds (ticks of 10 ms); NaN where there is no /proc. */
export function cpuMs(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  const text = readFileSync(path, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
