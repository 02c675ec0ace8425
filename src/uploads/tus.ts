import type { Readable } from "node:stream";
import { DataStore, ERRORS, MemoryLocker, Server, Upload } from "@tus/server";
import { RawAnswer } from "../core/answer";
import { isoTime } from "../core/clock";
import type { Context, Person } from "../core/context";
import type { Connection } from "../core/endpoint";
import { ApiError } from "../core/errors";
import { perServer } from "../core/per-server";
import { makeToken } from "../core/secrets/secrets";
import {
  abandonResumable,
  beginResumable,
  countArrived,
  findResumable,
  finishResumable,
  type ResumableRow,
  resumableSeconds,
  takeNext,
} from "./resumable";
import { bytesPerMib } from "./room";

/*
 * The tus protocol (https://tus.io/protocols/resumable-upload, 1.0.0) for the uploads of
 * `resumable.ts`. The package `@tus/server` handles headers and offsets, but stores nothing.
 */

const path = "/api/v1/tus";
/** Milliseconds for which a request that hangs can block the next request for its upload. */
const releaseMilliseconds = 300;
const asked = ["content-type", "content-length", "tus-resumable"];
const askedOfUpload = [
  "upload-length",
  "upload-defer-length",
  "upload-metadata",
  "upload-offset",
  "upload-concat",
];
const answered = [
  "location",
  "upload-offset",
  "upload-length",
  "upload-metadata",
  "tus-resumable",
  "cache-control",
];

/**
 * Lets only one request at a time work on an upload. Requests on other nodes may run at that time,
 * because each byte has a fixed place in the file.
 */
const locker = perServer(() => new MemoryLocker());

/** The store of the tus package for one request: it has the uploads of the actor. */
class ActorsUploads extends DataStore {
  constructor(private readonly ctx: Context<Person>) {
    super();
    this.extensions = ["creation", "creation-with-upload", "termination"];
  }

  override async create(upload: Upload): Promise<Upload> {
    const { id, size = 0, metadata = {} } = upload;
    await beginResumable(this.ctx, { id, sizeBytes: size, metadata });
    return upload;
  }

  /**
   * Loads an upload. A complete upload becomes a file here too, because a client that learns from
   * the offset that it is complete sends no further request.
   */
  override async getUpload(id: string): Promise<Upload> {
    const row = await this.load(id);
    const offset = await countArrived(this.ctx.app, row);
    if (offset === row.sizeBytes) await finishResumable(this.ctx, row);
    const metadata: Record<string, string | null> = JSON.parse(row.metadata);
    return new Upload({
      id,
      size: row.sizeBytes,
      offset,
      metadata,
      creation_date: isoTime(row.createdAt),
    });
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const row = await this.load(id);
    if (offset === row.sizeBytes) return offset;
    const arrived = await takeNext(this.ctx.app, row, offset, stream);
    if (arrived === undefined) throw ERRORS.INVALID_OFFSET;
    return arrived;
  }

  override async remove(id: string): Promise<void> {
    await abandonResumable(this.ctx, await this.load(id));
  }

  async load(id: string): Promise<ResumableRow> {
    const row = await findResumable(this.ctx, id);
    if (!row) throw ERRORS.FILE_NOT_FOUND;
    return row;
  }
}

/** Answers a request that begins an upload, or that is about the upload with the given id. */
export async function answerTus(
  ctx: Context<Person>,
  connection: Connection,
  id?: string,
): Promise<RawAnswer> {
  const { app } = ctx;
  const store = new ActorsUploads(ctx);
  const failure: { error: unknown } = { error: undefined };
  const server = new Server({
    path,
    relativeLocation: true,
    datastore: store,
    locker: locker.of(app),
    lockDrainTimeout: releaseMilliseconds,
    maxSize: app.config.maxFileUploadSizeMib * bytesPerMib,
    namingFunction: () => makeToken(),
    async onUploadFinish({ method }, upload) {
      const done = await finishResumable(ctx, await store.load(upload.id));
      const body = JSON.stringify({ result: "success", msg: "", ...done });
      // A new upload is answered with 201, because clients expect its address only with that
      // status.
      return { body, ...(method === "POST" ? {} : { status_code: 200 }) };
    },
    onResponseError(_request, error) {
      failure.error = error;
      return undefined;
    },
  });
  const response = await server.handleWeb(requestOf(connection, id));
  const { error } = failure;
  if (error instanceof Error && !("status_code" in error)) throw error;
  return answerOf(ctx, response, await expiryOf(ctx, response, id));
}

function requestOf(connection: Connection, id: string | undefined): Request {
  const headers = new Headers();
  for (const name of [...asked, ...askedOfUpload]) {
    const value = connection.header(name);
    if (value !== null) headers.set(name, value);
  }
  const { method } = connection;
  const url = `http://localhost${path}${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;
  const hasBody = method === "PATCH" || method === "POST";
  return new Request(url, {
    method,
    headers,
    ...(hasBody ? { body: bodyOf(connection.chunks()) } : {}),
  });
}

/**
 * The body of a request as a stream. If the body breaks off, the stream ends there, and the
 * received bytes count.
 */
function bodyOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const next = await iterator.next().catch((error: unknown) => {
          if (error instanceof ApiError) return undefined;
          throw error;
        });
        if (next === undefined || next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: () => void iterator.return?.(),
    },
    { highWaterMark: 0 },
  );
}

/**
 * Value of the header `Upload-Expires`: the time until which an upload can be continued (RFC 9110,
 * 5.6.7); undefined for a finished one.
 */
async function expiryOf(
  ctx: Context<Person>,
  { status, headers }: Response,
  id: string | undefined,
) {
  if (status >= 300) return undefined;
  const upload = id ?? headers.get("location")?.slice(path.length + 1);
  const row = upload === undefined ? undefined : await findResumable(ctx, upload);
  if (!row || row.attachmentId !== null) return undefined;
  return new Date((row.createdAt + resumableSeconds) * 1_000).toUTCString();
}

async function answerOf(
  ctx: Context<Person>,
  response: Response,
  expires: string | undefined,
): Promise<RawAnswer> {
  const headers: Record<string, string> = {};
  for (const name of answered) {
    const value = response.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const { location } = headers;
  // A whole address, because some clients send the next request to it as it is.
  if (location !== undefined) headers["location"] = `${ctx.url}${location}`;
  if (expires !== undefined) headers["upload-expires"] = expires;
  const { status } = response;
  const text = (await response.text()).trim();
  if (status < 400) return new RawAnswer(text === "" ? null : text, status, headers);
  const code = status === 404 ? "NOT_FOUND" : status === 413 ? "REQUEST_TOO_LARGE" : "BAD_REQUEST";
  const msg = status === 404 ? "There is no such upload. Begin it again." : text;
  if (status === 412) headers["tus-version"] = "1.0.0";
  return new RawAnswer(JSON.stringify({ result: "error", msg, code }), status, headers);
}
