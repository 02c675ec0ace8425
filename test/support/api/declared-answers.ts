import { type TSchema, Type } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { type Endpoint, isJson } from "../../../src/core/endpoint";
import { isRecord } from "../../../src/core/json/record";
import { eventCatalog } from "../../../src/event-catalog";
import { makeElysia } from "../../../src/http/elysia";
import { mountEndpoints } from "../../../src/http/mount";
import { makePort } from "../../../src/http/port";
import { RequestGate } from "../../../src/http/request-gate";
import { furtherStatuses, usualStatus } from "../../../src/http/statuses";
import { endpoints } from "../../../src/server";
import type { Exchange } from "./api-facts";

/** Number of errors that are reported for one answer, because the first ones say what is wrong. */
const errorsMax = 3;

const asked = new Map<Request, Endpoint>();
const { note } = makePort({}, new RequestGate(), () => "", {});
const elysia = makeElysia({
  note,
  pass: (answer, request) => answer(request),
  answerError: () => new Response(null),
});
const answer = async (endpoint: Endpoint, { request }: { request: Request }) => {
  asked.set(request, endpoint);
  return new Response(null);
};
mountEndpoints(elysia, endpoints, "", answer, note);

/** The endpoint of a request. */
async function endpointAt(method: string, path: string): Promise<Endpoint | undefined> {
  const request = new Request(`http://localhost${path}`, { method });
  await elysia.handle(request);
  const endpoint = asked.get(request);
  asked.delete(request);
  return endpoint;
}

/**
 * Members of an answer that its endpoint does not declare, and declared members that it lacks, each
 * with the endpoint's name in front; likewise for the events in it.
 */
export async function undeclaredIn({ method, path, status, body }: Exchange): Promise<string[]> {
  const endpoint = await endpointAt(method, path);
  if (!endpoint) return [];
  const name = `${endpoint.method} ${endpoint.path}`;
  if (![usualStatus(endpoint), ...furtherStatuses(endpoint)].includes(status))
    return [`${name} answers ${status}, undeclared`];
  if (status !== 200 || !isRecord(body) || body.result !== "success" || method === "HEAD")
    return [];
  if (!isJson(endpoint.output))
    return endpoint.output.contentTypes.includes("application/json")
      ? []
      : [`${name} answers JSON, and declares something else`];
  const { result: _result, msg: _msg, ignored_parameters_unsupported: _ignored, ...members } = body;
  const events = name === "GET /events" && Array.isArray(members.events) ? members.events : [];
  // Events are checked one by one, because this reports better which of many is wrong.
  const rest = events.length > 0 ? { ...members, events: [] } : members;
  return [...errorsIn(name, checkOf(endpoint.output), rest), ...events.flatMap(undeclaredInEvent)];
}

function errorsIn(name: string, check: TypeCheck<TSchema>, value: unknown): string[] {
  if (check.Check(value)) return [];
  const errors = [...check.Errors(value)].slice(0, errorsMax);
  return errors.map(
    ({ path, message, value }) =>
      `${name}: ${path} ${message} (${JSON.stringify(value)?.slice(0, 80)})`,
  );
}

function undeclaredInEvent(event: unknown): string[] {
  if (!isRecord(event)) return ["an event is no object"];
  const { id: _id, type, op, ...fields } = event;
  const name = `event ${type}${op === undefined ? "" : `/${op}`}`;
  const declared = eventCatalog.filter((one) => one.type === type && one.op === op);
  if (declared.length === 0) return type === "numbered" ? [] : [`${name} is not declared`];
  const all = declared.map(({ schema }) => errorsIn(name, checkOf(schema), fields));
  return all.reduce((one, other) => (other.length < one.length ? other : one));
}

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

function checkOf(schema: TSchema): TypeCheck<TSchema> {
  const known = checks.get(schema);
  if (known) return known;
  const check = TypeCompiler.Compile(closed(schema));
  checks.set(schema, check);
  return check;
}

/**
 * Schema that forbids other properties than the declared ones, and compares literal words, which
 * TypeBox leaves to the types.
 */
function closed(schema: TSchema): TSchema {
  if (Array.isArray(schema.enum)) return Type.Union(schema.enum.map((word) => Type.Literal(word)));
  if (isRecord(schema.properties) && schema.type === "object")
    return { additionalProperties: false, ...schema, properties: closedEach(schema.properties) };
  if (isRecord(schema.patternProperties))
    return { ...schema, patternProperties: closedEach(schema.patternProperties) };
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: schema.anyOf.map(closed) };
  if (Array.isArray(schema.items)) return { ...schema, items: schema.items.map(closed) };
  if (schema.type === "array" && isRecord(schema.items))
    return { ...schema, items: closed(schema.items as TSchema) };
  return schema;
}

const closedEach = (schemas: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, own]) => [name, closed(own as TSchema)]));
