import { fstatSync } from "node:fs";
import type { Writable } from "node:stream";

/** Greatest length of the lines that wait for their reader. Further lines are lost. */
const waitingLengthMax = 1_048_576;

/** Whether another program reads this output, from a pipe or a socket, which may be full. */
export function hasReader(output: number): boolean {
  const place = fstatSync(output);
  return place.isFIFO() || place.isSocket();
}

/**
 * Makes a function that writes a line and never waits until somebody reads it. Lines that nobody
 * can read are left out. `tellLost` is called with the number of lines that were lost, as soon as
 * the reader has caught up.
 */
export function unwaitedLines(
  stream: Writable,
  tellLost: (count: number) => void,
): (line: string) => void {
  let waitingLength = 0;
  let lost = 0;
  // Without this, the end of the reader would end the server.
  stream.on("error", () => undefined);
  return (line) => {
    if (waitingLength + line.length > waitingLengthMax) {
      lost += 1;
      return;
    }
    waitingLength += line.length;
    stream.write(`${line}\n`, () => {
      waitingLength -= line.length;
      if (lost === 0 || waitingLength > 0) return;
      const count = lost;
      lost = 0;
      tellLost(count);
    });
  };
}
