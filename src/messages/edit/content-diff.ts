/*
 * What an edit changed, shown in the HTML of the new content: words that came and words that went, each run of them in a span.
 * Tags of the new content stay as they are and those of the old are left out, so that the outcome is as well-formed as the new
 * content is. Both come from our own renderer.
 */

/** A piece of HTML: a tag, or something to see, which is a word or an image, with the space after it. */
interface Piece {
  html: string;
  isTag: boolean;
  space: string;
}

const piecePattern = /<[^>]*>|[^\s<]+|\s+/g;
const isImage = (html: string) => /^<(?:img|video|audio)\b/.test(html);

function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [part] of html.matchAll(piecePattern)) {
    const last = pieces.at(-1);
    if (!/^\s/.test(part)) pieces.push({ html: part, isTag: part.startsWith("<") && !isImage(part), space: "" });
    else if (last) last.space += part;
  }
  return pieces;
}

const isBlock = (tag: string) => /^<\/?(?:p|br|li|ul|ol|div|h\d|pre|blockquote|table|t[rdh])\b/.test(tag);

/** What there is to see in HTML; words of two blocks have a space between them. */
function wordsOf(html: string): Piece[] {
  const words: Piece[] = [];
  for (const piece of piecesOf(html)) {
    const last = words.at(-1);
    if (!piece.isTag) words.push(piece);
    else if (last?.space === "" && (piece.space !== "" || isBlock(piece.html))) last.space = " ";
  }
  return words;
}

/** Beyond so many differing words everything between the first and the last of them counts as changed. */
const differencesMax = 200;

type Step = "same" | "gone" | "come";

/**
 * The shortest way from one list of words to another (Myers 1986, An O(ND) Difference Algorithm), after what both begin and
 * end with; with many differences it is all of one and then all of the other.
 */
function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const rest = Math.min(before.length, after.length) - start;
  while (end < rest && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  return [...repeat("same", start), ...(shortestWay(old, now) ?? wholesale(old, now)), ...repeat("same", end)];
}

const repeat = (step: Step, count: number): Step[] => Array.from({ length: count }, () => step);

const wholesale = (before: readonly string[], after: readonly string[]): Step[] => [
  ...repeat("gone", before.length),
  ...repeat("come", after.length),
];

/** Whether, to reach a diagonal with one more difference, a word comes (from the diagonal above) or goes. */
const comesDown = (reached: readonly number[], diagonal: number, differences: number, origin: number) =>
  diagonal === -differences ||
  (diagonal !== differences && (reached[origin + diagonal - 1] ?? -1) < (reached[origin + diagonal + 1] ?? -1));

function shortestWay(before: readonly string[], after: readonly string[]): Step[] | undefined {
  const origin = differencesMax + 1;
  const reached: number[] = new Array(2 * origin + 1).fill(0);
  const trace: number[][] = [];
  for (let differences = 0; differences <= differencesMax; differences++) {
    trace.push(reached.slice());
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const isDown = comesDown(reached, diagonal, differences, origin);
      let x = isDown ? (reached[origin + diagonal + 1] ?? 0) : (reached[origin + diagonal - 1] ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      reached[origin + diagonal] = x;
      if (x >= before.length && x - diagonal >= after.length)
        return walkBack(trace, before.length, after.length, origin);
    }
  }
  return undefined;
}

function walkBack(trace: readonly number[][], beforeLength: number, afterLength: number, origin: number): Step[] {
  const steps: Step[] = [];
  let [x, y] = [beforeLength, afterLength];
  for (let differences = trace.length - 1; differences >= 0; differences--) {
    const reached = trace[differences] ?? [];
    const diagonal = x - y;
    const isDown = comesDown(reached, diagonal, differences, origin);
    const previousX = differences === 0 ? 0 : (reached[origin + diagonal + (isDown ? 1 : -1)] ?? 0);
    const previousY = differences === 0 ? 0 : previousX - (diagonal + (isDown ? 1 : -1));
    while (x > previousX && y > previousY && x > 0 && y > 0) {
      steps.push("same");
      x -= 1;
      y -= 1;
    }
    if (differences > 0) steps.push(isDown ? "come" : "gone");
    [x, y] = [previousX, previousY];
  }
  return steps.reverse();
}

const span = (kind: "inserted" | "deleted", pieces: readonly Piece[]) =>
  `<span class="highlight_text_${kind}">${pieces
    .map(({ html, space }) => html + space)
    .join("")
    .trimEnd()}</span> `;

/**
 * The new content with the words that an edit put in and took out marked, in the form that clients style
 * (`highlight_text_inserted`, `highlight_text_deleted`; recorded behaviour of the reference server).
 */
export function contentHtmlDiff(before: string, after: string): string {
  const [old, now] = [wordsOf(before), piecesOf(after)];
  const words = now.filter(({ isTag }) => !isTag);
  const steps = stepsBetween(
    old.map(({ html }) => html),
    words.map(({ html }) => html),
  );
  return `<div>${write(now, old, steps)}</div>`;
}

/** Writes the new pieces; what went stands where the steps pass it, after the word before. */
function write(now: readonly Piece[], old: readonly Piece[], steps: readonly Step[]): string {
  const out: string[] = [];
  let [step, oldPlace] = [0, 0];
  let come: Piece[] = [];
  const endRun = () => {
    if (come.length > 0) out.push(span("inserted", come));
    come = [];
  };
  const takeGone = () => {
    const from = oldPlace;
    while (steps[step] === "gone") {
      step += 1;
      oldPlace += 1;
    }
    if (oldPlace > from) {
      endRun();
      const gap = out.length > 0 && !/[\s>]$/.test(out.at(-1) ?? "") ? " " : "";
      out.push(gap, span("deleted", old.slice(from, oldPlace)));
    }
  };
  for (const piece of now) {
    if (piece.isTag) {
      endRun();
      out.push(piece.html + piece.space);
      continue;
    }
    takeGone();
    if (steps[step] === "come") come.push(piece);
    else {
      endRun();
      out.push(piece.html + piece.space);
      oldPlace += 1;
    }
    step += 1;
    takeGone();
  }
  takeGone();
  endRun();
  return out.join("");
}
