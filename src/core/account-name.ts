import { readFileSync } from "node:fs";

/** The name of an account of this machine by its number; undefined where the system knows none. */
export function accountName(uid: number): string | undefined {
  try {
    const lines = readFileSync("/etc/passwd", "utf8").split("\n");
    return lines.map((line) => line.split(":")).find((fields) => fields[2] === String(uid))?.[0];
  } catch {
    return uid === 0 ? "root" : undefined;
  }
}
