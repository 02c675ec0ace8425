import { hostname, userInfo } from "node:os";

/** Account and machine that a command runs by: `root@db1`. */
export const operatorAddress = (): string => `${accountName()}@${hostname()}`;

/** Containers run accounts that have a number and no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
