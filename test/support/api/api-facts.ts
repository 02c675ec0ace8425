import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../../src/core/json/record";
import {
  bestOf,
  type Check,
  complain,
  type Findings,
  isLive,
  makeCompiler,
  makeFindings,
  type Schema,
} from "./api-schema";

/** The level of the protocol that the server reports. */
const level = 481;

const folder = join(import.meta.dir, "../../recorded/api");

/** Every route of the reference server. */
export const readRoutes = (): { method: string; path: string; kind: string }[] =>
  readFileSync(join(folder, "routes.tsv"), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [method = "", path = "", kind = ""] = line.split("\t");
      return { method, path, kind };
    });

interface Operation {
  method: string;
  path: string;
  lv?: number;
  rm?: number;
  response: Schema | null;
}

interface EventFact extends Schema {
  type: string;
  op?: string;
  if?: Record<string, string[]>;
}

interface RegisterKey {
  key: string;
  schema: Schema;
  lv?: number;
  rm?: number;
  fetch_event_types: string[];
  always: boolean | "authenticated";
  only_if?: string;
  absent_if?: string;
  needs?: "all";
}

interface ErrorFact {
  code: string;
  http: number | null;
  variants: { fields?: Record<string, string> }[];
}

/** Request to a server and its answer. */
export interface Exchange {
  method: string;
  /** Below `/api/v1`. */
  path: string;
  parameters: Record<string, unknown>;
  status: number;
  body: unknown;
}

/**
 * Check that gives the errors of an answer by the protocol's facts, each with its endpoint or event
 * in front.
 */
export type CheckExchange = (exchange: Exchange) => string[];

const envelope: Record<string, Schema> = {
  result: { type: "string" },
  msg: { type: "string" },
  ignored_parameters_unsupported: { type: "array", items: { type: "string" }, cond: true },
};

/** The check of answers against `test/recorded/api`, with all slow preparation done. */
export function loadApiFacts(): CheckExchange {
  const surface: { defs: Record<string, Schema>; endpoints: Operation[] } =
    readFacts("api-surface.json");
  const compile = makeCompiler(surface.defs, level);
  const find = makeFinder(surface.endpoints);
  const checkError = makeErrorCheck(readFacts<{ errors: ErrorFact[] }>("errors.json").errors);
  const checkEvent = makeEventCheck(
    readFacts<{ events: EventFact[] }>("events.json").events,
    compile,
  );
  const checkRegister = makeRegisterCheck(
    readFacts<{ keys: RegisterKey[] }>("register.json").keys,
    compile,
  );
  const answers = new Map<Operation, Check>();
  const checkSuccess = (operation: Operation, { body, parameters }: Exchange, found: Findings) => {
    if (isRegistration(operation, parameters)) return checkRegister(body, parameters, found);
    const check = answers.get(operation) ?? compile(answerSchema(operation));
    answers.set(operation, check);
    check(body, found);
  };
  return (exchange) => {
    const { method, path, status, body } = exchange;
    const operation = find(method, path);
    const found = makeFindings();
    if (status !== 200) checkError(exchange, found);
    else if (!operation)
      complain(found, "is the answer of an operation that the protocol does not have");
    else checkSuccess(operation, exchange, found);
    if (status === 200 && isRecord(body)) checkSuccessEnvelope(body, found);
    const name = `${method} ${operation?.path ?? path.replace(/\?.*/, "")}`;
    const events = isEvents(operation, exchange) ? eventsIn(body) : [];
    if (!isOrdered(events)) complain(found, "brings events whose ids do not increase");
    return [...inFront(name, found), ...events.flatMap(checkEvent)];
  };
}

/** GET /events without a queue registers one and answers its state. */
const isRegistration = ({ method, path }: Operation, { queue_id }: Record<string, unknown>) =>
  path === "/register" || (method === "GET" && path === "/events" && queue_id === undefined);

const readFacts = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), "utf8"));

/** The endpoints that only people may call, with or without guests: `POST /invites`. */
export function endpointsForPeople(): string[] {
  const served = readFacts<Record<string, { auth?: string[] }>>("server-params-372.json");
  const isForPeople = (auth: readonly string[] = []) =>
    auth.some((who) => who === "human" || who === "member+ (no guests, no bots)");
  return Object.keys(served).filter((name) => isForPeople(served[name]?.auth));
}

