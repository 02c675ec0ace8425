import { type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { type Endpoint, isJson, type OtherOutput, wireName } from "../core/endpoint";
import { version } from "../core/version";
import { furtherStatuses, statuses, usualStatus } from "./statuses";

/** A kind of event, as the description shows it. */
interface DescribedEvent {
  readonly type: string;
  readonly op: string | undefined;
  readonly schema: TObject;
}

export interface Parameter {
  name: string;
  place: "path" | "query" | "body";
  required: boolean;
  schema: TSchema;
}

const pathNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

/** The parameters of an endpoint by their names on the wire. */
export function parametersOf({ method, path, input, body }: Endpoint): Parameter[] {
  const inPath = new Set(pathNames(path));
  const elsewhere =
    method === "GET" || method === "HEAD" || body.kind === "webhook" ? "query" : "body";
  return Object.entries(input.properties).map(([property, schema]) => {
    const name = wireName(property);
    const required = input.required?.includes(property) ?? false;
    return { name, place: inPath.has(name) ? "path" : elsewhere, required, schema };
  });
}

/**
 * Whether a value is written in a query or a form as it is, without the quotes or brackets of JSON.
 */
function isPlain(schema: TSchema): boolean {
  const alternatives: TSchema[] = schema["anyOf"] ?? [schema];
  return alternatives.every(
    ({ type }) => type === "string" || type === "integer" || type === "boolean",
  );
}

/** A parameter in a query or a form: all except plain values are JSON in a text. */
const asText = (schema: TSchema): object =>
  isPlain(schema)
    ? schema
    : { type: "string", contentMediaType: "application/json", contentSchema: schema };

const properties = (parameters: Parameter[], toSchema: (schema: TSchema) => object) => ({
  type: "object",
  properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, toSchema(schema)])),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
});

function requestBody({ body }: Endpoint, parameters: Parameter[]): object | undefined {
  if (body.kind === "webhook") return { content: { "*/*": { schema: {} } } };
  const fileToo = { file: { type: "string", format: "binary" } };
  const form = properties(parameters, asText);
  if (body.kind === "files") {
    const files = { type: "object", properties: fileToo, required: ["file"] };
    return {
      content: {
        "multipart/form-data": { schema: files },
        "application/offset+octet-stream": { schema: {} },
      },
    };
  }
  if (parameters.length === 0 && body.kind === "parameters") return undefined;
  const withFile = { ...form, properties: { ...form.properties, ...fileToo } };
  return {
    content: {
      "application/json": { schema: properties(parameters, (schema) => schema) },
      "application/x-www-form-urlencoded": { schema: form },
      "multipart/form-data": { schema: body.kind === "picture" ? withFile : form },
    },
    required: parameters.some(({ required }) => required),
  };
}

const allow = {
  Allow: {
    schema: { type: "string" },
    description: "The methods of the place: `GET, HEAD, POST`.",
  },
};
const error = { $ref: "#/components/schemas/Error" };

const answerOf = (schema: TProperties, required: string[]) => ({
  type: "object",
  required: ["result", "msg", ...required],
  properties: {
    result: { const: "success" },
    msg: { type: "string" },
    ignored_parameters_unsupported: { type: "array", items: { type: "string" } },
    ...schema,
  },
});

function contentOf(output: Endpoint["output"]): object {
  if (isJson(output))
    return { "application/json": { schema: answerOf(output.properties, output.required ?? []) } };
  return otherContent(output);
}

const otherContent = ({ contentTypes }: OtherOutput) =>
  Object.fromEntries(contentTypes.map((type) => [type, { schema: {} }]));

function responsesOf(endpoint: Endpoint): Record<string, object> {
  const success = {
    description: statuses[usualStatus(endpoint)],
    content: contentOf(endpoint.output),
  };
  return Object.fromEntries([
    [usualStatus(endpoint), success],
    ...furtherStatuses(endpoint).map((status) => [status, furtherAnswer(status)]),
  ]);
}

const furtherAnswer = (status: number) =>
  status < 400 ? { description: statuses[status] } : { $ref: `#/components/responses/${status}` };

/** `GET /messages/{message_id}` is `getMessagesMessageId`. */
function operationId({ method, path }: Endpoint): string {
  const name = pascalCase(path.replaceAll(/[{}]/g, ""));
  return `${method.toLowerCase()}${name}${path.endsWith("/") ? "WithSlash" : ""}`;
}

