import { dirname } from "node:path";
import { accountName } from "../account-name";
import { codeOf, messageOf } from "../error-code";

/* Sentences about files that cannot be used, because "EACCES: permission denied" helps nobody. */

type Use = "read" | "written" | "used";

/** Reason why a file named by a person cannot be read, and what to do. */
export const whyNotRead = (path: string, error: unknown): string => sentenceOf(path, "read", error);

/** Reason why a file named by a person cannot be written, and what to do. */
export const whyNotWritten = (path: string, error: unknown): string =>
  sentenceOf(path, "written", error);

/** Reason why a file that chatd uses by itself cannot be used, and what to do. */
export const whyNotUsed = (path: string, error: unknown): string => sentenceOf(path, "used", error);

function sentenceOf(path: string, use: Use, error: unknown): string {
  const reason = reasons[codeOf(error)];
  if (reason) return `${path} cannot be ${use}: ${reason(path, use)}`;
  const message = messageOf(error);
  return `${path} cannot be ${use}: ${message.replace(/[.\s]+$/, "")}.`;
}

/** The account's name, because commands of root work as the owner of the data. */
function ownAccount(): string {
  const account = process.geteuid?.();
  const name = account === undefined ? undefined : accountName(account);
  return name === undefined ? "" : ` (${name})`;
}

const noRight = (path: string, use: Use) =>
  use === "read"
    ? `the account that chatd works as${ownAccount()} has no right to. Give it the right to read the file and to enter its folders, or run the command as the file's owner.`
    : use === "used"
      ? `the account that chatd works as${ownAccount()} has no right to. Give it the right to read and write it, or run the command as its owner.`
      : `the account that chatd works as${ownAccount()} has no right to. Choose a folder that it may write to in place of ${dirname(path)}.`;

const reasons: Readonly<Record<string, (path: string, use: Use) => string>> = {
  EACCES: noRight,
  EPERM: noRight,
  ENOENT: (path, use) =>
    use !== "written"
      ? "it does not exist. Check its name."
      : `the folder ${dirname(path)} does not exist. Make it first: mkdir -p ${dirname(path)}`,
  ENOTDIR: () => "a part of its path is no folder. Check its name.",
  EISDIR: () => "it is a folder. Name a file in it.",
  EEXIST: () => "it already exists. Choose another name.",
  ELOOP: () => "it is a link, or its links lead in a circle. Name the file itself.",
  ENXIO: () => "it is a pipe or a socket. Name a regular file.",
  ENAMETOOLONG: () => "its name is too long. Choose a shorter one.",
  EINVAL: () => "it is of a kind that cannot be used so. Name a regular file on a disk.",
  EROFS: () => "its disk lets nobody write. Choose a folder on another one.",
  ENOSPC: () => "its disk is full. Make room there, or choose a folder on another one.",
  EDQUOT: () => "the room of this account on the disk is used up. Make room there.",
  EMFILE: () => "too many files are open. Raise the limit: ulimit -n 65536",
  EBUSY: () => "something else is using it. Try again later.",
};
