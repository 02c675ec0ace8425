import { BrokenBackupError } from "./broken";

/*
 * The tar format as far as backups need it: plain files, with ASCII names. Source: POSIX.1-1988,
 * "ustar", and the binary numbers of GNU tar for sizes from 8 GiB on.
 */

export const blockBytes = 512;
const [nameBytes, prefixBytes] = [100, 155];
const sizeAt = 124;
const checksumAt = 148;
const typeAt = 156;
const magicAt = 257;
const prefixAt = 345;
const plainFile = "0".charCodeAt(0);
const octalMax = 0o77777777777;

/** An entry of an archive: its name and the size of its content. */
export interface Entry {
  name: string;
  sizeBytes: number;
}

/** Number of bytes that fill up the last block. */
export const paddingOf = (sizeBytes: number): number =>
  (blockBytes - (sizeBytes % blockBytes)) % blockBytes;

/** The block before an entry's content. `modifiedAt` is UNIX seconds. */
export function makeHeader({ name, sizeBytes }: Entry, modifiedAt: number): Buffer {
  const header = Buffer.alloc(blockBytes);
  const { prefix, rest } = splitName(name);
  header.write(rest, 0, "latin1");
  header.write("0000600\0", 100, "latin1");
  header.write("0000000\0", 108, "latin1");
  header.write("0000000\0", 116, "latin1");
  writeSize(header, sizeBytes);
  header.write(`${modifiedAt.toString(8).padStart(11, "0")}\0`, 136, "latin1");
  header.write("0", typeAt, "latin1");
  header.write("ustar\u000000", magicAt, "latin1");
  header.write(prefix, prefixAt, "latin1");
  header.write(`${checksumOf(header).toString(8).padStart(6, "0")}\0 `, checksumAt, "latin1");
  return header;
}

function splitName(name: string): { prefix: string; rest: string } {
  if (!/^[\x21-\x7e]+$/.test(name))
    throw new Error(`"${name}" cannot be the name of a file in a backup.`);
  if (name.length <= nameBytes) return { prefix: "", rest: name };
  const slash = name.lastIndexOf("/", prefixBytes);
  const rest = name.slice(slash + 1);
  if (slash < 1 || rest.length > nameBytes)
    throw new Error(`The name ${name} is too long for a backup.`);
  return { prefix: name.slice(0, slash), rest };
}

function writeSize(header: Buffer, sizeBytes: number) {
  if (sizeBytes <= octalMax) {
    header.write(`${sizeBytes.toString(8).padStart(11, "0")}\0`, sizeAt, "latin1");
    return;
  }
  header[sizeAt] = 0x80;
  header.writeBigUInt64BE(BigInt(sizeBytes), sizeAt + 4);
}

function checksumOf(header: Buffer): number {
  let sum = 0;
  for (const [at, byte] of header.entries())
    sum += at >= checksumAt && at < checksumAt + 8 ? 0x20 : byte;
  return sum;
}

/** Header of an entry; undefined for the empty block that ends an archive. */
export function readHeader(header: Buffer): Entry | undefined {
  if (header.every((byte) => byte === 0)) return undefined;
  const checksum = Number.parseInt(textAt(header, checksumAt, 8), 8);
  if (textAt(header, magicAt, 5) !== "ustar")
    throw new BrokenBackupError("it does not have the form of one");
  if (checksum !== checksumOf(header) || header[typeAt] !== plainFile)
    throw new BrokenBackupError("it is damaged");
  const [prefix, rest] = [textAt(header, prefixAt, prefixBytes), textAt(header, 0, nameBytes)];
  return { name: prefix === "" ? rest : `${prefix}/${rest}`, sizeBytes: readSize(header) };
}

function readSize(header: Buffer): number {
  if (header[sizeAt] === 0x80) return Number(header.readBigUInt64BE(sizeAt + 4));
  return Number.parseInt(textAt(header, sizeAt, 12), 8);
}

const textAt = (block: Buffer, at: number, length: number): string =>
  block.toString("latin1", at, at + length).split("\0")[0] ?? "";
