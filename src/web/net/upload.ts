import type { AnswerTo } from "../../api-types";
import { now } from "../clock";
import { signed } from "./api";
import { untilWorthTrying } from "./pause";
import { bodyOf, headerOf, Refusal } from "./refusal";

/** The address of a file on the server, and its name as people see it. */
export type Uploaded = Pick<AnswerTo<"POST", "/user_uploads">, "url" | "filename">;

export interface Progress {
  readonly signal: AbortSignal;
  /** Told how many bytes have arrived. */
  sent(bytes: number): void;
}

/** Where a file that goes in parts is on the server; undefined until it has a place there. */
export interface Parts {
  address: string | undefined;
}

/** Larger files go in parts, so that a lost connection costs one part. */
const wholeBytesMax = 5 * 1_048_576;

/** Uploads a file; one whose parts have a place already goes on there. Throws a `Refusal`. */
export const uploadFile = (file: File, parts: Parts, progress: Progress): Promise<Uploaded> =>
  file.size > wholeBytesMax ? uploadInParts(file, parts, progress) : uploadWhole(file, progress);

async function uploadWhole(file: File, progress: Progress): Promise<Uploaded> {
  const form = new FormData();
  form.append("file", file, file.name);
  progress.sent(0);
  return uploadedOf(await signed((headers) => sendForm(form, headers, progress)));
}

/** The file that an answer tells of. */
async function uploadedOf(response: Response): Promise<Uploaded> {
  const answer: Uploaded = await bodyOf(response);
  return answer;
}

/** Sends a form by the one interface of browsers that tells how much of it has gone out. */
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

/** Uploads a file by the protocol tus 1.0.0; after a lost connection it goes on where it was. */
async function uploadInParts(file: File, parts: Parts, progress: Progress): Promise<Uploaded> {
  const { address } = parts;
  if (address !== undefined)
    try {
      return await goOn(file, address, progress);
    } catch (error) {
      // The server keeps no parts for ever.
      if (!(error instanceof Refusal) || !isGone(error)) throw error;
    }
  parts.address = await retried(progress, () => beginParts(file, progress));
  return goOn(file, parts.address, progress, 0);
}

/** Sends the parts from an offset on; from that of the server where none is given. */
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

/** Has the server delete the parts of a file that is given up; those it keeps it deletes in time. */
export async function deleteParts({ address }: Parts): Promise<void> {
  if (address === undefined) return;
  // A part may still be arriving, and is waited for.
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

/** Runs a step again after the connection was lost, until it is given up. */
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
      // The network may be there again, which has nothing to do with the tries before.
      if (now() - begun < pause / 2) tries = 0;
    }
  }
}

/**
 * Whether a step may work once more: after a lost connection a browser may have sent a part twice,
 * so that its offset is another one by now (409), or the part before may still be arriving (423).
 */
const mayHelp = ({ status }: Refusal): boolean =>
  status === 0 || status === 409 || status === 423 || status === 429 || status >= 500;

const base64 = (text: string): string =>
  btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
