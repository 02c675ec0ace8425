/**
 * The text of a message that the server makes a poll or a to-do list of: its title, and a line for
 * each answer or task. Lines without words are left out, and answers that are there already, because
 * votes for one answer would count apart.
 */
export function written(kind: "poll" | "todo", title: string, lines: string): string {
  const rows = lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const rowsToSend = kind === "poll" ? new Set(rows) : rows;
  return [`/${kind} ${title.trim()}`.trim(), ...rowsToSend].join("\n");
}