/**
 * Keys that the facts lack are wrong too, because some clients refuse an object with one
 * (`docs/protocol/clients.md` 9).
 */
const inFront = (name: string, { wrong, unknown }: Findings): string[] => [
  ...wrong.map((one) => `${name}: ${one}`),
  ...unknown.map((one) => `${name}: ${one} is not known`),
];

function checkSuccessEnvelope({ result, msg }: Record<string, unknown>, found: Findings) {
  if (result !== "success")
    complain(found, `result must be "success", is ${JSON.stringify(result)}`);
  if (msg !== "") complain(found, "msg must be an empty text");
}

const isEvents = (operation: Operation | undefined, { method, status }: Omit<Exchange, "path">) =>
  operation?.path === "/events" && method === "GET" && status === 200;

const eventsIn = (body: unknown): Record<string, unknown>[] =>
  isRecord(body) && Array.isArray(body.events) ? body.events.filter(isRecord) : [];

const isOrdered = (events: Record<string, unknown>[]) =>
  events.every(({ id }, index) => index === 0 || Number(id) > Number(events[index - 1]?.id));

/** The events of GET /events are checked one by one, by their types. */
const answerSchema = ({ method, path, response }: Operation): Schema => {
  const events: Record<string, Schema> =
    method === "GET" && path === "/events" ? { events: { type: "array" } } : {};
  return {
    ...response,
    type: "object",
    properties: { ...response?.properties, ...events, ...envelope },
  };
};

/**
 * Finds the operation of a request: one without parameters in its path before others, ids before
 * names.
 */
function makeFinder(operations: Operation[]) {
  const rankOf = ({ path }: Operation) =>
    2 * path.split("{").length - (path.includes("_id}") ? 1 : 0);
  const patterns = operations
    .filter((operation) => isLive(operation, level) === "yes")
    .sort((one, other) => rankOf(one) - rankOf(other))
    .map((operation) => ({ operation, pattern: patternOf(operation.path) }));
  return (method: string, path: string): Operation | undefined => {
    const [wanted = ""] = path.split("?");
    return patterns.find(
      ({ operation, pattern }) => operation.method === method && pattern.test(wanted),
    )?.operation;
  };
}

function patternOf(path: string): RegExp {
  const parts = path.split(/(\{\w+\})/).map((part) => {
    if (!part.startsWith("{")) return part.replace(/[.]/g, "\\.");
    if (part === "{filename}") return ".+";
    return /_id\}$/.test(part) ? "\\d+" : "[^/]+";
  });
  return new RegExp(`^${parts.join("")}$`);
}

const isJsonType: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
};

function makeErrorCheck(errors: ErrorFact[]) {
  const byCode = Map.groupBy(errors, ({ code }) => code);
  return ({ status, body }: Exchange, found: Findings) => {
    if (!isRecord(body)) return complain(found, "must be an object");
    const { result, msg, code, ignored_parameters_unsupported: _, ...rest } = body;
    if (result !== "error")
      complain(found, `result of a refusal must be "error", is ${JSON.stringify(result)}`);
    if (typeof msg !== "string" || msg === "")
      complain(found, "msg of a refusal must say what is wrong");
    if (status === 405 && Array.isArray(body.allowed_methods)) return;
    const facts = byCode.get(String(code));
    if (!facts) return complain(found, `code ${JSON.stringify(code)} is not known`);
    if (!facts.some(({ http }) => http === null || http === status))
      complain(found, `${code} with status ${status}`);
    checkErrorFields(String(code), facts, rest, found);
  };
}

function checkErrorFields(
  code: string,
  facts: ErrorFact[],
  given: Record<string, unknown>,
  found: Findings,
) {
  const variants = facts.flatMap(({ variants }) => variants.map(({ fields = {} }) => fields));
  const missingOf = (fields: Record<string, string>) =>
    Object.keys(fields).filter((name) => given[name] === undefined);
  const unknownOf = (fields: Record<string, string>) =>
    Object.keys(given).filter((name) => !Object.hasOwn(fields, name));
  const badness = (fields: Record<string, string>) =>
    unknownOf(fields).length * 100 + missingOf(fields).length;
  const fields = variants.reduce(
    (one, other) => (badness(other) < badness(one) ? other : one),
    variants[0] ?? {},
  );
  for (const name of missingOf(fields)) complain(found, `${name} is missing with ${code}`);
  found.unknown.push(...unknownOf(fields).map((name) => `${name} with ${code}`));
  for (const [name, types] of Object.entries(fields)) {
    const tests = types
      .split("|")
      .map((type) => (type === "null" ? (value: unknown) => value === null : isJsonType[type]));
    const isRight = tests.some((test) => test === undefined || test(given[name]));
    if (given[name] !== undefined && !isRight)
      complain(found, `${name} of ${code} must be ${types}`);
  }
}

