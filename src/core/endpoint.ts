import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox";
import type { Config } from "../config/config";
import type { Answering } from "../http/answer-budget";
import type { AnswerWithRemark, FileAnswer, Page, RawAnswer } from "./answer";
import type { Auditing } from "./audit";
import type { Context, Person } from "./context";
import type { JsonMembers, JsonPieces } from "./json/raw-json";
import { snakeCase } from "./text/snake-case";

/** The methods of HTTP that endpoints may have, in the order in which `Allow` names them. */
export const methods = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"] as const;
export type Method = (typeof methods)[number];

/**
 * Callers who may use an endpoint. "anyone" needs no sign-in; the others need an active account:
 * "user" any, "nonGuest" all but guests, "administrator" and "owner" that role or a higher one;
 * "spectator" is "user", or, in an organization with public access, anybody who sends no
 * credentials.
 */
export type Who = "anyone" | "spectator" | "user" | "nonGuest" | "administrator" | "owner";

/**
 * Kinds of accounts that may call an endpoint. "all": everybody except incoming-webhook bots.
 * "people": only people. "bots": bots except incoming-webhook bots. "writers": everybody, including
 * incoming-webhook bots, which may only write.
 */
export type Callers = "all" | "people" | "bots" | "writers";

/** Facts about the client's connection, which only long polls look at. */
export interface Connection {
  method: string;
  signal: AbortSignal;
  /**
   * Announces roughly how many bytes the answer of a verb will have, before the verb reads them.
   * Refuses (SERVER_BUSY, 503) while the server is sending too much.
   */
  expect(sizeBytes: number): void;
  /** The count of the answer's bytes while it is made and sent. */
  readonly answering: Answering;
  /**
   * Lifts the server's timeout for silent connections until the request is answered, because that
   * timeout is meant for silent clients.
   */
  keepOpen(): void;
  /** The address that the request came from. Headers of proxies count only if they are trusted. */
  origin(): string;
  /**
   * The address that the client's requests are counted under. Headers of proxies count only if the
   * proxies are trusted.
   */
  address(): string;
  /** Whether the client speaks https. Headers of proxies count only if the proxies are trusted. */
  isEncrypted(): boolean;
  /** Path and query of the request, as they were sent. */
  readonly target: string;
  /** A header of the request; null where there is none. */
  header(name: string): string | null;
  /** The file of the form, where the endpoint takes a picture. */
  picture?: Uint8Array;
  /**
   * The raw body: only where the endpoint is a webhook. Refuses one that is too large
   * (REQUEST_TOO_LARGE).
   */
  body(): Promise<Buffer>;
  /** The body as it arrives: only where the endpoint takes files. */
  chunks(): AsyncIterable<Uint8Array>;
  /**
   * The parts of a multipart body, as they arrive, and nothing for any other body: only where the
   * endpoint takes files.
   */
  parts(): AsyncIterable<Part>;
}

/** A part of a multipart form: a field or, with a file's name, a file. */
export interface Part {
  name: string;
  filename: string | undefined;
  chunks: AsyncIterable<Uint8Array>;
}

type Cost = (parameters: ReadonlyMap<string, string>) => number;

/**
 * Kinds of request bodies. "parameters" is a form, urlencoded or multipart, or a JSON object, each
 * field of which is a parameter. "picture" is like "parameters", with at most one file of `mibMax`
 * MiB in a multipart form. "files" is read by the verb itself, part by part. "webhook" is posted by
 * other services in forms of their own, so its parameters come in the query string alone, where
 * `api_key` says who posts, instead of HTTP Basic.
 */
type BodyKind =
  | { readonly kind: "parameters" | "files" | "webhook" }
  | { readonly kind: "picture"; readonly mibMax: (config: Config) => number };

export const files: BodyKind = { kind: "files" };
export const webhook: BodyKind = { kind: "webhook" };
export const picture = (mibMax: (config: Config) => number): BodyKind => ({
  kind: "picture",
  mibMax,
});

/** An answer that is no JSON, with the types of content that it may have. */
export interface OtherOutput {
  readonly kind: "page" | "redirect" | "file" | "raw";
  readonly contentTypes: readonly string[];
}

/**
 * The answer of an endpoint: the members other than the envelope's `result`, `msg` and
 * `ignored_parameters_unsupported`, by their names on the wire; or an answer that is not JSON.
 */
export type Output = TObject | OtherOutput;

/** Whether an endpoint answers JSON. */
export const isJson = (output: Output): output is TObject => !Object.hasOwn(output, "kind");

/** The answer of an endpoint that has no members except the envelope's. */
export const noFields = Type.Object({});

