import { codeOf } from "./error-code";

/** Whether a process runs on this machine, of whichever account. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}
