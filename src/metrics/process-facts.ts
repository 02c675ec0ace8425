import { readdirSync, readFileSync } from "node:fs";
import { systemClock } from "../core/clock";
import { once } from "../core/once";
import type { Exposition } from "./exposition";

const startedAt = once(() => systemClock.nowMilliseconds() / 1_000 - process.uptime());

/** Adds the system's metrics of this process, under the names that all exporters use. */
export function addProcess(page: Exposition) {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  page.add("chatd_heap_used_bytes", heapUsed);
  page.add("process_resident_memory_bytes", rss);
  page.add("process_cpu_seconds_total", (user + system) / 1_000_000);
  page.add("process_start_time_seconds", startedAt());
  page.add(
    "process_open_fds",
    onLinux(() => readdirSync("/proc/self/fd").length),
  );
  page.add("process_max_fds", onLinux(readFilesMax));
}

function onLinux(read: () => number | undefined): number | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function readFilesMax(): number | undefined {
  const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return soft === undefined ? undefined : Number(soft);
}
