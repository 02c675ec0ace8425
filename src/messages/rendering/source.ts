import { refusedFor } from "../../core/errors";
import { lengthsMax } from "../../protocol/limits";

/**
 * The stored form of content: without blank lines around it and without trailing space, cut to the
 * greatest length.
 */
export function normalizeContent(content: string): string {
  const trimmed = content.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
  if (trimmed.trim() === "") throw refusedFor("message-empty", "Message must not be empty.");
  return truncateContent(trimmed, lengthsMax.message);
}

/** Cuts content to its greatest length, with a mark at its end. */
export const truncateContent = (content: string, contentLengthMax: number) =>
  truncate(content, contentLengthMax, "\n[message truncated]");

/** Cuts a text to a number of code points, including the mark. */
export function truncate(text: string, lengthMax: number, mark: string): string {
  if (text.length <= lengthMax) return text;
  const points = [...text];
  return points.length <= lengthMax
    ? text
    : points.slice(0, lengthMax - mark.length).join("") + mark;
}
