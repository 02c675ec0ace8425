/** Fence of a block of code. */
const fence = "```";

/**
 * Splits a text into parts of at most `lengthMax` characters, between lines where possible. A block
 * of code that is split is closed at the end of a part and opened again in the next.
 */
export function splitText(text: string, lengthMax: number): string[] {
  const room = lengthMax - 2 * (fence.length + 1);
  const parts: string[] = [];
  let rest = [...text];
  let isInCode = false;
  while (rest.length > (isInCode ? room : lengthMax)) {
    const end = cutAt(rest, room);
    const part = rest.slice(0, end).join("");
    rest = rest.slice(end);
    const begins = isInCode ? `${fence}\n` : "";
    isInCode = isInCode !== isOdd(part.split("\n").filter((line) => line.startsWith(fence)).length);
    parts.push(`${begins}${part.replace(/\n$/, "")}${isInCode ? `\n${fence}` : ""}`);
  }
  return [...parts, `${isInCode ? `${fence}\n` : ""}${rest.join("")}`];
}

/**
 * The end of the last line that fits, unless that leaves the part too short; otherwise the end of
 * the last word that fits.
 */
function cutAt(characters: readonly string[], room: number): number {
  const sought = characters.slice(0, room);
  const line = sought.lastIndexOf("\n") + 1;
  if (line > room / 2) return line;
  const word = sought.lastIndexOf(" ") + 1;
  return word > room / 2 ? word : room;
}

const isOdd = (count: number) => count % 2 === 1;