/** A page for people. */
export const page: OtherOutput = { kind: "page", contentTypes: ["text/html"] };
/** An answer that leads elsewhere (302). */
export const redirect: OtherOutput = { kind: "redirect", contentTypes: ["text/html"] };
/** A file, of any type unless some are named. */
export const file = (...contentTypes: string[]): OtherOutput => ({
  kind: "file",
  contentTypes: contentTypes.length === 0 ? ["application/octet-stream"] : contentTypes,
});
/** An answer of another protocol. */
export const raw = (...contentTypes: string[]): OtherOutput => ({ kind: "raw", contentTypes });

/**
 * The answer of a verb. Members may be JSON already; only tests check that these match the
 * declaration.
 */
export type Answered = object | undefined;

type AnswerOf<Out extends Output> = Out extends TObject
  ?
      | Static<Out>
      | JsonPieces
      | JsonMembers
      | AnswerWithRemark<Static<Out>>
      | (object extends Static<Out> ? undefined : never)
  : Page | FileAnswer | RawAnswer;

/**
 * One operation of the protocol as data: its route, decoding, authorization and documentation all
 * follow from this.
 */
export interface Endpoint {
  readonly method: Method;
  /**
   * Path below `/api/v1`, or below the root for pages that browsers open. Parameters are in braces:
   * `/messages/{message_id}`.
   */
  readonly path: string;
  /** Whether the last parameter of the path may hold slashes. */
  readonly takesRest: boolean;
  readonly body: BodyKind;
  /**
   * Whether it serves a picture to everybody. Requests for pictures are counted by address, apart
   * from other requests.
   */
  readonly isPicture: boolean;
  /** One sentence for the reader of the documentation. */
  readonly summary: string;
  readonly who: Who;
  readonly callers: Callers;
  /**
   * Properties in camelCase are parameters in snake_case on the wire, including those of the path.
   */
  readonly input: TObject;
  readonly output: Output;
  /** Statuses of its answers other than 200 and those of refusals that any endpoint may give. */
  readonly statuses: readonly number[];
  /** Other names under which a parameter is accepted. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Number of requests that a request with these parameters counts for in the rate limits. */
  readonly cost: Cost;
  /** Its acts in the audit log; undefined where it changes nothing. */
  readonly audit: Auditing | undefined;
  /** Runs the verb on decoded input; the actor has an account unless `who` is "anyone". */
  call(ctx: Context, input: Record<string, unknown>, connection: Connection): Promise<Answered>;
}

/** An endpoint whose declaration TypeScript knows, so that clients can be typed by it. */
export interface Declared<Name extends Method, Path extends string, Out extends Output>
  extends Endpoint {
  readonly method: Name;
  readonly path: Path;
  readonly output: Out;
}

/** An endpoint that may change something says how it is audited, or why not. */
type AuditDeclaration<Name extends Method> = [Name] extends ["GET" | "HEAD" | "OPTIONS"]
  ? { audit?: undefined }
  : { audit: Auditing };

interface Declaration<
  Name extends Method,
  Path extends string,
  Caller extends Who,
  Properties extends TProperties,
  Out extends Output,
> {
  method: Name;
  path: Path;
  summary: string;
  who: Caller;
  input: TObject<Properties>;
  output: Out;
  statuses?: readonly number[];
  aliases?: Record<string, string>;
  takesRest?: boolean;
  body?: BodyKind;
  isPicture?: boolean;
  callers?: Callers;
  cost?: Cost;
  /** The actor has an account, except where anyone may call it. */
  verb: (
    ctx: Caller extends "anyone" ? Context : Context<Person>,
    input: Static<TObject<Properties>>,
    connection: Connection,
  ) => Promise<AnswerOf<Out>>;
}

/**
 * Number of requests that one request for a picture counts as in the rate limits. It is a fraction,
 * because a page of people shows hundreds of pictures, which clients then cache. A power of two, so
 * that sums have no rounding errors.
 */
export const pictureCost = 0.0625;

/** Declares an operation. */
export function endpoint<
  const Name extends Method,
  const Path extends string,
  Caller extends Who,
  Properties extends TProperties,
  Out extends Output,
>(
  declaration: Declaration<Name, Path, Caller, Properties, Out> & AuditDeclaration<Name>,
): Declared<Name, Path, Out>;
export function endpoint(
  declaration: Declaration<Method, string, Who, TProperties, Output> & { audit?: Auditing },
): Endpoint {
  const { verb, ...given } = declaration;
  const { method, path, who, output } = given;
  if (who === undefined) throw new Error(`${method} ${path} must declare who may call it.`);
  if (output === undefined) throw new Error(`${method} ${path} must declare what it answers.`);
  return {
    takesRest: false,
    body: { kind: "parameters" },
    isPicture: false,
    callers: "all",
    statuses: [],
    aliases: {},
    cost: () => (given.isPicture ? pictureCost : 1),
    audit: undefined,
    ...given,
    call: verb,
  };
}

/** The name of a parameter on the wire. */
export const wireName = snakeCase;
