/** Address of an S3 store, and the keys of its user. `endpoint` has no slash at its end. */
export interface S3Place {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * Error for an answer of the store that does not do what it was asked to. `status` is 0 where it
 * did not answer at all.
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

export interface S3Answer {
  text: string;
  headers: Headers;
}

/**
 * Sends one request of the S3 protocol, signed (AWS Signature Version 4): those of multipart
 * uploads, which Bun's client makes only as a whole and in one process.
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
      .sort()
      .join("&");
    const url = new URL(`${place.endpoint}${path}?${search}`);
    const time = new Date(nowMilliseconds()).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
    const headers = signed(place, {
      method,
      path: url.pathname,
      search,
      host: url.host,
      time,
      body,
    });
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
    // A multipart upload may fail behind a status of success.
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

const sha256 = (content: string | Uint8Array) =>
  new Bun.CryptoHasher("sha256").update(content).digest("hex");
const hmac = (key: string | Uint8Array, text: string) =>
  new Bun.CryptoHasher("sha256", key).update(text).digest();

interface Unsigned {
  method: string;
  path: string;
  search: string;
  host: string;
  time: string;
  body: Uint8Array;
}

function signed(
  { region, accessKeyId, secretAccessKey }: S3Place,
  ask: Unsigned,
): Record<string, string> {
  const { method, path, search, host, time, body } = ask;
  const hash = sha256(body);
  const names = "host;x-amz-content-sha256;x-amz-date";
  const lines = [`host:${host}`, `x-amz-content-sha256:${hash}`, `x-amz-date:${time}`, ""];
  const canonical = [method, path, search, ...lines, names, hash].join("\n");
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [region, "s3", "aws4_request"].reduce<Uint8Array>(
    hmac,
    hmac(`AWS4${secretAccessKey}`, day),
  );
  const signature = hmac(
    key,
    ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n"),
  ).toString("hex");
  return {
    "x-amz-content-sha256": hash,
    "x-amz-date": time,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** The text of the first element of that name. */
export function textOf(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return found
    ?.replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** Each element of that name, from its beginning to its end. */
export const elementsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, inner = ""]) => inner);
