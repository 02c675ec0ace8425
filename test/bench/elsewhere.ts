import { dlopen, ptr } from "bun:ffi";
import { constants, getPriority, setPriority } from "node:os";

/*
 * Attackers and those who measure sit elsewhere, and leave a server its whole machine. Here they
 * share it, so they ask Linux for another way of getting the processor. Other systems have
 * priorities alone.
 */

const policies = { usual: 0, idle: 5 };
/** Numbers of the system call `sched_setattr`, which the runtime does not offer. */
const callNumbers: Readonly<Record<string, number>> = { x64: 314, arm64: 274 };
const attributeBytes = 56;
const policyOffset = 4;
const niceOffset = 16;
const sliceOffset = 24;
/** The shortest slice of the processor's time that Linux grants. */
const shortSliceNs = 100_000n;

/** Leaves the processor to everybody else: on Linux until nobody else wants it. */
export function attackFromElsewhere() {
  setPriority(constants.priority.PRIORITY_LOW);
  schedule(policies.idle, 0n);
}

/**
 * Lets this thread in soon after it wakes, because it notes how long answers took. Since Linux
 * 6.12, one that asks for short slices does not wait for those at work until theirs are over.
 */
export const measureFromElsewhere = () => schedule(policies.usual, shortSliceNs);

/** Asks for a way in which this thread gets the processor; 0n is a slice of the usual length. */
function schedule(policy: number, sliceNs: bigint) {
  const callNumber = callNumbers[process.arch];
  if (process.platform !== "linux" || callNumber === undefined) return;
  const attributes = new DataView(new ArrayBuffer(attributeBytes));
  attributes.setUint32(0, attributeBytes, true);
  attributes.setUint32(policyOffset, policy, true);
  attributes.setInt32(niceOffset, getPriority(), true);
  attributes.setBigUint64(sliceOffset, sliceNs, true);
  const { symbols } = dlopen("libc.so.6", {
    syscall: { args: ["i64", "i64", "ptr", "i64"], returns: "i64" },
  });
  symbols.syscall(callNumber, 0, ptr(attributes.buffer), 0);
}
