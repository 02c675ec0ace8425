/** A range of a text. Both ends are equal if nothing is selected. */
export interface Selection {
  readonly start: number;
  readonly end: number;
}

/** A change of a text: the replacement of a range, and the selection after it. */
export interface Change extends Selection {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export type Format = "bold" | "italic" | "code" | "link" | "list";

/** The change by which a button or a key formats the selection, or removes the format. */
export function format(name: Format, text: string, selection: Selection): Change {
  switch (name) {
    case "bold":
      return toggleMark("**", text, selection);
    case "italic":
      return toggleMark("*", text, selection);
    case "code":
      return toggleCode(text, selection);
    case "link":
      return toggleLink(text, selection);
    case "list":
      return toggleList(text, selection);
  }
}

/** A text after a change. */
export const changed = (text: string, { from, to, text: inserted }: Change): string =>
  text.slice(0, from) + inserted + text.slice(to);

/** A selection without blanks at its ends, because Markdown marks do not work next to blanks. */
function withoutBlanks(text: string, { start, end }: Selection): Selection {
  const selected = text.slice(start, end);
  if (selected.trim() === "") return { start, end };
  return {
    start: start + selected.length - selected.trimStart().length,
    end: end - selected.length + selected.trimEnd().length,
  };
}

function toggleMark(mark: string, text: string, given: Selection): Change {
  const { start, end } = withoutBlanks(text, given);
  const { length } = mark;
  const inside = text.slice(start, end);
  const isAround =
    isMarked(mark, starsBefore(text, start)) && isMarked(mark, starsAfter(text, end));
  if (isAround)
    return {
      from: start - length,
      to: end + length,
      text: inside,
      start: start - length,
      end: end - length,
    };
  const isInside =
    inside.length > 2 * length &&
    isMarked(mark, starsAfter(inside, 0)) &&
    isMarked(mark, starsBefore(inside, inside.length));
  const bare = isInside ? inside.slice(length, -length) : inside;
  const whole = isInside ? bare : mark + bare + mark;
  const at = isInside ? start : start + length;
  return { from: start, to: end, text: whole, start: at, end: at + bare.length };
}

/** Whether a number of stars includes a mark: one star is italic, two are bold, three are both. */
const isMarked = (mark: string, stars: number): boolean =>
  mark === "*" ? stars === 1 || stars === 3 : stars >= 2;

const starsBefore = (text: string, at: number): number =>
  /\**$/.exec(text.slice(0, at))?.[0].length ?? 0;
const starsAfter = (text: string, at: number): number =>
  /^\**/.exec(text.slice(at))?.[0].length ?? 0;

const fence = "```";

/** Inline code, or a code block if several lines are selected. */
function toggleCode(text: string, given: Selection): Change {
  const selected = text.slice(given.start, given.end);
  if (selected.includes("\n")) return toggleFence(text, given);
  const { start, end } = withoutBlanks(text, given);
  const inside = text.slice(start, end);
  if (text[start - 1] === "`" && text[end] === "`")
    return { from: start - 1, to: end + 1, text: inside, start: start - 1, end: end - 1 };
  const held = /^`([^`]+)`$/.exec(inside)?.[1];
  if (held !== undefined)
    return { from: start, to: end, text: held, start, end: start + held.length };
  return { from: start, to: end, text: `\`${inside}\``, start: start + 1, end: end + 1 };
}

function toggleFence(text: string, { start, end }: Selection): Change {
  const inside = text.slice(start, end);
  const held = /^```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(inside)?.[1];
  if (held !== undefined)
    return { from: start, to: end, text: held, start, end: start + held.length };
  const before = start === 0 || text[start - 1] === "\n" ? "" : "\n";
  const after = end === text.length || text[end] === "\n" ? "" : "\n";
  const opening = `${before}${fence}\n`;
  const body = inside.replace(/\n$/, "");
  return {
    from: start,
    to: end,
    text: `${opening}${body}\n${fence}${after}`,
    start: start + opening.length,
    end: start + opening.length + body.length,
  };
}

const addressForm = /^(?:https?:\/\/|mailto:|\/user_uploads\/|#narrow\/)\S+$/;

/** Whether a text is a URL and nothing else. */
export const isAddress = (text: string): boolean => addressForm.test(text.trim());

function toggleLink(text: string, given: Selection): Change {
  const { start, end } = withoutBlanks(text, given);
  const inside = text.slice(start, end);
  const held = /^\[([^\]]*)\]\([^)]*\)$/.exec(inside)?.[1];
  if (held !== undefined)
    return { from: start, to: end, text: held, start, end: start + held.length };
  if (isAddress(inside))
    return { from: start, to: end, text: `[](${inside})`, start: start + 1, end: start + 1 };
  const address = start + inside.length + "[](".length;
  return {
    from: start,
    to: end,
    text: `[${inside}](url)`,
    start: inside === "" ? start + 1 : address,
    end: inside === "" ? start + 1 : address + "url".length,
  };
}

/** Pastes a URL over a selection: the selection becomes the text of a link. */
export function linkTo(address: string, text: string, { start, end }: Selection): Change {
  const link = `[${text.slice(start, end)}](${address.trim()})`;
  return { from: start, to: end, text: link, start: start + link.length, end: start + link.length };
}

const bullet = /^(\s*)[-*+] /;

/** Makes each selected line a list item, or no line if all of them are items already. */
function toggleList(text: string, { start, end }: Selection): Change {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", Math.max(start, end - 1));
  const to = next < 0 ? text.length : next;
  const lines = text.slice(from, to).split("\n");
  const isList = lines.every((line) => line.trim() === "" || bullet.test(line));
  const isWritten = lines.some((line) => line.trim() !== "");
  const after = lines
    .map((line) => {
      if (isList && isWritten) return line.replace(bullet, "$1");
      const isDone = bullet.test(line) || (line.trim() === "" && lines.length > 1);
      return isDone ? line : `- ${line}`;
    })
    .join("\n");
  const moved = after.length - (to - from);
  return start === end
    ? {
        from,
        to,
        text: after,
        start: Math.max(from, start + moved),
        end: Math.max(from, end + moved),
      }
    : { from, to, text: after, start: from, end: from + after.length };
}

const pointForm = /^(\s*)(?:([-*+])|(\d{1,6})\.) (.*)$/;

/**
 * The change for a new line in a list: the next item begins, and an empty item ends the list.
 * Undefined if the caret is not in a list.
 */
export function nextPoint(text: string, caret: number): Change | undefined {
  const from = text.lastIndexOf("\n", caret - 1) + 1;
  const [whole, blanks = "", mark, number, words = ""] =
    pointForm.exec(text.slice(from, caret)) ?? [];
  if (whole === undefined) return undefined;
  if (words.trim() === "") return { from, to: caret, text: "", start: from, end: from };
  const begun = `\n${blanks}${mark ?? `${Number(number) + 1}.`} `;
  const at = caret + begun.length;
  return { from: caret, to: caret, text: begun, start: at, end: at };
}
