/**
 * New text of a mail: without the quoted mail, if that stands at the end, and without a signature.
 * Quotations between the answers stay. A text that would become empty stays unchanged. Takes linear
 * time.
 */
export function newWords(
  text: string,
  { keepQuotes, keepSignature }: { keepQuotes: boolean; keepSignature: boolean },
) {
  const lines = text.split("\n");
  const unsigned = keepSignature ? lines : withoutSignature(lines);
  const newWords = (keepQuotes ? unsigned : withoutAnsweredMail(unsigned)).join("\n").trim();
  return newWords === "" ? text.trim() : newWords;
}

/** RFC 3676, 4.3; some programs remove the space. */
const isSignatureMark = (line: string) => /^-- ?$/.test(line);

function withoutSignature(lines: readonly string[]): readonly string[] {
  const mark = lines.findIndex(
    (line, index) => isSignatureMark(line) && !lines[index + 1]?.startsWith(">"),
  );
  return mark < 0 ? lines : lines.slice(0, mark);
}

const isQuoted = (line: string) => line.startsWith(">");
const isBlank = (line: string) => line.trim() === "";
/** Line above the quoted mail, in programs that do not put `>` before its lines. */
const isDivider = (line: string) => /^-{3,}\s?[\p{L} ]{3,60}\s?-{3,}$|^_{20,}$/u.test(line.trim());
const isHeader = (line: string) => /^\*?\p{L}[\p{L} -]{1,30}:\*?\s\S/u.test(line);

/** Highest number of lines of an introduction such as "On …, somebody wrote:". */
const attributionLinesMax = 4;

function withoutAnsweredMail(lines: readonly string[]): readonly string[] {
  const divider = lines.findIndex(
    (line, index) => isDivider(line) && lines.slice(index + 1, index + 3).some(isHeader),
  );
  if (divider >= 0) return lines.slice(0, divider);
  const end = lines.findLastIndex((line) => !isQuoted(line) && !isBlank(line)) + 1;
  if (!lines.slice(end).some(isQuoted)) return lines;
  return lines.slice(0, attributionStart(lines, end));
}

/**
 * First line of the introduction before the quotation that begins at `end`; `end` where there is
 * none.
 */
function attributionStart(lines: readonly string[], end: number): number {
  if (!lines[end - 1]?.trimEnd().endsWith(":")) return end;
  for (let start = end; start > Math.max(0, end - attributionLinesMax); start -= 1) {
    if (start - 1 === 0 || isBlank(lines[start - 2] ?? "")) return start - 1;
  }
  return end - 1;
}
