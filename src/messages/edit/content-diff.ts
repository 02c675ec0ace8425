import { isBlock, type Piece, piecesOf } from "./html-pieces";
import { fit, partsOf, type RemovedPart, removedHtml } from "./removed-part";
import { type Step, stepsBetween } from "./shortest-way";

/**
 * Marks the changes of an edit in the HTML of the new content: added and removed words, each run of
 * them in a span. Tags of the new content stay unchanged; those of the old content are kept only
 * around removed words, so that the result is as well-formed as the new content. Both come from our
 * own renderer.
 */

/**
 * The new content with added and removed words marked, in the form that clients style
 * (`highlight_text_inserted`, `highlight_text_deleted`; recorded behaviour of the reference
 * server).
 */
export function contentHtmlDiff(before: string, after: string): string {
  const [old, now] = [piecesOf(before), piecesOf(after)];
  const steps = stepsBetween(wordsIn(old), wordsIn(now));
  return `<div>${write(now, byWord(old), steps)}</div>`;
}

const isWord = ({ kind }: Piece): boolean => kind === "word";
const wordsIn = (pieces: readonly Piece[]): string[] =>
  pieces.filter(isWord).map(({ html }) => html);

/** Each word with its tags: elements that end after it, and elements that begin before it. */
function byWord(pieces: readonly Piece[]): Piece[][] {
  const words: Piece[][] = [];
  let begun: Piece[] = [];
  for (const piece of pieces) {
    if (isWord(piece)) {
      words.push([...begun, piece]);
      begun = [];
    } else if (piece.kind === "closing" && begun.length === 0) words.at(-1)?.push(piece);
    else begun.push(piece);
  }
  return words;
}

/** Writes the new pieces, with the removed ones between them. */
function write(now: readonly Piece[], old: readonly Piece[][], steps: readonly Step[]): string {
  const out = beginText();
  let [step, oldPlace] = [0, 0];
  let tags: Piece[] = [];
  const writeBetween = (next: Piece | undefined) => {
    const from = oldPlace;
    while (steps[step] === "gone") {
      step += 1;
      oldPlace += 1;
    }
    const gone = partsOf(old.slice(from, oldPlace).flat(), steps[step] === "come");
    writeWithParts(out, tags, next, gone);
    tags = [];
  };
  for (const piece of now) {
    if (!isWord(piece)) {
      tags.push(piece);
      continue;
    }
    writeBetween(piece);
    if (steps[step] === "come") out.addNew(piece);
    else {
      out.add(piece.html + piece.space);
      oldPlace += 1;
    }
    step += 1;
  }
  writeBetween(undefined);
  return out.end();
}

/**
 * Writes the tags between two new words, and each removed part at the best place among them, in
 * order.
 */
function writeWithParts(
  out: Text,
  tags: readonly Piece[],
  next: Piece | undefined,
  parts: readonly RemovedPart[],
) {
  const places = [
    ...tags.map(({ kind, element, within }) => (kind === "closing" ? element : within)),
    next?.within,
  ];
  let place = 0;
  const writeUpTo = (end: number) => {
    for (const { html, space, element } of tags.slice(place, end))
      out.add(html + space, isBlock(element));
    place = end;
  };
  for (const { pieces, base, isBeginning } of parts) {
    const fits = places.map((around, index) =>
      index < place ? Number.NEGATIVE_INFINITY : fit(base, around),
    );
    const best = Math.max(...fits.slice(place));
    writeUpTo(isBeginning ? fits.lastIndexOf(best) : fits.indexOf(best, place));
    out.addRemoved(removedHtml(pieces, places[place]));
  }
  writeUpTo(tags.length);
}

/** The HTML so far. New words are held back, because one span marks a whole run of them. */
function beginText() {
  const parts: string[] = [];
  let come: Piece[] = [];
  let needsSpace = false;
  const endRun = () => {
    const words = come.map(({ html, space }) => html + space).join("");
    come = [];
    if (words !== "")
      append(`<span class="highlight_text_inserted">${words.trimEnd()}</span> `, false);
  };
  const append = (html: string, isBlockTag: boolean) => {
    parts.push(html);
    needsSpace = !isBlockTag && !/\s$/.test(html) && !/^<[^/][^>]*>$/.test(html);
  };
  return {
    add(html: string, isBlockTag = false) {
      endRun();
      append(html, isBlockTag);
    },
    addNew: (word: Piece) => void come.push(word),
    addRemoved(html: string) {
      if (html === "") return;
      endRun();
      append(needsSpace ? ` ${html}` : html, false);
    },
    end(): string {
      endRun();
      return parts.join("");
    },
  };
}

type Text = ReturnType<typeof beginText>;
