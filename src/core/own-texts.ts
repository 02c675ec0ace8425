import { type SQLWrapper, sql } from "drizzle-orm";
import { badRequest } from "./errors";

/**
 * Bytes that one person's own texts of one kind may have together, with their HTML: drafts, saved
 * snippets, scheduled messages, reminders. Each `register` and each list brings all of them.
 */
export const ownTextsBytesMax = 4_000_000;

/** The bytes of these columns in all rows of a query. */
export const sumOfBytes = (...columns: [SQLWrapper, ...SQLWrapper[]]) => {
  const bytes = columns.map((column) => sql`octet_length(${column})`);
  return sql<number>`coalesce(sum(${sql.join(bytes, sql` + `)}), 0)`.mapWith(Number);
};

export const bytesOfTexts = (...texts: string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/**
 * Refuses (BAD_REQUEST) texts by which those of one kind would grow beyond what they may have.
 * `what` names them in the refusal: "drafts". Texts that become shorter are never refused.
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
