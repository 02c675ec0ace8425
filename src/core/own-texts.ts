import { type SQLWrapper, sql } from "drizzle-orm";
import { badRequest } from "./errors";

/**
 * Most bytes of one person's own texts of one kind, including their HTML: drafts, saved snippets,
 * scheduled messages, reminders. There is a limit because each `register` and each list has all of
 * them.
 */
export const ownTextsBytesMax = 4_000_000;

/** The sum of bytes of these columns in all rows of a query. */
export const sumOfBytes = (...columns: [SQLWrapper, ...SQLWrapper[]]) => {
  const bytes = columns.map((column) => sql`octet_length(${column})`);
  return sql<number>`coalesce(sum(${sql.join(bytes, sql` + `)}), 0)`.mapWith(Number);
};

export const bytesOfTexts = (...texts: string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/**
 * Refuses (BAD_REQUEST) texts that would bring the texts of their kind over the limit. `what` names
 * the kind in the refusal: "drafts". Texts that become shorter are never refused.
 */
export function requireRoomForTexts(
  what: string,
  { bytes, more }: { bytes: number; more: number },
): void {
  if (more <= 0 || bytes + more <= ownTextsBytesMax) return;
  throw badRequest(
    `Your ${what} can have ${ownTextsBytesMax / 1_000_000} MB together: delete some.`,
  );
}
