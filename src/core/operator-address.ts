import { hostname, userInfo } from "node:os";
import { accountName } from "./account-name";

/** Account that has started the process, which may work as another one by now. */
const startedBy = process.getuid?.();

/** Account and machine that a command runs by: `root@db1`. */
export const operatorAddress = (): string => `${ownName()}@${hostname()}`;

/** Containers run accounts that have a number and no name: Bun calls these "unknown", or throws. */
function ownName(): string {
  if (startedBy === undefined) return "account";
  return accountName(startedBy) ?? nameOfSession() ?? `account ${startedBy}`;
}

/** Accounts of a directory service stand in no file, but sessions have their names. */
function nameOfSession(): string | undefined {
  try {
    const { username } = userInfo();
    return username === "unknown" ? undefined : username;
  } catch {
    return undefined;
  }
}
