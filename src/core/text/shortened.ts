/** A text cut at a number of code points, with "…" after it where something is missing. */
export function shortened(text: string, lengthMax: number): string {
  const characters = [...text];
  return characters.length <= lengthMax ? text : `${characters.slice(0, lengthMax).join("")}…`;
}
