/**
 * Settings of processes that run many test files in a row: they keep what memory they have freed,
 * collect garbage only where that is worth it, and compile what runs often later than a server
 * would, which takes a tenth of the processor's time less (docs/decisions/2026-11-26-test-time.md).
 */
export const longLived = {
  MIMALLOC_PURGE_DELAY: "-1",
  BUN_GC_TIMER_DISABLE: "1",
  BUN_JSC_jitPolicyScale: "3",
};
