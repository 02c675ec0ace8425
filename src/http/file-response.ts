import { type FileAnswer, readBytes } from "../core/answer";
import { ApiError } from "../core/errors";
import type { Answering } from "./answer-budget";
import type { LimitState } from "./rate-limit";
import { errorResponse, limitHeaders, notModified } from "./respond";

/**
 * A file as its reader asks for it: the whole file, a range (RFC 9110, 14), only the header, or
 * nothing if the reader already has it (RFC 9110, 13). A request for several ranges gets the whole
 * file. A file from another machine counts towards the answers in progress while parts of it are in
 * memory, and is refused (SERVER_BUSY, 503) while these are too many.
 */
export function fileResponse(
  file: FileAnswer,
  request: Request,
  requestId: string,
  limitState: LimitState | undefined,
  answering: Answering,
): Response {
  const { content, headers: ownHeaders } = file;
  if (isUnchanged(file, request)) return notModified(file, requestId, limitState);
  const headers: Record<string, string> = {
    "x-content-type-options": "nosniff",
    "accept-ranges": "bytes",
    ...ownHeaders,
    "x-request-id": requestId,
    ...limitHeaders(limitState),
  };
  const asked = request.headers.get("range");
  // A range is defined for GET alone (RFC 9110, 14.2).
  const range =
    asked === null || request.method === "HEAD" || !isSameVersion(file, request)
      ? undefined
      : readRange(asked, content.size);
  if (range === "unsatisfiable") return outOfRange(content.size, requestId, limitState);
  const { start, end } = range ?? { start: 0, end: content.size };
  headers["content-length"] = String(end - start);
  if (range) headers["content-range"] = `bytes ${start}-${end - 1}/${content.size}`;
  const init = { status: range ? 206 : 200, headers };
  if (request.method === "HEAD") return new Response(null, init);
  const wanted = range ? content.slice(start, end) : content;
  // Bun would cut a range out of a file by itself, also where none is to be sent.
  const isPlain = wanted instanceof Blob && (range !== undefined || asked === null);
  if (isPlain) return new Response(wanted, init);
  if (wanted instanceof Blob) return new Response(wanted.stream(), init);
  answering.expect(Math.min(wanted.size, readBytes));
  return new Response(untilGone(wanted.stream(), answering.gone), init);
}

/** A stream that tells when it has been read, or when nobody reads it any more. */
function untilGone(stream: ReadableStream<Uint8Array>, gone: () => void) {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await reader.read().catch((error: unknown) => {
          gone();
          throw error;
        });
        if (!next.done) return controller.enqueue(next.value);
        gone();
        controller.close();
      },
      cancel(reason) {
        gone();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function isUnchanged({ headers: ownHeaders }: FileAnswer, { headers }: Request): boolean {
  const etags = headers.get("if-none-match");
  if (etags !== null)
    return etags
      .split(",")
      .some((one) => ["*", ownHeaders.etag].includes(one.trim().replace(/^W\//, "")));
  const [since, changedAt] = [headers.get("if-modified-since"), ownHeaders["last-modified"]];
  return since !== null && changedAt !== undefined && Date.parse(changedAt) <= Date.parse(since);
}

/** Whether what somebody has a part of is this very file. */
function isSameVersion({ headers: ownHeaders }: FileAnswer, { headers }: Request): boolean {
  const version = headers.get("if-range");
  return (
    version === null ||
    version === ownHeaders.etag ||
    (ownHeaders["last-modified"] !== undefined && version === ownHeaders["last-modified"])
  );
}

/**
 * Range of bytes that a header asks for, `end` not included; undefined where it says nothing that
 * can be understood.
 */
function readRange(
  header: string,
  size: number,
): { start: number; end: number } | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header.trim()) ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "")
    return last === "0" || size === 0
      ? "unsatisfiable"
      : { start: Math.max(size - Number(last), 0), end: size };
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  return start >= size
    ? "unsatisfiable"
    : { start, end: last === "" ? size : Math.min(Number(last) + 1, size) };
}

function outOfRange(size: number, requestId: string, limitState: LimitState | undefined): Response {
  const error = new ApiError(
    "BAD_REQUEST",
    `The file has ${size} bytes: there is nothing at that range.`,
    416,
  );
  const response = errorResponse(error, requestId, limitState);
  response.headers.set("content-range", `bytes */${size}`);
  return response;
}