function makeEventCheck(events: EventFact[], compile: (schema: Schema) => Check) {
  const nameOf = ({ type, op }: { type?: unknown; op?: unknown }) =>
    op === undefined ? `${type}` : `${type}/${op}`;
  const shapes = new Map<string, Check[]>();
  for (const fact of events.filter((one) => isLive(one, level) === "yes")) {
    const check = compile({
      type: "object",
      properties: fact.properties,
      required: fact.required,
      isOpen: true,
    });
    const named = shapes.get(nameOf(fact)) ?? [];
    named.push((event, found) => {
      check(event, found);
      checkConditions(event, fact.if ?? {}, found);
    });
    shapes.set(nameOf(fact), named);
  }
  return (event: unknown) => {
    const name = isRecord(event) ? nameOf(event) : "something";
    const checks = shapes.get(name) ?? [];
    if (checks.length === 0) return [`event ${name}: is not known at level ${level}`];
    return inFront(`event ${name}`, bestOf(checks, event));
  };
}

/** `{ "message_type=stream": ["stream_id"] }`: keys that must exist if a condition holds. */
function checkConditions(event: unknown, conditions: Record<string, string[]>, found: Findings) {
  if (!isRecord(event)) return;
  for (const [condition, needed] of Object.entries(conditions)) {
    const [name = "", value] = condition.split("=");
    if (String(event[name]) !== value) continue;
    for (const one of needed)
      if (event[one] === undefined) complain(found, `${one} is missing where ${condition}`);
  }
}

/** The state in an answer of `register` depends on the request. */
function makeRegisterCheck(keys: RegisterKey[], compile: (schema: Schema) => Check) {
  const checks = new Map<string, Check>();
  const make = (fetched: string[] | undefined, isSpectator: boolean): Check => {
    const properties = keys.map(({ key, schema, ...fact }): [string, Schema] => {
      const { lv, rm } = fact;
      const cond = !isWanted(fact, fetched) || (isSpectator && fact.always === "authenticated");
      return [key, { ...schema, ...(lv ? { lv } : {}), ...(rm ? { rm } : {}), cond }];
    });
    const events: Schema = { type: "array", cond: true };
    return compile({
      type: "object",
      properties: { ...Object.fromEntries(properties), ...envelope, events },
    });
  };
  return (body: unknown, parameters: Record<string, unknown>, found: Findings) => {
    const fetched = typesIn(parameters.fetch_event_types) ?? typesIn(parameters.event_types);
    const isSpectator = isRecord(body) && body.queue_id === null;
    const name = `${JSON.stringify(fetched) ?? "everything"}${isSpectator ? " of a spectator" : ""}`;
    const check = checks.get(name) ?? make(fetched, isSpectator);
    checks.set(name, check);
    check(body, found);
    if (fetched && isRecord(body)) {
      for (const { key, ...fact } of keys.filter(
        (one) => isLive(one, level) === "yes" && body[one.key] !== undefined,
      )) {
        if (fact.fetch_event_types.length > 0 && !isAskedFor(fact, fetched))
          complain(found, `${key} was not asked for`);
      }
    }
  };
}

function typesIn(value: unknown): string[] | undefined {
  const parsed: unknown = typeof value === "string" ? JSON.parse(value) : value;
  return Array.isArray(parsed) ? parsed.map(String) : undefined;
}

type Fetching = Omit<RegisterKey, "key" | "schema">;

function isAskedFor(
  { always, fetch_event_types: types, needs }: Fetching,
  fetched: string[],
): boolean {
  if (always) return true;
  return needs === "all"
    ? types.every((one) => fetched.includes(one))
    : types.some((one) => fetched.includes(one));
}

function isWanted(fact: Fetching, fetched: string[] | undefined): boolean {
  if (fact.fetch_event_types.length === 0 && !fact.always) return false;
  if (fact.only_if || (fact.absent_if && (!fetched || fetched.includes("user_topic"))))
    return false;
  return fetched === undefined || isAskedFor(fact, fetched);
}
