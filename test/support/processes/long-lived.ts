/**
 * Settings of processes that run many test files in a row. Such a process keeps the memory that it
 * has freed, collects garbage only where that is worth it, and compiles code that runs often later
 * than a server would. This saves a tenth of the processor's time
 * (docs/decisions/2026-11-26-files-share-processes.md).
 */
export const longLived = {
  MIMALLOC_PURGE_DELAY: "-1",
  BUN_GC_TIMER_DISABLE: "1",
  BUN_JSC_jitPolicyScale: "3",
};
