import { existsSync, readFileSync } from "node:fs";

/**
 * Memory of a process in KiB: its proportional share (PSS) where Linux tells it, else the resident
 * size from `ps` (macOS), which counts shared pages in full.
 */
export function memoryKiB(pid: number): number {
  const rollup = `/proc/${pid}/smaps_rollup`;
  if (existsSync(rollup))
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(rollup, "utf8"))?.[1] ?? Number.NaN);
  const listing = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]);
  return Number(listing.stdout.toString().trim());
}

/**
 * The most memory that a process was resident in at any time, in MiB; NaN where there is no /proc.
 */
export function peakMiB(pid: number): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return Number.NaN;
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(path, "utf8"))?.[1] ?? Number.NaN) / 1024;
}

/** Memory of a process that is in RAM, in MiB, with what it shares with others. */
export function residentMiB(pid: number): number {
  const status = `/proc/${pid}/status`;
  if (existsSync(status))
    return (
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(status, "utf8"))?.[1] ?? Number.NaN) / 1024
    );
  const listing = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]);
  return Number(listing.stdout.toString().trim()) / 1024;
}

/** CPU time a process has used in milliseconds (ticks of 10 ms); NaN where there is no /proc. */
export function cpuMs(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  const text = readFileSync(path, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
