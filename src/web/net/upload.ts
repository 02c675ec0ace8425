import type { AnswerTo } from "../../api-types";
import { now } from "../clock";
import { signed } from "./api";
import { untilWorthTrying } from "./pause";
import { bodyOf, headerOf, Refusal } from "./refusal";

/** The address of an uploaded file, and its name for people. */
export type Uploaded = Pick<AnswerTo<"POST", "/user_uploads">, "url" | "filename">;

export interface Progress {
  readonly signal: AbortSignal;
  /** Told how many bytes have been uploaded. */
  sent(bytes: number): void;
}

/** The address at which the server collects the parts of a file; undefined until there is one. */
export interface Parts {
  address: string | undefined;
}

/** Larger files are uploaded in parts, so that a lost connection costs one part. */
const wholeBytesMax = 5 * 1_048_576;

/**
 * Uploads a file. If some of its parts were uploaded before, it continues after them. Throws a
 * `Refusal`.
 */
export const uploadFile = (file: File, parts: Parts, progress: Progress): Promise<Uploaded> =>
  file.size > wholeBytesMax ? uploadInParts(file, parts, progress) : uploadWhole(file, progress);

async function uploadWhole(file: File, progress: Progress): Promise<Uploaded> {
  const form = new FormData();
  form.append("file", file, file.name);
  progress.sent(0);
  return uploadedOf(await signed((headers) => sendForm(form, headers, progress)));
}

/** The uploaded file in an answer. */
async function uploadedOf(response: Response): Promise<Uploaded> {
  const answer: Uploaded = await bodyOf(response);
  return answer;
}

/** Sends a form with XMLHttpRequest, because only that reports the progress of an upload. */
function sendForm(
  form: FormData,
  headers: Readonly<Record<string, string>>,
  { signal, sent }: Progress,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/v1/user_uploads");
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => sent(loaded);
    request.onload = () =>
      resolve(
        new Response(request.responseText, { status: request.status, headers: retry(request) }),
      );
    request.onerror = () => reject(new Refusal(0, "UNREACHABLE", "The connection was lost."));
    request.onabort = () => reject(new Refusal(0, "ABORTED", "Cancelled."));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}

function retry(request: XMLHttpRequest): Record<string, string> {
  const seconds = request.getResponseHeader("retry-after");
  return seconds === null ? {} : { "retry-after": seconds };
}

const version = { "tus-resumable": "1.0.0" };
const partBytes = 1_048_576;
const triesMax = 8;
const pauseMilliseconds = { first: 500, most: 15_000 };

/**
 * Uploads a file in parts with the protocol tus 1.0.0. After a lost connection, it continues after
 * the last complete part.
 */
async function uploadInParts(file: File, parts: Parts, progress: Progress): Promise<Uploaded> {
  const { address } = parts;
  if (address !== undefined)
    try {
      return await goOn(file, address, progress);
    } catch (error) {
      // The server does not keep parts for ever.
      if (!(error instanceof Refusal) || !isGone(error)) throw error;
    }
  parts.address = await retried(progress, () => beginParts(file, progress));
  return goOn(file, parts.address, progress, 0);
}

/** Sends the parts from an offset on; without an offset, from the server's. */
async function goOn(
  file: File,
  address: string,
  progress: Progress,
  from?: number,
): Promise<Uploaded> {
  let offset = from ?? 0;
  let isSure = from !== undefined;
  for (;;) {
    const answer = await retried(progress, async () => {
      try {
        if (!isSure) offset = await askOffset(address, progress);
        isSure = false;
        return await sendPart(file, address, offset, progress);
      } finally {
        if (offset > 0) progress.sent(offset);
      }
    });
    isSure = true;
    offset = answer.offset;
    progress.sent(offset);
    if (offset >= file.size) return answer.uploaded();
  }
}

const isGone = ({ status }: Refusal): boolean => status === 404 || status === 410;

/**
 * Deletes the parts of a cancelled upload from the server. Otherwise the server deletes them later.
 */
export async function deleteParts({ address }: Parts): Promise<void> {
  if (address === undefined) return;
  // Waits for a part that may still be arriving.
  const progress = { signal: new AbortController().signal, sent: () => undefined };
  const once = () =>
    signed((headers) => fetch(address, { method: "DELETE", headers: { ...headers, ...version } }));
  await retried(progress, once).catch(Refusal.of);
}

async function beginParts(file: File, { signal }: Progress): Promise<string> {
  const metadata = `filename ${base64(file.name)},filetype ${base64(file.type)}`;
  const response = await signed((headers) =>
    fetch("/api/v1/tus/", {
      method: "POST",
      headers: {
        ...headers,
        ...version,
        "upload-length": String(file.size),
        "upload-metadata": metadata,
      },
      signal,
    }),
  );
  return new URL(headerOf(response, "location"), response.url).pathname;
}

async function askOffset(address: string, { signal }: Progress): Promise<number> {
  const response = await signed((headers) =>
    fetch(address, { method: "HEAD", headers: { ...headers, ...version }, signal }),
  );
  return Number(headerOf(response, "upload-offset"));
}

async function sendPart(file: File, address: string, offset: number, { signal }: Progress) {
  const part = file.slice(offset, offset + partBytes);
  const response = await signed((headers) =>
    fetch(address, {
      method: "PATCH",
      headers: {
        ...headers,
        ...version,
        "upload-offset": String(offset),
        "content-type": "application/offset+octet-stream",
      },
      body: part,
      signal,
    }),
  );
  const uploaded = () => uploadedOf(response);
  return { offset: Number(headerOf(response, "upload-offset")), uploaded };
}

/** Repeats a step after the connection was lost, until the upload is cancelled. */
async function retried<Answer>(progress: Progress, run: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (
        !(error instanceof Refusal) ||
        !mayHelp(error) ||
        progress.signal.aborted ||
        tries >= triesMax
      )
        throw error;
      const { first, most } = pauseMilliseconds;
      const pause = Math.min(first * 2 ** (tries - 1), most);
      const begun = now();
      await untilWorthTrying(pause, progress.signal);
      // The network may be back. Earlier failures say nothing about that.
      if (now() - begun < pause / 2) tries = 0;
    }
  }
}

/**
 * Whether it may help to repeat a step. After a lost connection a browser may have sent a part
 * twice, so that the offset has changed (409), or the previous part may still be arriving (423).
 */
const mayHelp = ({ status }: Refusal): boolean =>
  status === 0 || status === 409 || status === 423 || status === 429 || status >= 500;

const base64 = (text: string): string =>
  btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
