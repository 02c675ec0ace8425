import { accessSync, constants, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { accountName } from "../src/core/account-name";
import { badRequest } from "../src/core/errors";
import { shellWord } from "./shell-word";

const root = 0;

/**
 * Lets a command that root runs go on as the account that owns the data, because files that root
 * makes there could not be changed by the server. Refuses where that is not possible, and accounts
 * that may not change the data, with the command to type. Answers the account where it is another
 * one from then on.
 */
export function workAsOwner(folder: string): string | number | undefined {
  const owner = ownerOf(folder);
  const account = process.getuid?.();
  if (owner === undefined || account === undefined || account === owner.uid) return undefined;
  if (account !== root) {
    requireRights(folder, owner);
    return undefined;
  }
  try {
    setGroups(owner);
    process.setgid?.(owner.gid);
    process.setuid?.(owner.uid);
    return nameOf(owner.uid);
  } catch {
    throw notTheOwner(folder, owner);
  }
}

/**
 * Refuses root where the data belongs to another account: for work before `workAsOwner` that the
 * owner has to do, as it writes into the folder or takes a port that the owner is to take once
 * more.
 */
export function requireOwner(folder: string): void {
  const owner = ownerOf(folder);
  if (owner !== undefined && process.getuid?.() === root && owner.uid !== root)
    throw notTheOwner(folder, owner);
}

/** The account of the database, else of the secret, else of the folder itself. */
function ownerOf(folder: string): Stats | undefined {
  for (const path of [join(folder, "chatd.db"), join(folder, "secret"), folder]) {
    try {
      const status = statSync(path, { throwIfNoEntry: false });
      if (status) return status;
    } catch {
      // Another account's folder does not say what is in it; the folder itself does.
    }
  }
  return undefined;
}

/** Groups of the account; its own one alone where the system does not know the account. */
function setGroups({ uid, gid }: Stats) {
  const initgroups: unknown = Reflect.get(process, "initgroups");
  try {
    if (typeof initgroups !== "function") throw new Error("It is not there.");
    initgroups.call(process, nameOf(uid), gid);
  } catch {
    process.setgroups?.([gid]);
  }
}

function requireRights(folder: string, owner: Stats) {
  if (!mayChange(folder)) throw notTheOwner(folder, owner);
}

/** The account that owns the data, where the account of this process may not change it. */
export function foreignOwnerOf(folder: string): string | number | undefined {
  const owner = ownerOf(folder);
  return owner === undefined || mayChange(folder) ? undefined : nameOf(owner.uid);
}

function mayChange(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function notTheOwner(folder: string, { uid }: Stats) {
  const name = nameOf(uid);
  const account = typeof name === "string" ? name : `'#${name}'`;
  const words = process.argv.slice(2).map(shellWord).join(" ");
  return badRequest(
    `The data in ${folder} belongs to the account ${account}, and this command must run as that account. Run: sudo -u ${account} chatd ${words}`,
  );
}

/** The name of an account, where the system knows one, else its number. */
const nameOf = (uid: number): string | number => accountName(uid) ?? uid;
