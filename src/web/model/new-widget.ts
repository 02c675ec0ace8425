/**
 * The text of a message from which the server makes a poll or a to-do list: the title, and a line
 * for each answer or task. Empty lines are left out. Repeated answers are left out too, because
 * votes for equal answers would be counted separately.
 */
export function written(kind: "poll" | "todo", title: string, lines: string): string {
  const rows = lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const rowsToSend = kind === "poll" ? new Set(rows) : rows;
  return [`/${kind} ${title.trim()}`.trim(), ...rowsToSend].join("\n");
}
