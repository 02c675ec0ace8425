import { hostname, userInfo } from "node:os";

/** Account and machine that a command runs by: `root@db1`. */
export const operatorAddress = (): string => `${accountName()}@${hostname()}`;

/** Containers run accounts that have a number and no name: Bun calls these "unknown", or throws. */
function accountName(): string {
  const numbered = `uid ${process.getuid?.() ?? "unknown"}`;
  try {
    const { username } = userInfo();
    return username === "unknown" ? numbered : username;
  } catch {
    return numbered;
  }
}
