import { type Encoding, encodingForOwnPage, variesForOwnPage } from "../core/content-encoding";
import type { Context, UserRow } from "../core/context";
import { once } from "../core/once";
import { chunksOf } from "../core/text/text-chunks";
import type { Answering } from "./answer-budget";
import { type AnswerText, bytesOf, isSentInPieces } from "./answer-text";
import type { Routed } from "./elysia";
import type { LimitState } from "./rate-limit";
import {
  compressedResponse,
  headResponse,
  jsonHeaders,
  jsonHeadersWith,
  textResponse,
} from "./respond";

/** Shorter answers fit into a packet or two anyway. */
const compressedBytesMin = 2_048;

/** Name of the header that tells pages which build of the web client the server has. */
export const buildHeader = "x-chatd-build";

/** The code that compresses is loaded on first use, because it would make every start slower. */
const compressing = once((): typeof import("../core/compress") => require("../core/compress"));

/** The person whose browser session is used; undefined for other callers. */
export const sessionUserOf = ({ actor }: Pick<Context, "actor">): UserRow | undefined =>
  "isSession" in actor && actor.isSession === true ? actor.user : undefined;

interface MadeAnswer {
  text: AnswerText;
  routed: Routed;
  limitState: LimitState | undefined;
  answering: Answering;
  /** Id of the web client's build, for an answer to a session; undefined for others. */
  buildId: string | undefined;
}

/** The headers of answers to sessions, with the id of the server's current build. */
let ofSessions = { buildId: "", headers: jsonHeaders };

function headersFor(buildId: string | undefined): Headers {
  if (buildId === undefined) return jsonHeaders;
  if (ofSessions.buildId !== buildId)
    ofSessions = { buildId, headers: jsonHeadersWith(buildHeader, buildId) };
  return ofSessions.headers;
}

/** The answer to a request as it is. */
export function plainResponse(answer: MadeAnswer): Response {
  const { text, routed } = answer;
  if (routed.details) routed.details.sizeBytes = bytesOf(text);
  const respond = routed.request.method === "HEAD" ? headResponse : textResponse;
  return respond(text, sendingOf(answer));
}

const sendingOf = ({ routed, limitState, answering, buildId }: MadeAnswer) => ({
  requestId: routed.requestId,
  limitState,
  base: headersFor(buildId),
  gone: answering.gone,
});

/**
 * The answer to a request in a browser's session, compressed if that is worth it. Answers to bots
 * and programs, which sign with keys, are not compressed, because these are near and many.
 */
export const sessionResponse = (answer: MadeAnswer): Response | Promise<Response> =>
  answer.text.sizeBytes < compressedBytesMin ? plainResponse(answer) : longResponse(answer);

async function longResponse(answer: MadeAnswer): Promise<Response> {
  const { headers } = answer.routed.request;
  const encoding = encodingForOwnPage((name) => headers.get(name));
  const response =
    encoding === "identity" ? plainResponse(answer) : await compressed(answer, encoding);
  response.headers.set("vary", variesForOwnPage);
  return response;
}

async function compressed(
  answer: MadeAnswer,
  encoding: Exclude<Encoding, "identity">,
): Promise<Response> {
  const { text, routed, answering } = answer;
  const { compress, compressPieces } = compressing();
  const bytes = isSentInPieces(text)
    ? await compressPieces(chunksOf(text.pieces), encoding)
    : compress(Buffer.from(text.pieces.join("")), encoding, "fast");
  answering.compressed(bytes.length);
  if (routed.details) routed.details.sizeBytes = bytes.length;
  const isHead = routed.request.method === "HEAD";
  return compressedResponse({ bytes, encoding, isHead }, sendingOf(answer));
}
