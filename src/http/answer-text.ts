import { AnswerWithRemark } from "../core/answer";
import type { Answered } from "../core/endpoint";
import { isLong, memberPieces } from "../core/json/long-json";
import { JsonMembers, JsonPieces, plainMembers } from "../core/json/raw-json";
import { chunkLength, chunksOf } from "../core/text/text-chunks";
import { makePace, turn } from "../core/turns/turn";
import { echoedNames } from "./bounds";

/** The JSON of an answer. */
export interface AnswerText {
  pieces: readonly string[];
  /** Exact for long answers, approximate for short ones. */
  sizeBytes: number;
}

/**
 * Size from which Bun 1.4 sends a packet per header, if the body is given after the turn of its
 * request.
 */
export const longBytes = 15_360;
/** Size from which an answer is sent in pieces, each after the one before has left. */
const sentAtOnceMax = 1_048_576;
/** Length from which pieces are not joined, because a copy of a long text costs much memory. */
const joinedMax = 131_072;

const success = '{"result":"success","msg":""';
const remarked = (remark: string) => `{"result":"success","msg":${JSON.stringify(remark)}`;

/**
 * The answer of an endpoint: the members of its output after the envelope's members. Only a long
 * one has to be waited for.
 */
export function answerText(output: Answered, ignored: string[]): AnswerText | Promise<AnswerText> {
  const unsupported =
    ignored.length > 0
      ? `,"ignored_parameters_unsupported":${JSON.stringify(echoedNames(ignored))}`
      : "";
  if (output === undefined) return textOf([`${success}${unsupported}}`]);
  const isRemarked = output instanceof AnswerWithRemark;
  const head = `${isRemarked ? remarked(output.remark) : success}${unsupported}`;
  const members = membersOf(isRemarked ? output.output : output);
  if (typeof members === "string")
    return textOf([members === "" ? `${head}}` : `${head},${members}}`]);
  return members instanceof Promise
    ? members.then((pieces) => textOfPieces(head, pieces))
    : textOfPieces(head, members);
}

function textOfPieces(head: string, members: readonly string[]): AnswerText | Promise<AnswerText> {
  const pieces = [`${head},`, ...members, "}"];
  return isLongText(members) ? countInTurns(pieces) : textOf(pieces);
}

/** Length of texts whose bytes are counted in one turn of the event loop. */
const countedPerTurn = 524_288;

const isLongText = (pieces: readonly string[]) =>
  pieces.reduce((length, piece) => length + piece.length, 0) > countedPerTurn;

/** A text of more than `countedPerTurn`, counted with turns for other work. */
async function countInTurns(pieces: readonly string[]): Promise<AnswerText> {
  const pace = makePace(countedPerTurn);
  let sizeBytes = 0;
  for (const piece of pieces) {
    sizeBytes += Buffer.byteLength(piece);
    const others = pace(piece.length);
    if (others) await others;
  }
  return { pieces, sizeBytes };
}

/** The members of an output as JSON; in pieces if they may be long. */
function membersOf(output: object): string | readonly string[] | Promise<readonly string[]> {
  if (output instanceof JsonPieces) return output.pieces;
  if (output instanceof JsonMembers) return output.text;
  return isLong(output) ? memberPieces(output) : plainMembers(output);
}

/** A short text is joined without counting, because its exact size is not needed. */
export function textOf(pieces: readonly string[]): AnswerText {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  if (length * 3 < longBytes) return { pieces: [pieces.join("")], sizeBytes: length };
  if (length < joinedMax) {
    const text = pieces.join("");
    return { pieces: [text], sizeBytes: Buffer.byteLength(text) };
  }
  let sizeBytes = 0;
  for (const piece of pieces) sizeBytes += Buffer.byteLength(piece);
  return { pieces, sizeBytes };
}

/**
 * The body of an answer. `gone` is called once, when everything was sent or when the client has
 * disconnected; for a short answer at once.
 */
export function bodyOf(
  { pieces, sizeBytes }: AnswerText,
  gone: () => void,
): string | ReadableStream {
  if (sizeBytes < longBytes) {
    gone();
    return pieces.join("");
  }
  return sizeBytes < sentAtOnceMax
    ? streamAtOnce(pieces, sizeBytes, gone)
    : streamPieces(pieces, gone);
}

/** Bytes of an answer; a short one is counted here. */
export const bytesOf = ({ pieces, sizeBytes }: AnswerText): number =>
  sizeBytes < longBytes ? Buffer.byteLength(pieces.join("")) : sizeBytes;

/** Whether an answer is long enough to be sent in pieces. */
export const isSentInPieces = ({ sizeBytes }: AnswerText): boolean => sizeBytes >= sentAtOnceMax;

/** The body of an answer that consists of bytes already. See `bodyOf`. */
export function bodyOfBytes(
  bytes: Uint8Array<ArrayBuffer>,
  gone: () => void,
): Uint8Array<ArrayBuffer> | ReadableStream {
  if (bytes.length >= longBytes) return streamAtOnce([bytes], bytes.length, gone);
  gone();
  return bytes;
}

/**
 * A stream that ends at once and is buffered completely is sent in one packet with its length, in a
 * third of the time.
 */
function streamAtOnce(
  pieces: readonly (string | Uint8Array<ArrayBuffer>)[],
  sizeBytes: number,
  gone: () => void,
): ReadableStream {
  return directStream(sizeBytes + 1, gone, (controller) => {
    for (const piece of pieces) controller.write(piece);
    // It waits while the client does not read, even if the client never reads, until its connection
    // is closed.
    Promise.resolve(controller.end()).then(gone, gone);
  });
}

/**
 * The network has only one piece at a time, so that a client that reads slowly costs only the
 * memory of the text.
 */
function streamPieces(pieces: readonly string[], gone: () => void): ReadableStream {
  let hasGone = false;
  const end = () => {
    hasGone = true;
    gone();
  };
  return directStream(chunkLength, end, async (controller) => {
    for (const chunk of chunksOf(pieces)) {
      if (hasGone) return;
      controller.write(chunk);
      await controller.flush(true);
      // A client that reads quickly takes everything at once: without a pause, nobody else would be
      // answered until the end.
      await turn();
    }
    Promise.resolve(controller.end()).then(end, end);
  });
}

function directStream(
  highWaterMark: number,
  cancel: () => void,
  pull: (controller: ReadableStreamDirectController) => void | Promise<void>,
): ReadableStream {
  // The types of the DOM lack this kind of source, which only Bun has.
  const source: object = { type: "direct", pull, cancel };
  return new ReadableStream(source, { highWaterMark });
}
