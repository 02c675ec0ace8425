import type { MarkdownIt, StateInline } from "markdown-it";
import { readDateInWords, type WrittenMoment } from "./dates-in-words";
import { escapeAttribute, escapeText } from "./escape";

/** A moment, `<time:…>`, which is shown in each reader's time zone. */
const timestamp = /<time:([^>\n]{1,100})>/y;
const seconds = /^\d{1,12}$/;
const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:\s?(Z|[+-]\d{2}(?::?\d{2})?))?)?$/i;

/**
 * Shows moments in ISO 8601, as a date in words (in UTC if it names no zone), or as seconds since
 * 1970. Any other text between the signs stays text.
 */
export function useTimestamps(markdown: MarkdownIt) {
  markdown.inline.ruler.after("newline", "timestamp", pushTimestamp);
  markdown.renderer.rules["timestamp"] = (tokens, index) => {
    const { content = "", markup = "" } = tokens[index] ?? {};
    return `<time datetime="${escapeAttribute(markup)}">${escapeText(content)}</time>`;
  };
}

function pushTimestamp(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("<time:", state.pos)) return false;
  timestamp.lastIndex = state.pos;
  const written = timestamp.exec(state.src)?.[1];
  const end = timestamp.lastIndex;
  const moment =
    written === undefined || end > state.posMax ? undefined : readMoment(written.trim());
  if (written === undefined || moment === undefined) return false;
  if (!silent) {
    const token = state.push("timestamp", "", 0);
    token.content = written;
    token.markup = moment;
    token.info = state.src.slice(state.pos, end);
  }
  state.pos = end;
  return true;
}

/** Reads a moment; answers it as `2024-05-06T07:08:09Z`. */
function readMoment(written: string): string | undefined {
  const milliseconds = seconds.test(written) ? Number(written) * 1000 : readDate(written);
  if (milliseconds === undefined) return undefined;
  const date = new Date(milliseconds);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString().replace(/\.\d+Z$/, "Z") : undefined;
}

function readDate(text: string): number | undefined {
  const written = readIso(text) ?? readDateInWords(text);
  if (!written) return undefined;
  const { year, month, day, hour, minute, second, offset } = written;
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  if (!isDate || hour > 23 || minute > 59 || second > 59) return undefined;
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  moment.setUTCHours(hour, minute, second);
  return moment.getTime() - offset * 60_000;
}

function readIso(text: string): WrittenMoment | undefined {
  const found = iso.exec(text);
  if (!found) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  return { year, month, day, hour, minute, second, offset: offsetMinutes(found[7] ?? "Z") };
}

const daysIn = (year: number, month: number) =>
  new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

function offsetMinutes(zone: string): number {
  if (/^z$/i.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", ""));
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
