import { isUtf8 } from "node:buffer";

/** Number of the first line that is not in UTF-8, from 1; undefined where all are. */
export function lineNotUtf8(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined;
  const lines = bytes.toString("latin1").split("\n");
  return lines.findIndex((line) => !isUtf8(Buffer.from(line, "latin1"))) + 1;
}
