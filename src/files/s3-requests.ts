/** Address of an S3 store, and its access keys. `endpoint` has no slash at its end. */
export interface S3Place {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** A request that the store did not fulfil. `status` is 0 where it did not answer. */
export class S3RequestError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface S3Answer {
  text: string;
  headers: Headers;
}

/**
 * Sends one signed request of the S3 protocol (AWS Signature Version 4). Multipart uploads need it,
 * because Bun's client makes these only as a whole and in one process.
 */
export type S3Request = (
  method: string,
  key: string,
  query: Readonly<Record<string, string>>,
  body?: Uint8Array<ArrayBuffer>,
) => Promise<S3Answer>;

const requestMilliseconds = 120_000;
const nothing = new Uint8Array();

export function makeS3Requests(place: S3Place, nowMilliseconds: () => number): S3Request {
  return async (method, key, query, body = nothing) => {
    const path = `/${[place.bucket, ...key.split("/")].map(encode).join("/")}`;
    const search = Object.entries(query)
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .join("&");
    const url = new URL(`${place.endpoint}${path}?${search}`);
    const { AwsV4Signer } = await import("aws4fetch");
    const { headers } = await new AwsV4Signer({
      ...place,
      url: url.href,
      method,
      service: "s3",
      datetime: new Date(nowMilliseconds()).toISOString().replaceAll(/[-:]|\.\d{3}/g, ""),
      headers: { "x-amz-content-sha256": sha256(body) },
    }).sign();
    const signal = AbortSignal.timeout(requestMilliseconds);
    const init = {
      method,
      headers,
      redirect: "manual",
      signal,
      ...(method === "GET" ? {} : { body }),
    } as const;
    const answer = await fetch(url, init).catch((error: unknown) => {
      throw new S3RequestError(0, "Unreachable", String(error));
    });
    const text = await answer.text();
    // A multipart upload may fail even when its status says success.
    const code = textOf(text.includes("<Error>") ? text : "", "Code");
    if (!answer.ok || code !== undefined) {
      throw new S3RequestError(
        answer.status,
        code ?? textOf(text, "Code") ?? "",
        `${method} was answered with ${answer.status}`,
      );
    }
    return { text, headers: answer.headers };
  };
}

/** Encoding of Signature Version 4: all but letters, digits and `-._~`. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const sha256 = (content: Uint8Array) =>
  new Bun.CryptoHasher("sha256").update(content).digest("hex");

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
