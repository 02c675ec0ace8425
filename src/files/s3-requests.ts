import { type Clock, systemClock } from "../core/clock";

/** Address of an S3 store, and its access keys. `endpoint` has no slash at its end. */
export interface S3Place {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * A request that the store has refused or not answered. `status` is 0 where it has not answered.
 */
export class S3RequestError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

interface S3Answer {
  bytes: ArrayBuffer;
  headers: Headers;
}

interface S3Content {
  body?: Uint8Array<ArrayBuffer>;
  /** The bytes that are wanted, as in the header `Range`. */
  range?: string;
}

/** Sends one signed request of the S3 protocol (AWS Signature Version 4). */
export type S3Request = (
  method: string,
  key: string,
  query: Readonly<Record<string, string>>,
  content?: S3Content,
) => Promise<S3Answer>;

/**
 * Time until the answer begins. A store that hangs is noticed after three tries, in less time than
 * browsers and proxies wait.
 */
const answerSeconds = 15;
/** Slowest upload that is waited for. */
const bytesPerSecondMin = 65_536;
/** Time for the answer's content after it has begun. */
const contentSeconds = 120;
const nothing = new Uint8Array();

export function makeS3Requests(place: S3Place, clock: Pick<Clock, "after">): S3Request {
  return async (method, key, query, { body = nothing, range } = {}) => {
    const { url, headers } = await signed(place, method, key, query, body);
    // Objects are wanted as they are stored, and their sizes too.
    headers.set("accept-encoding", "identity");
    if (range !== undefined) headers.set("range", range);
    const deadline = makeDeadline(clock, method);
    const init = {
      method,
      headers,
      redirect: "manual",
      signal: deadline.signal,
      ...(method === "GET" || method === "HEAD" ? {} : { body }),
    } as const;
    try {
      deadline.set(answerSeconds + Math.floor(body.byteLength / bytesPerSecondMin));
      const answer = await fetch(url, init);
      deadline.set(contentSeconds);
      const bytes = await answer.arrayBuffer();
      requireSuccess(method, answer, bytes);
      return { bytes, headers: answer.headers };
    } catch (error) {
      if (error instanceof S3RequestError) throw error;
      throw new S3RequestError(0, "Unreachable", String(error));
    } finally {
      deadline.end();
    }
  };
}

async function signed(
  place: S3Place,
  method: string,
  key: string,
  query: Readonly<Record<string, string>>,
  body: Uint8Array<ArrayBuffer>,
) {
  const path = `/${[place.bucket, ...key.split("/")].map(encode).join("/")}`;
  const search = Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join("&");
  const url = new URL(`${place.endpoint}${path}${search === "" ? "" : `?${search}`}`);
  const { AwsV4Signer } = await import("aws4fetch");
  const { headers } = await new AwsV4Signer({
    ...place,
    url: url.href,
    method,
    service: "s3",
    // The store compares this time with its own clock.
    datetime: new Date(systemClock.nowMilliseconds()).toISOString().replaceAll(/[-:]|\.\d{3}/g, ""),
    headers: { "x-amz-content-sha256": sha256(body) },
  }).sign();
  return { url, headers };
}

/** Aborts a request whose time is over. */
function makeDeadline(clock: Pick<Clock, "after">, method: string) {
  const controller = new AbortController();
  let stop = () => {};
  return {
    signal: controller.signal,
    set(seconds: number) {
      stop();
      const reason = `${method} was not answered within ${seconds} seconds.`;
      stop = clock.after(seconds * 1_000, () =>
        controller.abort(new S3RequestError(0, "NoAnswer", reason)),
      );
    },
    end: () => stop(),
  };
}

function requireSuccess(method: string, { ok, status }: Response, bytes: ArrayBuffer) {
  // The answer to the end of a multipart upload may contain an error even when its status says
  // success.
  const text = ok && method !== "POST" ? "" : textIn(bytes);
  const code = textOf(text.includes("<Error>") ? text : "", "Code");
  if (ok && code === undefined) return;
  const why = textOf(text, "Message");
  throw new S3RequestError(
    status,
    code ?? textOf(text, "Code") ?? "",
    `${method} was answered with ${status}${why === undefined ? "" : `: ${why}`}`,
  );
}

const attemptsMax = 3;

/** Repeats an idempotent request when the store has failed or not answered. */
export async function retried<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const isPassing =
        error instanceof S3RequestError && (error.status === 0 || error.status >= 500);
      if (!isPassing || attempt === attemptsMax) throw error;
    }
  }
}

/**
 * Whether an error of the store says that the object or upload does not exist. A bucket that does
 * not exist is a mistake in the configuration.
 */
export const isMissing = (error: unknown): boolean =>
  error instanceof S3RequestError && error.status === 404 && error.code !== "NoSuchBucket";

/** Encoding of Signature Version 4: all but letters, digits and `-._~`. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const sha256 = (content: Uint8Array) =>
  new Bun.CryptoHasher("sha256").update(content).digest("hex");

export const textIn = (bytes: ArrayBuffer): string => new TextDecoder().decode(bytes);

/** The text of the first element with that name. */
export function textOf(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return found
    ?.replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** Each element with that name, including its tags. */
export const elementsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, inner = ""]) => inner);