function operation(endpoint: Endpoint): object {
  const parameters = parametersOf(endpoint);
  const body = requestBody(
    endpoint,
    parameters.filter(({ place }) => place === "body"),
  );
  const signed = endpoint.who === "spectator" ? [{ basic: [] }, {}] : [{ basic: [] }];
  return {
    summary: endpoint.summary,
    operationId: operationId(endpoint),
    security: endpoint.who === "anyone" || endpoint.body.kind === "webhook" ? [] : signed,
    parameters: parameters
      .filter(({ place }) => place !== "body")
      .map(({ name, place, required, schema }) => ({
        name,
        in: place,
        required: place === "path" || required,
        schema: asText(schema),
      })),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(endpoint),
  };
}

/**
 * One of these events as it arrives. Each kind has its own name: `RealmUserUpdateEvent`, with a
 * number if one type and op has several forms.
 */
export function describeEvents(events: readonly DescribedEvent[]): TSchema {
  const counts = new Map<string, number>();
  const forms = events.map(({ type, op, schema }) => {
    const name = `${pascalCase(`${type}_${op ?? ""}`)}Event`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const kind = {
      type: Type.Literal(type),
      ...(op === undefined ? {} : { op: Type.Literal(op) }),
    };
    const title = count === 1 ? name : `${name}${count}`;
    return Type.Object({ id: Type.Integer(), ...kind, ...schema.properties }, { title });
  });
  return Type.Union(forms, { title: "Event" });
}

const pascalCase = (text: string): string =>
  text
    .split(/[/_-]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");

const errorSchema = {
  type: "object",
  required: ["result", "msg"],
  properties: {
    result: {
      enum: ["error", "success"],
      description: "`success` only where there is nothing to be done about it.",
    },
    msg: {
      type: "string",
      description:
        "What is wrong and what to do, for people: in a browser's session in the person's language, so programs go by `code`.",
    },
    code: { type: "string", description: "What is wrong, for programs." },
  },
};

/**
 * Schemas in the form of OpenAPI 3.1 (JSON Schema 2020-12). Each schema with a title becomes a
 * component and is referenced, so that readers of the description see one object that is used in
 * several places.
 */
function schemasIn(value: unknown, named: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => schemasIn(one, named));
  if (typeof value !== "object" || value === null) return value;
  const inner = () =>
    Object.fromEntries(
      Object.entries(asList(value)).map(([name, one]) => [name, schemasIn(one, named)]),
    );
  const isSchema = "type" in value || "anyOf" in value;
  const title =
    isSchema && "title" in value && typeof value.title === "string" ? value.title : undefined;
  if (title === undefined) return inner();
  const schema = inner();
  const sameTitled = named[title] ?? schema;
  if (!Bun.deepEquals(schema, sameTitled)) throw new Error(`Two schemas have the title ${title}.`);
  named[title] = sameTitled;
  return { $ref: `#/components/schemas/${title}` };
}

/** A tuple as a list of this many items, because not all tools know `prefixItems`. */
function asList(value: object): object {
  if (!("items" in value) || !Array.isArray(value.items)) return value;
  const rest = Object.entries(value).filter(([name]) => name !== "additionalItems");
  return { ...Object.fromEntries(rest), items: { anyOf: value.items } };
}

/** The description of endpoints, with their answers and events, in the form of OpenAPI 3.1. */
export function openApi(endpoints: readonly Endpoint[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(endpoint),
    };
  }
  const refusals = Object.entries(statuses).filter(([status]) => Number(status) >= 400);
  const named: Record<string, unknown> = {};
  const withNames = (value: unknown) => schemasIn(value, named);
  return {
    openapi: "3.1.0",
    info: {
      title: "chatd",
      version,
      description:
        "A place that has other methods refuses a request with 405 (components/responses/405) and names them in `Allow`. Errors are JSON always.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/api/v1" }],
    paths: withNames(paths),
    components: {
      securitySchemes: {
        basic: { type: "http", scheme: "basic", description: "E-mail address and API key" },
      },
      responses: Object.fromEntries(
        refusals.map(([status, description]) => [
          status,
          {
            description,
            ...(status === "405" ? { headers: allow } : {}),
            content: { "application/json": { schema: error } },
          },
        ]),
      ),
      schemas: { Error: errorSchema, ...named },
    },
  };
}
