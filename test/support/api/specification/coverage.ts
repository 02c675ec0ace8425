import { botRows } from "./bot-rows";
import { channelRows } from "./channel-rows";
import { messageRows } from "./message-rows";
import { organizationRows } from "./organization-rows";
import { ownRows } from "./own-rows";
import { peopleRows } from "./people-rows";
import { protocolRows } from "./protocol-rows";
import type { Row } from "./rows";
import type { Shown } from "./shown";

/** Every test that is said to show something of the specification. */
export const shown: readonly Shown[] = [
  ...protocolRows,
  ...peopleRows,
  ...messageRows,
  ...channelRows,
  ...organizationRows,
  ...ownRows,
  ...botRows,
];

/** Tests that show each row: tests as `file: name`. */
export function showsOf(): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  const note = (row: string, what: string) => found.set(row, [...(found.get(row) ?? []), what]);
  for (const { file, test, rows } of shown)
    for (const row of rows) note(row, `test/${file}: ${test}`);
  return found;
}

/** The list for people to read: what the specification says, by line, and what shows it. */
export function listOf(rows: readonly Row[]): string {
  const found = showsOf();
  const lines = rows.map(
    ({ id, line }) => `| ${line} | ${id} | ${found.get(id)?.join("; ") ?? ""} |`,
  );
  return ["| line | row | shown by |", "|---|---|---|", ...lines].join("\n");
}
